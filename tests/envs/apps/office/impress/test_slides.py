"""Slides as a whole in a real presentation."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.impress.reading import saved_presentation
from tests.envs.apps.office.real_office import Refused

Call = Any


def titles(call: Call) -> list[str]:
    return [item["title"] for item in call("impress.info")["slides"]]


def test_info_lists_the_slides(call: Call, deck: Path) -> None:
    result = call("impress.info")
    assert (result["path"], result["width_cm"], result["height_cm"]) == (str(deck), 28.0, 15.75)
    assert result["current_slide"] == 1
    assert result["slides"][:2] == [
        {"slide": 1, "layout": "title", "title": "One"},
        {"slide": 2, "layout": "title_content", "title": "Two"},
    ]
    assert [item.shapes.title.text for item in saved_presentation(call).slides] == [
        "One",
        "Two",
        "Three",
        "Four",
    ]


def test_reads_a_slide(call: Call, deck: Path) -> None:
    call("impress.notes", slide=2, text="say hello")
    result = call("impress.read_slide", slide=2)
    assert result["notes"] == "say hello"
    first, second = result["shapes"]
    assert (first["shape"], first["kind"], first["text"]) == (1, "title", "Two")
    assert (second["kind"], second["text"]) == ("content", "")
    assert (first["x_cm"], first["width_cm"]) == (1.4, 25.2)


def test_reading_a_missing_slide_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="there is no slide 9; the presentation has 4"):
        call("impress.read_slide", slide=9)


def test_goes_to_a_slide(call: Call, deck: Path) -> None:
    call("impress.go_to_slide", slide=3)
    assert call("impress.info")["current_slide"] == 3
    with pytest.raises(Refused, match="no slide 0"):
        call("impress.go_to_slide", slide=0)


@pytest.mark.parametrize(("after", "number"), [(0, 1), (1, 2), (4, 5), (None, 5)])
def test_adds_slides_where_told(call: Call, deck: Path, after: int | None, number: int) -> None:
    assert call("impress.add_slide", layout="title_only", after=after) == number
    expected = ["One", "Two", "Three", "Four"]
    expected.insert(number - 1, "")
    assert titles(call) == expected
    assert call("impress.info")["slides"][number - 1]["layout"] == "title_only"


def test_adding_after_a_missing_slide_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="has 4"):
        call("impress.add_slide", after=5)


def test_changes_the_layout(call: Call, deck: Path) -> None:
    call("impress.set_layout", slide=2, layout="title_two_content")
    kinds = [item["kind"] for item in call("impress.read_slide", slide=2)["shapes"]]
    assert sorted(kinds) == ["content", "content", "title"]
    with pytest.raises(Refused, match="no slide 5"):
        call("impress.set_layout", slide=5, layout="blank")


def test_deletes_slides_but_not_the_last(call: Call, deck: Path) -> None:
    call("impress.delete_slide", slide=2)
    assert titles(call) == ["One", "Three", "Four"]
    for _ in range(2):
        call("impress.delete_slide", slide=1)
    with pytest.raises(Refused, match="at least one"):
        call("impress.delete_slide", slide=1)


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (None, ["One", "Two", "Two", "Three", "Four"]),
        (5, ["One", "Two", "Three", "Four", "Two"]),
        (1, ["Two", "One", "Two", "Three", "Four"]),
    ],
)
def test_duplicates_a_slide(call: Call, deck: Path, to: int | None, expected: list[str]) -> None:
    assert call("impress.duplicate_slide", slide=2, to=to) == (to or 3)
    assert titles(call) == expected
    assert len(saved_presentation(call).slides) == 5


def test_duplicating_to_nowhere_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="cannot be slide 7"):
        call("impress.duplicate_slide", slide=2, to=7)
    assert len(titles(call)) == 4


@pytest.mark.parametrize(
    ("slide", "to", "expected"),
    [
        (1, 4, ["Two", "Three", "Four", "One"]),
        (4, 2, ["One", "Four", "Two", "Three"]),
        (3, 3, ["One", "Two", "Three", "Four"]),
    ],
)
def test_moves_slides(call: Call, deck: Path, slide: int, to: int, expected: list[str]) -> None:
    call("impress.go_to_slide", slide=2)
    call("impress.move_slide", slide=slide, to=to)
    assert titles(call) == expected
    assert titles(call)[call("impress.info")["current_slide"] - 1] == "Two"


def test_moving_to_nowhere_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="no slide 5"):
        call("impress.move_slide", slide=1, to=5)


def test_writes_notes(call: Call, deck: Path) -> None:
    call("impress.notes", slide=3, text="slowly")
    assert saved_presentation(call).slides[2].notes_slide.notes_text_frame.text == "slowly"
    with pytest.raises(Refused, match="no slide 8"):
        call("impress.notes", slide=8, text="x")


def transitions(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        pages = [archive.read(f"ppt/slides/slide{number}.xml") for number in range(1, 5)]
    return [page.decode().partition("<p:transition")[2] for page in pages]


@pytest.mark.parametrize(
    ("transition", "tag"), [("fade", "fade"), ("push", "push"), ("wipe", "wipe")]
)
def test_sets_transitions(call: Call, deck: Path, transition: str, tag: str) -> None:
    call("impress.transition", transition=transition, slide=2, advance_after_s=5)
    call("impress.save")
    first, second, *_ = transitions(deck)
    assert f"<p:{tag}" in second
    assert 'advTm="5000"' in second
    assert f"<p:{tag}" not in first


def test_takes_transitions_back(call: Call, deck: Path) -> None:
    call("impress.transition", transition="dissolve")
    call("impress.transition", transition="none", slide=1)
    call("impress.save")
    assert ["<p:dissolve" in item for item in transitions(deck)] == [False, True, True, True]


def test_a_transition_that_takes_no_time_is_refused(call: Call, deck: Path) -> None:
    with pytest.raises(Refused, match="duration_s"):
        call("impress.transition", transition="fade", duration_s=-1)
