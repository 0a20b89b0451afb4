"""Writer tools that format characters: by pattern, by paragraph, or the whole document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envs.apps.office.characters import (
    AUTOMATIC,
    Script,
    character_properties,
    colour_number,
    colour_text,
    require_properties,
    set_properties,
)
from envs.apps.office.registry import ToolGroup
from envs.apps.office.writer.ranges import elements_of, numbered_paragraphs, select_ranges

HIGHLIGHTS = ("CharBackColor", "CharHighlight")
"""Word's highlighting and the character background, which look the same."""

tools = ToolGroup("writer")


@tools.tool("writer.format")
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
        properties["CharHighlight"] = properties["CharBackColor"] = colour_number(highlight)
    require_properties(properties)
    places = select_ranges(doc, pattern, paragraph, last_paragraph)
    for target in places:
        set_properties(target, properties, target.getString())
    return len(places)


@tools.tool("writer.find_highlighted")
def find_highlighted(doc: Any, colour: str | None = None) -> list[dict[str, Any]]:
    """Lists highlighted text, of one colour if given, with its paragraph (null in tables)."""
    return [
        {"paragraph": number, "text": portion.getString(), "colour": colour_text(background)}
        for number, portion, background in highlighted_portions(doc, colour, None, None)
    ]


@tools.tool("writer.clear_highlight")
def clear_highlight(
    doc: Any,
    colour: str | None = None,
    paragraph: int | None = None,
    last_paragraph: int | None = None,
) -> int:
    """Removes highlighting in the document or some paragraphs, of one colour or of all.

    Gives the number of places that lost it.
    """
    portions = list(highlighted_portions(doc, colour, paragraph, last_paragraph))
    for _, portion, _ in portions:
        for name in HIGHLIGHTS:
            portion.setPropertyValue(name, AUTOMATIC)
    return len(portions)


def highlighted_portions(
    doc: Any, colour: str | None, first: int | None, last: int | None
) -> Iterator[tuple[int | None, Any, int]]:
    """Paragraph number (None in tables), portion and colour of all highlighted text."""
    wanted_colour = None if colour is None else colour_number(colour)
    for number, cursor in numbered_paragraphs(doc, first, last):
        if set(cursor.getPropertyValues(HIGHLIGHTS)) == {AUTOMATIC}:
            continue
        for portion in elements_of(cursor.TextParagraph):
            background = background_of(portion)
            if background != AUTOMATIC and wanted_colour in (None, background):
                yield number, portion, background


def background_of(portion: Any) -> int:
    """The colour behind a portion of text, AUTOMATIC for none."""
    numbers = [portion.getPropertyValue(name) for name in HIGHLIGHTS]
    return next((number for number in numbers if number not in (None, AUTOMATIC)), AUTOMATIC)
