"""Impress tools that write and format text."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.characters import (
    Script,
    character_properties,
    colour_number,
    require_properties,
    set_properties,
)
from envs.apps.office.impress.shapes import (
    check_pattern,
    find_matches,
    find_shape,
    find_words,
    page_at,
    select_all,
    select_texts,
    shape_label,
    table_model,
)
from envs.apps.office.layout import ADJUST, Alignment, proportional_spacing
from envs.apps.office.lengths import from_cm, from_points
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum, invoke, property_value, property_values

ANCHORS = {"top": "TOP", "middle": "CENTER", "bottom": "BOTTOM"}

INDENT = 800
"""Of one level of a list, in 1/100 mm."""

NUMBERING = {"bullet": 6, "number": 4, "none": 5}
"""com.sun.star.style.NumberingType: CHAR_SPECIAL, ARABIC, NUMBER_NONE."""

tools = ToolGroup("impress")


@tools.tool("impress.set_text")
def set_text(doc: Any, slide: int, shape: int | str, text: str) -> None:
    """Replaces the text of a shape (number, name, or kind such as "title"); each line a paragraph.

    Tabs at the beginning of a line make it an item of a deeper level.
    """
    target = find_shape(page_at(doc, slide), shape)
    if not hasattr(target, "createTextCursor"):
        raise OfficeError("bad_value", f"{shape_label(target)} holds no text")
    lines = text.split("\n")
    target.setString("\n".join(line.lstrip("\t") for line in lines))
    for index, line in enumerate(lines):
        if line.startswith("\t"):
            paragraphs_of(target, index + 1, None)[0].NumberingLevel = len(line) - len(
                line.lstrip("\t")
            )


@tools.tool("impress.set_table_cell")
def set_table_cell(
    doc: Any, slide: int, row: int, column: int, text: str, shape: int | str = "table"
) -> None:
    """Sets the text of a cell; rows and columns are counted from 1."""
    model = table_model(find_shape(page_at(doc, slide), shape))
    rows, columns = model.RowCount, model.ColumnCount
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise OfficeError("not_found", f"the table has {rows} rows and {columns} columns")
    model.getCellByPosition(column - 1, row - 1).setString(text)


@tools.tool("impress.find_replace")
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
    replaced = 0
    for text in select_texts(doc, slide, None):
        for cursor in find_words(text, find, match_case):
            cursor.setString(replace)
            replaced += 1
    if not replaced:
        raise OfficeError("not_found", f"{find!r} is not there")
    return replaced


@tools.tool("impress.format")
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
    properties = character_properties(
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
        properties["CharBackColor"] = colour_number(highlight)
    require_properties(properties)
    places = select_texts(doc, slide, shape)
    if pattern is None:
        places = [select_all(text) for text in places]
    else:
        places = [match_or_text for text in places for match_or_text in find_matches(text, pattern)]
        if not places:
            check_pattern(pattern)
            raise OfficeError("not_found", f"nothing matches {pattern!r}")
    for match_or_text in places:
        set_properties(match_or_text, properties, match_or_text.getString())
    return len(places)


@tools.tool("impress.paragraph_format")
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
    target = find_shape(page_at(doc, slide), shape)
    properties: dict[str, Any] = {}
    if alignment is not None:
        properties["ParaAdjust"] = ADJUST[alignment]
    if line_spacing is not None:
        properties["ParaLineSpacing"] = proportional_spacing(line_spacing)
    if space_before_pt is not None:
        properties["ParaTopMargin"] = from_points(space_before_pt)
    if space_after_pt is not None:
        properties["ParaBottomMargin"] = from_points(space_after_pt)
    if left_indent_cm is not None:
        properties["ParaLeftMargin"] = from_cm(left_indent_cm)
    if level is not None:
        if not 1 <= level <= 9:
            raise OfficeError("bad_value", f"a list has levels 1 to 9, not {level}")
        properties["NumberingLevel"] = level - 1
    if vertical is None and marker is None:
        require_properties(properties)
    for target_paragraph in paragraphs_of(target, paragraph, last_paragraph):
        for name, value in properties.items():
            setattr(target_paragraph, name, value)
        if marker is not None:
            set_marker(target_paragraph, marker)
    if vertical is not None:
        target.TextVerticalAdjust = enum("drawing.TextVerticalAdjust", ANCHORS[vertical])


def paragraphs_of(shape: Any, first: int | None, last: int | None) -> list[Any]:
    """Paragraphs `first` to `last`, all without either. Raises OfficeError(not_found)."""
    if not hasattr(shape, "createEnumeration"):
        raise OfficeError("bad_value", f"{shape_label(shape)} holds no text")
    enumeration = shape.createEnumeration()
    all_paragraphs = []
    while enumeration.hasMoreElements():
        all_paragraphs.append(enumeration.nextElement())
    if first is None:
        return all_paragraphs
    end = first if last is None else last
    if not 1 <= first <= end <= len(all_paragraphs):
        raise OfficeError("not_found", f"the shape has paragraphs 1 to {len(all_paragraphs)}")
    return all_paragraphs[first - 1 : end]


def set_marker(paragraph: Any, marker: str) -> None:
    """Gives a paragraph's list level this mark."""
    level = max(paragraph.NumberingLevel or 0, 0)
    paragraph.NumberingLevel = level
    rules = paragraph.NumberingRules
    entries = [property_value("NumberingType", NUMBERING[marker])]
    if marker == "bullet":
        entries.append(property_value("BulletChar", "•"))
    if marker == "number":
        entries.append(property_value("Suffix", "."))
    if marker != "none":
        entries += [property_value("LeftMargin", INDENT * (level + 1))]
        entries += [property_value("FirstLineOffset", -INDENT)]
    replace_rule(rules, level, entries)
    paragraph.NumberingRules = rules


def replace_rule(rules: Any, level: int, entries: list[Any]) -> None:
    """Replaces the numbering rule of a level."""
    invoke(rules, "replaceByIndex", level, property_values(tuple(entries)))
