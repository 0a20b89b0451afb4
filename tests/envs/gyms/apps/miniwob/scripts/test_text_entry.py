"""Scripts that type, copy and scroll."""

from __future__ import annotations

import pytest

from envs.contract.actions import Batch, Key
from envs.gyms.apps.miniwob.scripts import text_entry
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Script
from tests.envs.gyms.apps.miniwob.play import observation, play

SUBMIT = "button Submit #"


@pytest.mark.parametrize(
    ("script", "lines", "moves"),
    [
        (text_entry.type_quoted_text, ('text Type "aB" in upper case', "box #"), ["type AB"]),
        (
            text_entry.type_quoted_text,
            ('text Type "aB" in both', "box #", "box #"),
            ["type aB"] * 2,
        ),
        (
            text_entry.set_date,
            ("text Enter 05/17/2011 as the date", "box #"),
            ["set_value 2011-05-17"],
        ),
        (text_entry.set_time, ("text Enter 1:05 PM as the time", "box #"), ["set_value 13:05"]),
        (
            text_entry.type_shown_text,
            ("text Type the text below", "text a b c", "box #"),
            ["type abc"],
        ),
        (text_entry.nth_word, ("text Find the 2nd word", "text Ah, oh! Uh.", "box #"), ["type oh"]),
    ],
)
def test_texts_then_submit(script: Script, lines: tuple[str, ...], moves: list[str]) -> None:
    assert play(script, observation(*lines, SUBMIT)) == [*moves, "click Submit"]


def test_a_popup_is_dismissed_and_its_field_filled_again() -> None:
    lines = ('text Enter the username "ann" and the password "xyz"', "box user #", "box pass #")
    free = observation(*lines, "button Login #")
    popup = observation(*lines, "button Cancel #", "button Login #")
    assert play(text_entry.log_in, free) == ["type user ann", "type pass xyz", "click Login"]
    moves = play(text_entry.log_in, free, popup, free)
    assert moves[:3] == ["type user ann", "click Cancel", "type user ann"]


def test_a_box_by_its_ordinal_or_the_only_one() -> None:
    boxes = ("box first #", "box second #")
    assert play(text_entry.focus_box, observation("text Focus into the 2nd input", *boxes)) == [
        "click second"
    ]
    assert play(text_entry.focus_box, observation("text Focus into it", *boxes)) == ["click first"]


def test_the_clipboard_copies_the_right_area() -> None:
    page = observation(
        "text Copy the text from the 2nd text area below",
        "box one = abc #",
        "box two = def #",
        "box answer #",
        SUBMIT,
    )
    assert play(text_entry.copy_and_paste, page) == [
        "click two",
        "key ctrl+a",
        "key ctrl+c",
        "click answer",
        "key ctrl+v",
        "click Submit",
    ]


def test_agreements_are_signed_or_cancelled() -> None:
    controls = ("box Text #", "box Name #", "button I agree #", "button Cancel #")
    sign = observation('text Scroll, enter the name "Ann" and press "I agree"', *controls)
    assert play(text_entry.sign_agreement, sign) == [
        "scroll Text",
        "type Name Ann",
        "click I agree",
    ]
    cancel = observation('text Scroll and press "Cancel"', *controls)
    assert play(text_entry.sign_agreement, cancel) == ["click Cancel"]


def test_the_file_with_the_extension_is_deleted() -> None:
    query = "text Use the terminal to delete a file ending with the extension .png"
    page = LivePage()
    page.update(observation(query, "text Welcome", "text user$ ls", "text a.txt b.png"))
    commands = []
    for move in text_entry.terminal(page):
        assert isinstance(move.action, Batch)
        keys = [action.keys[0] for action in move.action.actions if isinstance(action, Key)]
        commands.append("".join(keys))
    assert commands == ["lsenter", "rmspaceb.pngenter"]
