"""What a person did, as actions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.contract.actions import Action, Click, Clipboard, Drag, Key, Scroll, Target, Type
from envs.desktop.input import keysym_of
from envs.desktop.person import MAX_ACTIONS, Person, character_of
from envs.desktop.rfb import (
    CutText,
    Event,
    KeyChange,
    Pointer,
)

CTRL, SHIFT, LEFT = 0xFFE3, 0xFFE1, 0xFF51


def seen(*events: Event | float) -> tuple[Action, ...]:
    """What came of events; a number lets that many seconds pass."""
    person, now = Person(), 100.0
    for event in events:
        if isinstance(event, float):
            now += event
        else:
            person.feed(event, now)
    return person.take()


def keys(text: str) -> list[Event]:
    return [KeyChange(down, keysym_of(c)) for c in text for down in (True, False)]


def pressed(x: int, y: int, buttons: int = 1) -> list[Event]:
    return [Pointer(0, x, y), Pointer(buttons, x, y), Pointer(0, x, y)]


def test_typing_is_one_text_and_named_keys_are_counted() -> None:
    assert seen(*keys("Grüße ж漢")) == (Type(text="Grüße ж漢"),)
    assert seen(*keys("a"), KeyChange(True, LEFT), KeyChange(True, LEFT), *keys("b")) == (
        Type(text="a"),
        Key(keys=("arrowleft",), repeat=2),
        Type(text="b"),
    )


def test_chords_name_what_is_held() -> None:
    held = [KeyChange(True, CTRL), KeyChange(True, SHIFT)]
    freed = [KeyChange(False, SHIFT), KeyChange(False, CTRL)]
    assert seen(KeyChange(True, CTRL), *keys("c"), KeyChange(False, CTRL), *keys("c")) == (
        Key(keys=("ctrl", "c")),
        Type(text="c"),
    )
    assert seen(*held, KeyChange(True, LEFT), *freed) == (Key(keys=("ctrl", "shift", "arrowleft")),)
    assert seen(KeyChange(True, CTRL), *pressed(5, 6)) == (
        Click(target=Target(x=5, y=6), modifiers=("ctrl",)),
    )


def test_what_was_held_is_let_go() -> None:
    person = Person()
    person.feed(KeyChange(True, CTRL), 0.0)
    person.feed(Pointer(1, 5, 5), 0.0)
    person.let_go()
    for event in [*keys("c"), *pressed(90, 90)]:
        person.feed(event, 1.0)
    assert person.take() == (Type(text="c"), Click(target=Target(x=90, y=90)))


def test_clicks_close_in_time_and_place_are_one() -> None:
    at = Target(x=40, y=50)
    assert seen(*pressed(40, 50), 0.2, *pressed(41, 50)) == (Click(target=at, count=2),)
    assert seen(*pressed(40, 50), 0.9, *pressed(40, 50)) == (Click(target=at), Click(target=at))
    assert seen(*pressed(40, 50, 4)) == (Click(target=at, button="right"),)


def test_a_drag_keeps_its_ends() -> None:
    moves = [Pointer(1, 10 + step, 20) for step in range(300)]
    (drag,) = seen(Pointer(0, 10, 20), *moves, Pointer(0, 309, 25))
    assert isinstance(drag, Drag)
    assert (drag.path[0], drag.path[-1]) == (Target(x=10, y=20), Target(x=309, y=25))
    assert len(drag.path) < 40


def test_the_wheel_and_the_clipboard() -> None:
    down = [event for _ in range(3) for event in pressed(7, 8, 1 << 4)]
    assert seen(*down) == (Scroll(target=Target(x=7, y=8), dy=3, unit="notch"),)
    assert seen(CutText("copied")) == (Clipboard(op="write", text="copied"),)


def test_only_so_much_is_kept() -> None:
    events = [event for n in range(MAX_ACTIONS + 9) for event in pressed(n % 1000, 20 * (n % 30))]
    assert len(seen(*events)) == MAX_ACTIONS


@given(st.characters(exclude_categories=["Cs", "Cc"]))
def test_every_character_comes_back_from_its_key(character: str) -> None:
    assert character_of(keysym_of(character)) == character


@given(st.integers(0, 2**32 - 1))
def test_every_key_becomes_an_action_or_nothing(keysym: int) -> None:
    assert len(seen(KeyChange(True, keysym), KeyChange(False, keysym))) <= 1


@pytest.mark.parametrize(
    ("keysym", "character"), [(0x1B1, "ą"), (0x6C1, "а"), (0x7E1, "α"), (0xCE0, "א"), (0xFFB5, "5")]
)
def test_keysyms_from_before_unicode(keysym: int, character: str) -> None:
    assert character_of(keysym) == character
