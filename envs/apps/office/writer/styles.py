"""Writer tools on named styles and on the default font."""

from __future__ import annotations

import difflib
from typing import Any

from envs.apps.office.characters import character_properties, require_properties, set_properties
from envs.apps.office.documents import Office
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.settings import configure
from envs.apps.office.writer.ranges import select_paragraphs

FAMILY = "ParagraphStyles"

PROGRAMMATIC_NAMES = {
    "Default Paragraph Style": "Standard",
    "Default": "Standard",
    "Normal": "Standard",
    "Body Text": "Text body",
}
"""Programmatic names of styles that LibreOffice or Word show under another one."""

DEFAULT_FONTS = "/org.openoffice.Office.Writer/DefaultFont"

tools = ToolGroup("writer")


def resolve_style(doc: Any, style: str) -> str:
    """The programmatic name of a style. Raises OfficeError(not_found), naming similar ones."""
    styles = doc.StyleFamilies.getByName(FAMILY)
    for name in (style, PROGRAMMATIC_NAMES.get(style, style)):
        if styles.hasByName(name):
            return name
    names = styles.getElementNames()
    similar = difflib.get_close_matches(style, names, cutoff=0.4) or sorted(names)[:20]
    raise OfficeError(
        "not_found", f"there is no paragraph style {style!r}; similar: {', '.join(similar)}"
    )


@tools.tool("writer.apply_style")
def apply_style(doc: Any, style: str, paragraph: int, last_paragraph: int | None = None) -> None:
    """Gives paragraphs a style: "Heading 1", "Title", "Subtitle", "Quotations", "Standard"..."""
    select_paragraphs(doc, paragraph, last_paragraph).ParaStyleName = resolve_style(doc, style)


@tools.tool("writer.edit_style")
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
    properties = require_properties(
        character_properties(bold=bold, italic=italic, colour=colour, font=font, size=size)
    )
    set_properties(
        doc.StyleFamilies.getByName(FAMILY).getByName(resolve_style(doc, style)), properties
    )


@tools.tool("writer.set_default_font", kind="office")
def set_default_font(office: Office, font: str) -> None:
    """Makes a font the default of the open text document and of those made later.

    As in Tools > Options > LibreOffice Writer > Basic Fonts; LibreOffice reads it when it starts.
    """
    if not font.strip():
        raise OfficeError("bad_value", "a font needs a name")
    configure(DEFAULT_FONTS, {"Standard": font})
    try:
        doc = office.document("writer", None)
    except OfficeError:
        return
    doc.StyleFamilies.getByName(FAMILY).getByName("Standard").CharFontName = font
