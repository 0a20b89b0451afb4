"""What a saved presentation holds, as python-pptx reads it."""

from __future__ import annotations

from typing import Any

import pptx

Call = Any


def saved_presentation(call: Call) -> Any:
    """Saves the open presentation and reads its file."""
    return pptx.Presentation(call("impress.save"))


def saved_slide(call: Call, number: int = 2) -> Any:
    """Saves the open presentation and reads one slide, counted from 1."""
    return saved_presentation(call).slides[number - 1]


def text_runs(shape: Any) -> list[Any]:
    """Runs of equal formatting of all paragraphs of a shape."""
    return [run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]
