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

from envs.verify.makers.presentations import presentation_bytes
from envs.verify.metrics.alike import alike
from envs.verify.metrics.slide_reader import read_presentation
from envs.verify.registry import metric


@metric
def presentation_is(result: Path, rules: Mapping[str, Any]) -> float:
    """1 when the presentation is what a `presentation` step with these rules makes. `any`: numbers
    of slides (from 1) whose shapes need only have the right kind and text, and may stand and look
    as they like. A file that is no presentation scores 0."""
    from pptx.exc import PackageNotFoundError

    wanted = read_presentation(io.BytesIO(presentation_bytes(rules)))
    try:
        found = read_presentation(str(result))
    except (
        PackageNotFoundError, zipfile.BadZipFile, KeyError, ValueError, SyntaxError, OSError,
        AttributeError,
    ):  # fmt: skip
        return 0.0
    for presentation in (wanted, found):
        _forget_looks(presentation["slides"], rules.get("any", ()))
    return float(alike(found, wanted))


def _forget_looks(slides: list[dict[str, Any]], numbers: Sequence[int]) -> None:
    for number in numbers:
        if number <= len(slides):
            slides[number - 1]["shapes"] = [_bare(one) for one in slides[number - 1]["shapes"]]


def _bare(shape: dict[str, Any]) -> dict[str, Any]:
    bare: dict[str, Any] = {"kind": shape["kind"]}
    if "text" in shape:
        bare["text"] = [_words(one) for one in shape["text"]]
    if "rows" in shape:
        bare["rows"] = [[[_words(one) for one in cell] for cell in row] for row in shape["rows"]]
    if "picture" in shape:
        bare["picture"] = shape["picture"]
    return bare


def _words(paragraph: dict[str, Any]) -> str:
    return "".join(run["text"] for run in paragraph["runs"])
