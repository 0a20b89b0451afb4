"""Metrics of presentations.

Guarantees: `presentation_is` compares what presentations show (`slide_reader`), so it does not
matter which program wrote the file; anything that the rules do not say must not be there.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.osworld.format.makers.presentations import presentation_bytes
from envs.osworld.outside.metrics.approximate import approximately_equal
from envs.osworld.outside.metrics.slide_reader import read_presentation


def presentation_is(result: Path, rules: Mapping[str, Any]) -> float:
    """1 when the presentation is what a `presentation` step with these rules makes. `any`: numbers
    of slides (from 1) whose shapes need only have the right kind and text, at any position and with
    any formatting. A file that is no presentation scores 0."""
    from pptx.exc import PackageNotFoundError

    expected = read_presentation(io.BytesIO(presentation_bytes(rules)))
    try:
        actual = read_presentation(str(result))
    except (
        PackageNotFoundError,
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        SyntaxError,
        OSError,
        AttributeError,
    ):
        return 0.0
    for presentation in (expected, actual):
        _forget_formatting(presentation["slides"], rules.get("any", ()))
    return float(approximately_equal(actual, expected))


def _forget_formatting(slides: list[dict[str, Any]], numbers: Sequence[int]) -> None:
    for number in numbers:
        if number <= len(slides):
            slides[number - 1]["shapes"] = [_bare(shape) for shape in slides[number - 1]["shapes"]]


def _bare(shape: dict[str, Any]) -> dict[str, Any]:
    bare: dict[str, Any] = {"kind": shape["kind"]}
    if "text" in shape:
        bare["text"] = [_words(paragraph) for paragraph in shape["text"]]
    if "rows" in shape:
        bare["rows"] = [
            [[_words(paragraph) for paragraph in cell] for cell in row] for row in shape["rows"]
        ]
    if "picture" in shape:
        bare["picture"] = shape["picture"]
    return bare


def _words(paragraph: dict[str, Any]) -> str:
    return "".join(run["text"] for run in paragraph["runs"])
