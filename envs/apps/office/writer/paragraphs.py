"""Writer tools that lay out paragraphs: alignment, spacing, indents, tab stops, lists, breaks."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.characters import require_properties
from envs.apps.office.layout import ADJUST, Alignment, exact_spacing, proportional_spacing
from envs.apps.office.lengths import from_cm, from_points
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum, struct
from envs.apps.office.writer.ranges import (
    PARAGRAPH_BREAK,
    insertion_cursor,
    select_paragraphs,
    select_ranges,
)

TabAlignment = Literal["left", "center", "right", "decimal"]

LIST_STYLES = {"bullet": "List 1", "number": "Numbering 123", "none": ""}

tools = ToolGroup("writer")


@tools.tool("writer.paragraph_format")
def paragraph_format(
    doc: Any,
    paragraph: int | None = None,
    last_paragraph: int | None = None,
    pattern: str | None = None,
    alignment: Alignment | None = None,
    line_spacing: float | None = None,
    line_height_pt: float | None = None,
    space_before_pt: float | None = None,
    space_after_pt: float | None = None,
    left_indent_cm: float | None = None,
    right_indent_cm: float | None = None,
    first_line_indent_cm: float | None = None,
    tab_stops_cm: list[float] | None = None,
    tab_alignment: TabAlignment = "left",
) -> None:
    """Lays out some paragraphs, those that a pattern matches in, or without either all of them.

    line_spacing: 1 single, 1.5, 2 double. line_height_pt: an exact height instead.
    """
    properties: dict[str, Any] = {}
    if alignment is not None:
        properties["ParaAdjust"] = ADJUST[alignment]
    if line_spacing is not None:
        properties["ParaLineSpacing"] = proportional_spacing(line_spacing)
    if line_height_pt is not None:
        properties["ParaLineSpacing"] = exact_spacing(line_height_pt)
    lengths = {
        "ParaTopMargin": (from_points, space_before_pt),
        "ParaBottomMargin": (from_points, space_after_pt),
        "ParaLeftMargin": (from_cm, left_indent_cm),
        "ParaRightMargin": (from_cm, right_indent_cm),
        "ParaFirstLineIndent": (from_cm, first_line_indent_cm),
    }
    for name, (convert, length) in lengths.items():
        if length is not None:
            properties[name] = convert(length)
    if tab_stops_cm is not None:
        properties["ParaTabStops"] = tab_stops(tab_stops_cm, tab_alignment)
    require_properties(properties)
    for target in select_ranges(doc, pattern, paragraph, last_paragraph):
        for name, value in properties.items():
            setattr(target, name, value)


@tools.tool("writer.list")
def make_list(
    doc: Any,
    kind: Literal["bullet", "number", "none"],
    paragraph: int,
    last_paragraph: int | None = None,
    level: int = 1,
) -> None:
    """Makes paragraphs items of a bulleted or numbered list, or (none) plain again.

    level: 1 is the outermost.
    """
    if not 1 <= level <= 10:
        raise OfficeError("bad_value", f"a list has levels 1 to 10, not {level}")
    items = select_paragraphs(doc, paragraph, last_paragraph)
    items.NumberingStyleName = LIST_STYLES[kind]
    if kind == "none":
        return
    items.NumberingLevel = level - 1
    if kind == "number" and level == 1:
        select_paragraphs(doc, paragraph, None).ParaIsNumberingRestart = True


@tools.tool("writer.page_break")
def page_break(doc: Any, before_paragraph: int | None = None) -> None:
    """Begins a new page before a paragraph; without one, at the cursor."""
    if before_paragraph is None:
        cursor = insertion_cursor(doc, "cursor", None)
        cursor.getText().insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
    else:
        cursor = select_paragraphs(doc, before_paragraph, None)
    cursor.BreakType = enum("style.BreakType", "PAGE_BEFORE")


def tab_stops(positions_cm: list[float], alignment: TabAlignment) -> Any:
    """UNO's tab stops at these positions."""
    align = enum("style.TabAlign", alignment.upper())
    return tuple(
        struct("style.TabStop", Position=from_cm(position), Alignment=align)
        for position in sorted(positions_cm)
    )
