"""A cookie proves that the key was known, until it is old or the key is another one."""

from __future__ import annotations

import pytest

from agent_server.api.sign_in import HOLDS_S, is_key, is_valid, make_cookie


def test_a_cookie_holds_for_its_time_and_its_key() -> None:
    value = make_cookie("key", 1000.0)
    assert is_valid(value, "key", 1000.0 + HOLDS_S - 1)
    assert not is_valid(value, "key", 1000.0 + HOLDS_S)
    assert not is_valid(value, "other", 1000.0)
    assert "key" not in value.partition(".")[2]


@pytest.mark.parametrize("value", ["", ".", "99999999999", "99999999999.", "x.y", "١.a", "9" * 30])
def test_what_was_not_made_here_does_not_hold(value: str) -> None:
    assert not is_valid(value, "key", 0.0)


def test_a_later_time_needs_another_signature() -> None:
    until, _, signature = make_cookie("key", 1000.0).partition(".")
    assert not is_valid(f"{int(until) + 1}.{signature}", "key", 1000.0)


def test_without_a_key_nobody_is_signed_in() -> None:
    assert not is_valid(make_cookie("", 1000.0), "", 1000.0)
    assert not is_key("", "")
    assert is_key("key", "key")
