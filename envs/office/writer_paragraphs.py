"""Writer tools that lay out paragraphs: alignment, spacing, indents, tab stops, lists, breaks."""

from __future__ import annotations

from typing import Any, Literal

from envs.office.characters import hundredth_mm, points, required
from envs.office.layout import ADJUST, Alignment, exact_spacing, spacing, struct
from envs.office.registry import OfficeError, office_tool
from envs.office.writer_ranges import PARAGRAPH_BREAK, chosen, place, span

TabAlignment = Literal["left", "center", "right", "decimal"]

LIST_STYLES = {"bullet": "List 1", "number": "Numbering 123", "none": ""}


@office_tool("writer.paragraph_format", "writer")
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
    wanted: dict[str, Any] = {}
    if alignment is not None:
        wanted["ParaAdjust"] = ADJUST[alignment]
    if line_spacing is not None:
        wanted["ParaLineSpacing"] = spacing(line_spacing)
    if line_height_pt is not None:
        wanted["ParaLineSpacing"] = exact_spacing(line_height_pt)
    lengths = {
        "ParaTopMargin": space_before_pt and points(space_before_pt),
        "ParaBottomMargin": space_after_pt and points(space_after_pt),
        "ParaLeftMargin": left_indent_cm and hundredth_mm(left_indent_cm),
        "ParaRightMargin": right_indent_cm and hundredth_mm(right_indent_cm),
        "ParaFirstLineIndent": first_line_indent_cm and hundredth_mm(first_line_indent_cm),
    }
    wanted |= {name: int(length) for name, length in lengths.items() if length is not None}
    if tab_stops_cm is not None:
        wanted["ParaTabStops"] = tab_stops(tab_stops_cm, tab_alignment)
    required(wanted)
    for one in chosen(doc, pattern, paragraph, last_paragraph):
        for name, value in wanted.items():
            setattr(one, name, value)


@office_tool("writer.list", "writer")
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
    items = span(doc, paragraph, last_paragraph)
    items.NumberingStyleName = LIST_STYLES[kind]
    if kind == "none":
        return
    items.NumberingLevel = level - 1
    if kind == "number" and level == 1:
        span(doc, paragraph, None).ParaIsNumberingRestart = True


@office_tool("writer.page_break", "writer")
def page_break(doc: Any, before_paragraph: int | None = None) -> None:
    """Begins a new page before a paragraph; without one, at the cursor."""
    import uno

    if before_paragraph is None:
        cursor = place(doc, "cursor", None)
        cursor.getText().insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
    else:
        cursor = span(doc, before_paragraph, None)
    cursor.BreakType = uno.Enum("com.sun.star.style.BreakType", "PAGE_BEFORE")


def tab_stops(positions_cm: list[float], alignment: TabAlignment) -> Any:
    import uno

    align = uno.Enum("com.sun.star.style.TabAlign", alignment.upper())
    return tuple(
        struct("com.sun.star.style.TabStop", Position=hundredth_mm(one), Alignment=align)
        for one in sorted(positions_cm)
    )
