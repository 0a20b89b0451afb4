"""A presentation is read as what it shows: shapes, text, notes."""

from __future__ import annotations

import io
from typing import Any

from envs.osworld.format.makers.presentations import presentation_bytes
from envs.osworld.outside.metrics.slide_reader import read_presentation


def read(*slides: dict[str, Any]) -> list[dict[str, Any]]:
    content = presentation_bytes({"slides": list(slides)})
    shown: list[dict[str, Any]] = read_presentation(io.BytesIO(content))["slides"]
    return shown


def test_titles_bodies_and_notes() -> None:
    (slide,) = read({"title": "Plan", "body": ["First", "Second"], "notes": "Slowly."})
    assert [shape["kind"] for shape in slide["shapes"]] == ["title", "body"]
    texts = [[run["text"] for part in shape["text"] for run in part["runs"]]
             for shape in slide["shapes"]]  # fmt: skip
    assert texts == [["Plan"], ["First", "Second"]]
    assert slide["notes"] == "Slowly."


def test_an_empty_placeholder_is_not_shown() -> None:
    assert read({"title": ""})[0]["shapes"] == []


def test_shapes_with_their_paint_and_position() -> None:
    at = [2, 3, 4, 5]
    (slide,) = read({"shapes": [{"kind": "ellipse", "at": at, "fill": "FF0000", "text": "x"}]})
    (shape,) = slide["shapes"]
    assert (shape["kind"], shape["fill"], shape["line"]) == ("ellipse", "FF0000", None)
    assert [round(length, 2) for length in shape["at"]] == at


def test_runs_of_one_formatting_are_one() -> None:
    runs = ["a", "b", {"text": "c", "bold": True}]
    (slide,) = read({"shapes": [{"kind": "text", "at": [1, 1, 5, 1],
                                 "paragraphs": [{"runs": runs}]}]})  # fmt: skip
    (paragraph,) = slide["shapes"][0]["text"]
    assert [run["text"] for run in paragraph["runs"]] == ["ab", "c"]
    assert paragraph["runs"][1]["formatting"]["bold"] is True


def test_hidden_slides_and_backgrounds() -> None:
    first, second = read({"title": "a", "hidden": True}, {"title": "b", "background": "FFEE00"})
    assert (first["hidden"], second["hidden"]) == (True, False)
    assert second["background"] == "FFEE00"
