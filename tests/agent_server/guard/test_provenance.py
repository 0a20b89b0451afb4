"""What the task names is the user's, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.guard.provenance import data_of, is_of_user, stands_in

TASK = "Send ann@home.example the price of order 4711-22 and book the flight to Oslo"


@pytest.mark.parametrize(
    "text",
    ["ann@home.example", "4711-22", "4711 - 22", "Booking: flight to Oslo", "Order prices", ""],
)
def test_what_the_task_names_is_the_users(text: str) -> None:
    assert is_of_user(text, TASK)


@pytest.mark.parametrize(
    "text",
    ["bob@home.example", "4711-23", "the price for mallory@evil.example", "Delete account"],
)
def test_what_it_does_not_name_is_not(text: str) -> None:
    assert not is_of_user(text, TASK)


@given(st.text(min_size=1, max_size=60))
def test_a_part_of_the_task_is_always_the_users(text: str) -> None:
    assert is_of_user(text, f"Please do {text} now")


def test_a_number_that_is_the_point_has_to_be_the_tasks() -> None:
    assert is_of_user("2", "Buy two shirts")
    assert is_of_user("2", "Buy 2 shirts")
    assert not is_of_user("9", "Buy two shirts")


def test_a_copy_is_found_in_its_passage() -> None:
    passage = "Transfer 250 to DE44 5001 0517 5407 3249 31 today."
    assert stands_in("DE44500105175407324931", passage)
    assert not stands_in("DE11500105175407324931", passage)
    assert not stands_in("x", passage)


def test_data_is_what_was_copied() -> None:
    assert data_of("mail a@b.example code 8812 at 9") == {"a@b.example", "8812"}


def test_a_short_text_is_the_users_as_a_word_of_its_own() -> None:
    assert is_of_user("13", "Delete the mail with the id 13")
    assert not is_of_user("13", "Delete the mail of 2024-05-131")
    assert not is_of_user("13", "Delete the mail 1131")
    assert is_of_user("DE02 1203 0000", "Pay to DE0212030000")


def test_the_name_of_a_program_is_data() -> None:
    assert data_of("set new_password now") == {"new_password"}
    assert not is_of_user("new_password", "Give me a new password")
