"""Writer tools on pages: size, margins, columns, headers, footers, page numbers.

They change every page style that the document uses.
"""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.layout import ADJUST
from envs.apps.office.lengths import from_cm, to_cm
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum
from envs.apps.office.writer.ranges import PARAGRAPH_BREAK, each_paragraph

Side = Literal["header", "footer"]

PAPER_CM = {
    "A3": (29.7, 42.0),
    "A4": (21.0, 29.7),
    "A5": (14.8, 21.0),
    "Letter": (21.59, 27.94),
    "Legal": (21.59, 35.56),
}

ARABIC = 4
"""com.sun.star.style.NumberingType."""

tools = ToolGroup("writer")


@tools.tool("writer.page_setup")
def page_setup(
    doc: Any,
    orientation: Literal["portrait", "landscape"] | None = None,
    paper: Literal["A3", "A4", "A5", "Letter", "Legal"] | None = None,
    top_cm: float | None = None,
    bottom_cm: float | None = None,
    left_cm: float | None = None,
    right_cm: float | None = None,
    columns: int | None = None,
) -> dict[str, Any]:
    """Sets paper, orientation, margins and text columns; gives what holds then."""
    margins = {
        "TopMargin": top_cm,
        "BottomMargin": bottom_cm,
        "LeftMargin": left_cm,
        "RightMargin": right_cm,
    }
    for name, margin in margins.items():
        if margin is not None and margin < 0:
            raise OfficeError("bad_value", f"{name} cannot be {margin} cm")
    if columns is not None and not 1 <= columns <= 20:
        raise OfficeError("bad_value", f"a page has 1 to 20 columns, not {columns}")
    for style in page_styles(doc):
        set_paper(style, paper, orientation)
        for name, margin in margins.items():
            if margin is not None:
                style.setPropertyValue(name, from_cm(margin))
        if columns is not None:
            layout = style.TextColumns
            layout.setColumnCount(columns)
            style.TextColumns = layout
    return describe_page(page_styles(doc)[0])


@tools.tool("writer.header_footer")
def header_footer(
    doc: Any,
    part: Side,
    text: str | None = None,
    alignment: Literal["left", "center", "right"] = "left",
) -> None:
    """Sets the text of the header or footer of all pages; without text, removes it."""
    for style in page_styles(doc):
        if text is None:
            style.setPropertyValue(f"{part.capitalize()}IsOn", False)
            continue
        cursor = header_footer_cursor(style, part)
        cursor.gotoEnd(True)
        cursor.setString(text)
        cursor.ParaAdjust = ADJUST[alignment]


@tools.tool("writer.page_numbers")
def page_numbers(
    doc: Any,
    part: Side = "footer",
    alignment: Literal["left", "center", "right"] = "center",
    form: str = "{page}",
) -> None:
    """Numbers the pages, in a paragraph of the header or footer.

    form: {page} and {pages} stand for the numbers, as in "Page {page} of {pages}".
    """
    if "{page}" not in form:
        raise OfficeError("bad_value", "form must contain {page}")
    for style in page_styles(doc):
        cursor = header_footer_cursor(style, part)
        text = cursor.getText()
        cursor.gotoEnd(False)
        if text.getString():
            text.insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
        insert_numbering(doc, text, cursor, form)
        cursor.ParaAdjust = ADJUST[alignment]


def page_styles(doc: Any) -> list[Any]:
    """The page styles in use, in the order of their first pages."""
    styles = doc.StyleFamilies.getByName("PageStyles")
    used: dict[str, None] = {}
    for cursor in each_paragraph(doc.Text):
        used[cursor.PageStyleName] = None
    return [styles.getByName(name) for name in used if name]


def header_footer_cursor(style: Any, part: Side) -> Any:
    """A cursor at the beginning of the header or footer, which is switched on if it was not."""
    name = part.capitalize()
    if not style.getPropertyValue(f"{name}IsOn"):
        style.setPropertyValue(f"{name}IsOn", True)
    return style.getPropertyValue(f"{name}Text").createTextCursor()


def insert_numbering(doc: Any, text: Any, cursor: Any, form: str) -> None:
    """Writes `form` at a cursor, with fields for {page} and {pages}."""
    before, _, after = form.partition("{page}")
    for words, field in ((before, "PageNumber"), (after, None)):
        for index, piece in enumerate(words.split("{pages}")):
            if index:
                text.insertTextContent(cursor, number_field(doc, "PageCount"), False)
            text.insertString(cursor, piece, False)
        if field:
            text.insertTextContent(cursor, number_field(doc, field), False)


def number_field(doc: Any, kind: str) -> Any:
    """A new field that shows a number."""
    field = doc.createInstance(f"com.sun.star.text.textfield.{kind}")
    field.NumberingType = ARABIC
    if kind == "PageNumber":
        field.SubType = enum("text.PageNumberType", "CURRENT")
    return field


def set_paper(style: Any, paper: str | None, orientation: str | None) -> None:
    """Sets size and orientation of a page style; None keeps what it has."""
    width, height = style.Width, style.Height
    landscape = style.IsLandscape if orientation is None else orientation == "landscape"
    if paper is not None:
        width, height = (from_cm(length) for length in PAPER_CM[paper])
    short, long = sorted((width, height))
    style.IsLandscape = landscape
    style.Width, style.Height = (long, short) if landscape else (short, long)


def describe_page(style: Any) -> dict[str, Any]:
    """Orientation, size, margins and columns of a page style."""
    return {
        "orientation": "landscape" if style.IsLandscape else "portrait",
        "width_cm": to_cm(style.Width),
        "height_cm": to_cm(style.Height),
        "margins_cm": {
            "top": to_cm(style.TopMargin),
            "bottom": to_cm(style.BottomMargin),
            "left": to_cm(style.LeftMargin),
            "right": to_cm(style.RightMargin),
        },
        "columns": style.TextColumns.getColumnCount(),
    }
