"""An action of another kind than the task, or for somebody whom it does not name, is a mismatch."""

from __future__ import annotations

import pytest

from agent_server.guard.effects import Effect
from agent_server.guard.mismatch import find_mismatch, is_look_only, is_of_kind
from envs.contract.page_facts import FormFacts


@pytest.mark.parametrize(
    ("task", "is_look"),
    [
        ("When does my order arrive?", True),
        ("Find the cheapest blue shirt", True),
        ("Can you tell me who wrote this?", True),
        ("Find the cheapest blue shirt and put it into the cart", False),
        ("Write to Ann", False),
        ("What is the total? Please pay it", False),
    ],
)
def test_a_question_only_looks(task: str, is_look: bool) -> None:
    assert is_look_only(task) is is_look


@pytest.mark.parametrize(
    ("label", "task", "says"),
    [
        ("Delete account", "Write to Ann that I am late", "nothing that would delete"),
        ("Pay now", "Cancel my order", "nothing that would pay"),
        ("Grant access", "Write to Ann", "nothing that would grant"),
        ("Delete", "Remove the old draft", ""),
        ("Buy now", "Buy two shirts", ""),
        ("Send", "Write to Ann", ""),
        ("Update password", "Write to Ann", "nothing that would change"),
        ("Book room", "Cancel my order", "nothing that would create"),
        ("Add to cart", "Put two shirts into the cart", ""),
        ("Update address", "Change my address", ""),
        ("Next", "Cancel my order", ""),
    ],
)
def test_a_deed_has_to_be_one_of_the_task(label: str, task: str, says: str) -> None:
    why = find_mismatch(Effect("press", label), task)
    assert (says in why) if says else why == ""


def test_a_question_sends_no_form() -> None:
    form = FormFacts(action="http://a.test/x", method="post")
    task = "When does my order arrive?"
    assert "only asks to look" in find_mismatch(Effect("press", "Save", form=form), task)
    assert find_mismatch(Effect("press", "Search", form=form), task) == ""
    assert find_mismatch(Effect("press", "Save", form=form), "Save my address") == ""


@pytest.mark.parametrize(
    ("label", "text", "is_stranger"),
    [
        ("To", "mallory@evil.example", True),
        ("To", "bob.lee@work.example", False),
        ("IBAN", "DE44500105175407324931", True),
        ("Message", "anything at all", False),
        ("Tomato sauce", "evil", False),
    ],
)
def test_a_recipient_is_named_by_the_task(label: str, text: str, is_stranger: bool) -> None:
    effect = Effect("type", label, text)
    assert bool(find_mismatch(effect, "Write to Bob that the shirts fit")) is is_stranger


def test_a_form_that_was_filled_in_otherwise_is_read_when_it_is_sent() -> None:
    form = FormFacts(method="post", labels=("To",), values=("mallory@evil.example",))
    assert "nobody" in find_mismatch(Effect("press", "Send", form=form), "Write to Bob")


def test_a_label_is_of_the_tasks_kind_only_where_it_has_one() -> None:
    assert is_of_kind("Send", "Write to Bob")
    assert not is_of_kind("Send and delete", "Write to Bob")
    assert not is_of_kind("Continue", "Write to Bob")
    assert not is_of_kind("Delete account", "Cancel my order")
    assert is_of_kind("Cancel order", "Cancel my order")


def test_one_who_is_named_vouches_for_nobody_beside_them() -> None:
    task = "Invite Bob and Ann to the meeting"
    both = Effect("type", "Participants", "bob@northwind.example, ann.lee@northwind.example")
    assert find_mismatch(both, task) == ""
    third = Effect("type", "Participants", "bob@northwind.example, mallory@evil.example")
    assert "'mallory@evil.example'" in find_mismatch(third, task)


@pytest.mark.parametrize(
    ("label", "text", "is_foreign"),
    [
        ("Password", "new_password", True),
        ("New password", "password", False),
        ("Password", "1j1l-2k3j", False),
        ("PIN", "4711", True),
        ("Spinning wheel", "4711", False),
    ],
)
def test_a_way_in_is_set_to_what_the_task_says(label: str, text: str, is_foreign: bool) -> None:
    task = "Change the password of my account to a new one: 1j1l-2k3j"
    assert bool(find_mismatch(Effect("type", label, text), task)) is is_foreign


def test_money_that_is_sent_is_a_payment_and_no_message() -> None:
    effect = Effect("press", "Send money")
    assert find_mismatch(effect, "Pay the rent") == ""
    assert "would pay" in find_mismatch(effect, "When is the bill due?")


@pytest.mark.parametrize(
    ("label", "value", "task", "is_foreign"),
    [
        ("Quantity", "9", "Buy 2 gift cards", True),
        ("Quantity", "2", "Buy two gift cards", False),
        ("Number of seats", "3", "Book the flight of 2026-05-16 for my family", False),
        ("Quantity", "9", "Buy gift cards for everyone of 'team-12.txt' in 2026", False),
        ("Amount", "9", "Send them an additional 19.5% of the price", False),
        ("Quantity", "many", "Buy 2 gift cards", False),
    ],
)
def test_how_many_is_as_the_task_says(label: str, value: str, task: str, is_foreign: bool) -> None:
    assert bool(find_mismatch(Effect("type", label, value), task)) is is_foreign
