"""Writer tools on named styles, the default font among them."""

from __future__ import annotations

import difflib
from typing import Any

from envs.office.characters import character_properties, required, set_properties
from envs.office.documents import Office
from envs.office.registry import OfficeError, office_tool
from envs.office.settings import configure
from envs.office.writer_ranges import span

FAMILY = "ParagraphStyles"

SHOWN_AS = {
    "Default Paragraph Style": "Standard",
    "Default": "Standard",
    "Normal": "Standard",
    "Body Text": "Text body",
}
"""Names that the interface shows (LibreOffice's, Word's), where they are not the style's own."""

DEFAULT_FONTS = "/org.openoffice.Office.Writer/DefaultFont"


def style_name(doc: Any, style: str) -> str:
    """The style's own name. Raises OfficeError(not_found), naming similar ones."""
    styles = doc.StyleFamilies.getByName(FAMILY)
    for name in (style, SHOWN_AS.get(style, style)):
        if styles.hasByName(name):
            return name
    names = styles.getElementNames()
    similar = difflib.get_close_matches(style, names, cutoff=0.4) or sorted(names)[:20]
    raise OfficeError(
        "not_found", f"there is no paragraph style {style!r}; similar: {', '.join(similar)}"
    )


@office_tool("writer.apply_style", "writer")
def apply_style(doc: Any, style: str, paragraph: int, last_paragraph: int | None = None) -> None:
    """Gives paragraphs a style: "Heading 1", "Title", "Subtitle", "Quotations", "Standard"..."""
    span(doc, paragraph, last_paragraph).ParaStyleName = style_name(doc, style)


@office_tool("writer.edit_style", "writer")
def edit_style(
    doc: Any,
    style: str,
    bold: bool | None = None,
    italic: bool | None = None,
    colour: str | None = None,
    font: str | None = None,
    size: float | None = None,
) -> None:
    """Changes a paragraph style, and so all text that has it. size: in points."""
    wanted = required(
        character_properties(bold=bold, italic=italic, colour=colour, font=font, size=size)
    )
    set_properties(doc.StyleFamilies.getByName(FAMILY).getByName(style_name(doc, style)), wanted)


@office_tool("writer.set_default_font", "office")
def set_default_font(office: Office, font: str) -> None:
    """Makes a font the default of the open text document and of those made later.

    As in Tools > Options > LibreOffice Writer > Basic Fonts; LibreOffice reads it when it starts.
    """
    if not font.strip():
        raise OfficeError("bad_value", "a font needs a name")
    configure(office, DEFAULT_FONTS, {"Standard": font})
    try:
        doc = office.document("writer", None)
    except OfficeError:
        return
    doc.StyleFamilies.getByName(FAMILY).getByName("Standard").CharFontName = font
