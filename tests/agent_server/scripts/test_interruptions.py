"""What gets in the way, on pages of any site; and what only looks like it."""

from __future__ import annotations

import pytest

from agent_server.scripts.interruptions import Page, find_fix, find_unsaved, is_interruption
from envs.contract.actions import Click, Navigate, Target
from tests.agent_server.scripts.recorded import SITE, observe


@pytest.mark.parametrize(
    "name", ["Accept all cookies", "No thanks", "Not now", "Got it", "Reject all", "Close", "×"]
)
def test_overlays_are_dismissed(name: str) -> None:
    fix = find_fix(Page.of(observe("/", f"text Hello\nbutton {name} #4")))
    assert fix is not None
    assert fix.action == Click(target=Target(ref=4, tree=1))


@pytest.mark.parametrize("name", ["Accept", "Close ticket", "Skip to Friday", "Decline offer 7"])
def test_controls_that_do_something_else_are_left_alone(name: str) -> None:
    assert find_fix(Page.of(observe("/", f"button {name} #4"))) is None


def test_a_failed_page_is_asked_for_again_without_sending_a_form_twice() -> None:
    failed = "heading Something went wrong\nlink Try again #1"
    fix = find_fix(Page.of(observe("/a?q=1", failed)))
    assert fix is not None
    assert isinstance(fix.action, Click)
    fix = find_fix(Page.of(observe("/a?q=1", "heading Service unavailable")))
    assert fix is not None
    assert fix.action == Navigate(url=f"{SITE}/a?q=1")


def test_signing_in_takes_one_button_or_it_is_left_to_others() -> None:
    page = "heading Session expired\nbutton Sign in again #1"
    assert find_fix(Page.of(observe("/", page))) is not None
    assert find_fix(Page.of(observe("/", f"{page}\nbox Password = •••• #2"))) is None


def test_messages_of_what_was_not_saved() -> None:
    page = Page.of(observe("/", "text Your changes were not saved. Please try again\nlink Home #1"))
    assert find_unsaved(page) is not None
    assert find_unsaved(Page.of(observe("/", "text Saved\nlink not saved #1"))) is None
    assert not is_interruption(page, page.lines[1])
