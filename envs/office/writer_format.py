"""Writer tools that format characters: by pattern, by paragraph, or the whole document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envs.office.characters import (
    AUTOMATIC,
    Script,
    character_properties,
    colour_number,
    colour_text,
    required,
    set_properties,
)
from envs.office.registry import office_tool
from envs.office.writer_ranges import chosen, elements, numbered

HIGHLIGHTS = ("CharBackColor", "CharHighlight")
"""Word's highlighting and the character background; to the eye both are the same."""


@office_tool("writer.format", "writer")
def format_text(
    doc: Any,
    pattern: str | None = None,
    paragraph: int | None = None,
    last_paragraph: int | None = None,
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
    """Formats the matches of a regular expression, or whole paragraphs, or the whole document.

    With both `pattern` and `paragraph`, only matches in those paragraphs. colour, highlight: a name
    or #RRGGBB, "none" removes it. size: in points. Gives the number of places formatted.
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
        wanted["CharHighlight"] = wanted["CharBackColor"] = colour_number(highlight)
    required(wanted)
    places = chosen(doc, pattern, paragraph, last_paragraph)
    for one in places:
        set_properties(one, wanted, one.getString())
    return len(places)


@office_tool("writer.find_highlighted", "writer")
def find_highlighted(doc: Any, colour: str | None = None) -> list[dict[str, Any]]:
    """Lists highlighted text, of one colour if given, with its paragraph (null in tables)."""
    return [
        {"paragraph": number, "text": portion.getString(), "colour": colour_text(background)}
        for number, portion, background in highlighted(doc, colour, None, None)
    ]


@office_tool("writer.clear_highlight", "writer")
def clear_highlight(
    doc: Any,
    colour: str | None = None,
    paragraph: int | None = None,
    last_paragraph: int | None = None,
) -> int:
    """Removes highlighting in the document or some paragraphs, of one colour or of all.

    Gives the number of places that lost it.
    """
    found = list(highlighted(doc, colour, paragraph, last_paragraph))
    for _, portion, _ in found:
        for name in HIGHLIGHTS:
            portion.setPropertyValue(name, AUTOMATIC)
    return len(found)


def highlighted(
    doc: Any, colour: str | None, first: int | None, last: int | None
) -> Iterator[tuple[int | None, Any, int]]:
    """Paragraph number, portion and colour of what is highlighted."""
    wanted = None if colour is None else colour_number(colour)
    for number, cursor in numbered(doc, first, last):
        if set(cursor.getPropertyValues(HIGHLIGHTS)) == {AUTOMATIC}:
            continue
        for portion in elements(cursor.TextParagraph):
            background = background_of(portion)
            if background != AUTOMATIC and wanted in (None, background):
                yield number, portion, background


def background_of(portion: Any) -> int:
    numbers = [portion.getPropertyValue(name) for name in HIGHLIGHTS]
    return next((number for number in numbers if number not in (None, AUTOMATIC)), AUTOMATIC)
