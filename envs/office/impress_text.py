"""Impress tools that write and format text."""

from __future__ import annotations

import re
from typing import Any, Literal

from envs.office.characters import (
    Script,
    character_properties,
    colour_number,
    hundredth_mm,
    points,
    required,
    set_properties,
)
from envs.office.documents import property_value
from envs.office.impress_shapes import (
    chosen_texts,
    compiled,
    label,
    matching,
    page_at,
    shape_called,
    table_model,
    whole,
)
from envs.office.layout import ADJUST, Alignment, spacing
from envs.office.registry import OfficeError, office_tool

ANCHORS = {"top": "TOP", "middle": "CENTER", "bottom": "BOTTOM"}

NUMBERING = {"bullet": 6, "number": 4, "none": 5}
"""com.sun.star.style.NumberingType: CHAR_SPECIAL, ARABIC, NUMBER_NONE."""


@office_tool("impress.set_text", "impress")
def set_text(doc: Any, slide: int, shape: int | str, text: str) -> None:
    """Replaces the text of a shape (number, name, or kind such as "title"); each line a paragraph.

    Tabs at the beginning of a line make it an item of a deeper level.
    """
    target = shape_called(page_at(doc, slide), shape)
    if not hasattr(target, "createTextCursor"):
        raise OfficeError("bad_value", f"{label(target)} holds no text")
    lines = text.split("\n")
    target.setString("\n".join(line.lstrip("\t") for line in lines))
    for index, line in enumerate(lines):
        if line.startswith("\t"):
            paragraphs(target, index + 1, None)[0].NumberingLevel = len(line) - len(
                line.lstrip("\t")
            )


@office_tool("impress.set_table_cell", "impress")
def set_table_cell(
    doc: Any, slide: int, row: int, column: int, text: str, shape: int | str = "table"
) -> None:
    """Sets the text of a cell; rows and columns are counted from 1."""
    model = table_model(shape_called(page_at(doc, slide), shape))
    rows, columns = model.RowCount, model.ColumnCount
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise OfficeError("not_found", f"the table has {rows} rows and {columns} columns")
    model.getCellByPosition(column - 1, row - 1).setString(text)


@office_tool("impress.find_replace", "impress")
def find_replace(
    doc: Any,
    find: str,
    replace: str,
    slide: int | None = None,
    match_case: bool = True,
) -> int:
    """Replaces a text wherever it stands, on a slide or on all; gives how often it did."""
    if not find:
        raise OfficeError("bad_value", "find is empty")
    pattern = compiled(re.escape(find), match_case)
    replaced = 0
    for text in chosen_texts(doc, slide, None):
        for cursor in matching(text, pattern):
            cursor.setString(replace)
            replaced += 1
    if not replaced:
        raise OfficeError("not_found", f"{find!r} is not there")
    return replaced


@office_tool("impress.format", "impress")
def format_text(
    doc: Any,
    slide: int | None = None,
    shape: int | str | None = None,
    pattern: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    strikethrough: bool | None = None,
    colour: str | None = None,
    highlight: str | None = None,
    font: str | None = None,
    size: float | None = None,
    script: Script | None = None,
) -> int:
    """Formats the text of a shape, of all shapes of a slide, or (neither given) of all slides.

    pattern: only what this regular expression matches. colour, highlight: a name or #RRGGBB.
    size: in points. Gives the number of places formatted.
    """
    wanted = character_properties(
        bold=bold,
        italic=italic,
        underline=underline,
        strikethrough=strikethrough,
        colour=colour,
        font=font,
        size=size,
        script=script,
    )
    if highlight is not None:
        wanted["CharBackColor"] = colour_number(highlight)
    required(wanted)
    places = chosen_texts(doc, slide, shape)
    if pattern is None:
        places = [whole(text) for text in places]
    else:
        expression = compiled(pattern)
        places = [one for text in places for one in matching(text, expression)]
        if not places:
            raise OfficeError("not_found", f"nothing matches {pattern!r}")
    for one in places:
        set_properties(one, wanted, one.getString())
    return len(places)


@office_tool("impress.paragraph_format", "impress")
def paragraph_format(
    doc: Any,
    slide: int,
    shape: int | str,
    paragraph: int | None = None,
    last_paragraph: int | None = None,
    alignment: Alignment | None = None,
    vertical: Literal["top", "middle", "bottom"] | None = None,
    line_spacing: float | None = None,
    space_before_pt: float | None = None,
    space_after_pt: float | None = None,
    left_indent_cm: float | None = None,
    marker: Literal["bullet", "number", "none"] | None = None,
    level: int | None = None,
) -> None:
    """Lays out a shape's paragraphs, or those from `paragraph` to `last_paragraph`.

    vertical: where the text stands in the shape. line_spacing: 1 single, 2 double. marker: list
    marks. level: depth in the list, from 1.
    """
    import uno

    target = shape_called(page_at(doc, slide), shape)
    wanted: dict[str, Any] = {}
    if alignment is not None:
        wanted["ParaAdjust"] = ADJUST[alignment]
    if line_spacing is not None:
        wanted["ParaLineSpacing"] = spacing(line_spacing)
    if space_before_pt is not None:
        wanted["ParaTopMargin"] = points(space_before_pt)
    if space_after_pt is not None:
        wanted["ParaBottomMargin"] = points(space_after_pt)
    if left_indent_cm is not None:
        wanted["ParaLeftMargin"] = hundredth_mm(left_indent_cm)
    if level is not None:
        if not 1 <= level <= 9:
            raise OfficeError("bad_value", f"a list has levels 1 to 9, not {level}")
        wanted["NumberingLevel"] = level - 1
    if vertical is None and marker is None:
        required(wanted)
    for one in paragraphs(target, paragraph, last_paragraph):
        for name, value in wanted.items():
            setattr(one, name, value)
        if marker is not None:
            set_marker(one, marker)
    if vertical is not None:
        target.TextVerticalAdjust = uno.Enum(
            "com.sun.star.drawing.TextVerticalAdjust", ANCHORS[vertical]
        )


def paragraphs(shape: Any, first: int | None, last: int | None) -> list[Any]:
    """Raises OfficeError(not_found), naming how many the shape has."""
    if not hasattr(shape, "createEnumeration"):
        raise OfficeError("bad_value", f"{label(shape)} holds no text")
    found = shape.createEnumeration()
    every = []
    while found.hasMoreElements():
        every.append(found.nextElement())
    if first is None:
        return every
    until = first if last is None else last
    if not 1 <= first <= until <= len(every):
        raise OfficeError("not_found", f"the shape has paragraphs 1 to {len(every)}")
    return every[first - 1 : until]


def set_marker(paragraph: Any, marker: str) -> None:
    level = max(paragraph.NumberingLevel or 0, 0)
    paragraph.NumberingLevel = level
    rules = paragraph.NumberingRules
    entries = [property_value("NumberingType", NUMBERING[marker])]
    if marker == "bullet":
        entries.append(property_value("BulletChar", "•"))
    if marker == "number":
        entries.append(property_value("Suffix", "."))
    if marker != "none":
        entries += [property_value("LeftMargin", 800 * (level + 1))]
        entries += [property_value("FirstLineOffset", -800)]
    replace_rule(rules, level, entries)
    paragraph.NumberingRules = rules


def replace_rule(rules: Any, level: int, entries: list[Any]) -> None:
    import uno

    uno.invoke(
        rules,
        "replaceByIndex",
        (level, uno.Any("[]com.sun.star.beans.PropertyValue", tuple(entries))),
    )
