"""Presentations and settings that tests make."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


def presentation(path: Path, write: Callable[[Any], object] = lambda made: None) -> Path:
    """Two slides, "A" and "B", each with a title and a body, then what `write` does."""
    made = Presentation()
    for title in ("A", "B"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"Body of {title}"
    write(made)
    made.save(str(path))
    return path


def transition(slide: Any, kind: str) -> None:
    made = etree.SubElement(slide._element, f"{P}transition")
    etree.SubElement(made, f"{P}{kind}")


def show_numbers(made: Any) -> None:
    """Slides show their numbers."""
    for number, slide in enumerate(made.slides, 1):
        holder = next(_number_holders(slide.slide_layout))
        copied = copy.deepcopy(holder._element)
        for text in copied.iter(f"{A}t"):
            text.text = str(number)
        slide.shapes._spTree.append(copied)


def number_color(made: Any, color: str) -> None:
    """In the master's number itself, as LibreOffice does."""
    for holder in _number_holders(made.slide_masters[0]):
        for field in holder._element.iter(f"{A}fld"):
            fill = etree.SubElement(field.find(f"{A}rPr"), f"{A}solidFill")
            etree.SubElement(fill, f"{A}srgbClr").set("val", color)


def _number_holders(slide: Any) -> Any:
    for shape in slide.placeholders:
        if shape.placeholder_format.type == PP_PLACEHOLDER.SLIDE_NUMBER:
            yield shape


def settings(*entries: tuple[str, str, str]) -> bytes:
    """LibreOffice's file of settings: (path, name, value)."""
    items = "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{escape(value)}</value></prop></item>"
        for path, name, value in entries
    )
    return (
        f'<oor:items xmlns:oor="http://openoffice.org/2001/registry">{items}</oor:items>'.encode()
    )
