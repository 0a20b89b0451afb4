"""Placeholders of commands stand for the screen and the password."""

from __future__ import annotations

from types import SimpleNamespace

from envs.osworld.format.placeholders import fill_placeholders

SCREEN = SimpleNamespace(width=1280, height=720)


def test_placeholders_stand_for_the_screen_and_the_password() -> None:
    assert fill_placeholders("{SCREEN_WIDTH}x{SCREEN_HEIGHT}", SCREEN) == "1280x720"
    click = "click({SCREEN_WIDTH_HALF}, {SCREEN_HEIGHT_HALF})"
    assert fill_placeholders(click, SCREEN) == "click(640, 360)"
    assert fill_placeholders("echo {CLIENT_PASSWORD}; echo ${HOME} {}", SCREEN) == (
        "echo password; echo ${HOME} {}"
    )
