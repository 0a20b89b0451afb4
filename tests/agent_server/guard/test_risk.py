"""The rules ask for what pays, sends, deletes, leaves the allowed set and runs programs."""

from __future__ import annotations

import pytest

from agent_server.guard.effects import Effect
from agent_server.guard.risk import find_risks, site_of
from envs.contract.approval import RULES
from envs.contract.page_facts import FormFacts, PageFacts

PAGE = PageFacts(url="https://shop.example/cart")


def rules_of(effect: Effect, allow: tuple[str, ...] = ()) -> list[str]:
    return [reason.rule for reason in find_risks([effect], PAGE, allow, RULES)]


@pytest.mark.parametrize(
    ("label", "rules"),
    [
        ("Pay now", ["pay"]),
        ("Place your order", ["pay"]),
        ("Jetzt kaufen", ["pay"]),
        ("Send message", ["send"]),
        ("Enviar", ["send"]),
        ("Delete account", ["delete"]),
        ("Supprimer", ["delete"]),
        ("Cancel subscription", ["delete"]),
        ("Add to cart", []),
        ("Cancel", []),
        ("Payment methods", []),
        ("Next", []),
        ("confirm: Do you really want to delete these nine files from your drive?", ["delete"]),
        ("How you can pay, how we send parcels and what you may delete from your order", []),
    ],
)
def test_a_label_is_read_as_a_command(label: str, rules: list[str]) -> None:
    assert rules_of(Effect("press", label)) == rules


def test_a_long_link_is_a_headline() -> None:
    assert rules_of(Effect("press", "How to delete old mails quickly", is_link=True)) == []
    assert rules_of(Effect("press", "Delete", is_link=True)) == ["delete"]


def test_a_button_with_a_long_name_is_still_a_command() -> None:
    label = "Pay now and accept all of our terms and conditions of sale"
    assert rules_of(Effect("press", label, is_button=True)) == ["pay"]
    assert rules_of(Effect("press", label)) == []


def test_a_form_with_a_card_pays_whatever_its_button_says() -> None:
    form = FormFacts(action="https://shop.example/x", labels=("Card number cc-number",))
    assert rules_of(Effect("press", "Continue", form=form)) == ["pay"]


def test_what_leaves_the_site_or_the_allowed_set_asks() -> None:
    elsewhere = FormFacts(action="https://evil.example/x")
    effect = Effect("press", "Go on", url=elsewhere.action, form=elsewhere)
    assert rules_of(effect) == ["submit"]
    assert rules_of(effect, ("shop.example", "evil.example")) == []
    assert rules_of(Effect("open", url="https://evil.example/"), ("shop.example",)) == ["submit"]
    assert rules_of(Effect("open", url="https://www.shop.example/a"), ("shop.example",)) == []


def test_a_form_sent_a_second_time_asks_once_by_whichever_rule_holds() -> None:
    form = FormFacts(action=f"{PAGE.url}/pay", method="post")
    again = Effect("press", "the last form again", url=form.action, form=form, is_repeat=True)
    assert rules_of(again) == rules_of(again, ("shop.example",)) == ["submit"]
    only_deletions = find_risks([again], PAGE, (), ("shell", "delete"))
    assert [reason.rule for reason in only_deletions] == ["delete"]
    assert "second time, to shop.example" in only_deletions[0].why
    assert find_risks([again], PAGE, (), ("shell", "agent")) == []


@pytest.mark.parametrize(
    ("effect", "rules"),
    [
        (Effect("launch", "xterm"), ["shell"]),
        (Effect("call", "system.run_command", '{"command": "ls"}'), ["shell"]),
        (Effect("call", "thunderbird.send_mail"), ["send"]),
        (Effect("call", "files.deleteFolder"), ["delete"]),
        (Effect("call", "calc.set_cell"), []),
    ],
)
def test_tools_and_programs_go_by_their_names(effect: Effect, rules: list[str]) -> None:
    assert rules_of(effect) == rules


def test_only_the_rules_that_hold_are_asked() -> None:
    effects = [Effect("press", "Pay"), Effect("press", "Delete")]
    assert [r.rule for r in find_risks(effects, PAGE, (), ("delete",))] == ["delete"]


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.shop.example/a", "shop.example"),
        ("https://a.b.shop.example:8443/", "shop.example"),
        ("https://shop.co.uk/", "shop.co.uk"),
        ("http://127.0.0.1:8000/x", "127.0.0.1:8000"),
        ("about:blank", ""),
        ("http://[", ""),
    ],
)
def test_the_site_of_an_address(url: str, site: str) -> None:
    assert site_of(url) == site
