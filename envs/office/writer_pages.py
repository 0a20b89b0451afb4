"""Writer tools on pages: size, margins, columns, headers, footers, page numbers.

They change every page style that the document uses.
"""

from __future__ import annotations

from typing import Any, Literal

from envs.office.characters import centimetres, hundredth_mm
from envs.office.layout import ADJUST
from envs.office.registry import OfficeError, office_tool
from envs.office.writer_ranges import each_paragraph

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


@office_tool("writer.page_setup", "writer")
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
                style.setPropertyValue(name, hundredth_mm(margin))
        if columns is not None:
            layout = style.TextColumns
            layout.setColumnCount(columns)
            style.TextColumns = layout
    return description(page_styles(doc)[0])


@office_tool("writer.header_footer", "writer")
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
        cursor = margin_text(style, part)
        cursor.gotoEnd(True)
        cursor.setString(text)
        cursor.ParaAdjust = ADJUST[alignment]


@office_tool("writer.page_numbers", "writer")
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
        cursor = margin_text(style, part)
        text = cursor.getText()
        cursor.gotoEnd(False)
        if text.getString():
            text.insertControlCharacter(cursor, 0, False)
        insert_form(doc, text, cursor, form)
        cursor.ParaAdjust = ADJUST[alignment]


def page_styles(doc: Any) -> list[Any]:
    """Of the pages there are, in their order."""
    styles = doc.StyleFamilies.getByName("PageStyles")
    used: dict[str, None] = {}
    for cursor in each_paragraph(doc.Text):
        used[cursor.PageStyleName] = None
    return [styles.getByName(name) for name in used if name]


def margin_text(style: Any, part: Side) -> Any:
    """A cursor at the beginning of the header or footer, which is switched on."""
    name = part.capitalize()
    if not style.getPropertyValue(f"{name}IsOn"):
        style.setPropertyValue(f"{name}IsOn", True)
    return style.getPropertyValue(f"{name}Text").createTextCursor()


def insert_form(doc: Any, text: Any, cursor: Any, form: str) -> None:
    before, _, after = form.partition("{page}")
    for words, field in ((before, "PageNumber"), (after, None)):
        for index, piece in enumerate(words.split("{pages}")):
            if index:
                text.insertTextContent(cursor, number_field(doc, "PageCount"), False)
            text.insertString(cursor, piece, False)
        if field:
            text.insertTextContent(cursor, number_field(doc, field), False)


def number_field(doc: Any, kind: str) -> Any:
    import uno

    field = doc.createInstance(f"com.sun.star.text.textfield.{kind}")
    field.NumberingType = ARABIC
    if kind == "PageNumber":
        field.SubType = uno.Enum("com.sun.star.text.PageNumberType", "CURRENT")
    return field


def set_paper(style: Any, paper: str | None, orientation: str | None) -> None:
    width, height = style.Width, style.Height
    landscape = style.IsLandscape if orientation is None else orientation == "landscape"
    if paper is not None:
        width, height = (hundredth_mm(length) for length in PAPER_CM[paper])
    short, long = sorted((width, height))
    style.IsLandscape = landscape
    style.Width, style.Height = (long, short) if landscape else (short, long)


def description(style: Any) -> dict[str, Any]:
    return {
        "orientation": "landscape" if style.IsLandscape else "portrait",
        "width_cm": centimetres(style.Width),
        "height_cm": centimetres(style.Height),
        "margins_cm": {
            "top": centimetres(style.TopMargin),
            "bottom": centimetres(style.BottomMargin),
            "left": centimetres(style.LeftMargin),
            "right": centimetres(style.RightMargin),
        },
        "columns": style.TextColumns.getColumnCount(),
    }
