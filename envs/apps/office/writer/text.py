"""Writer tools that read, find and change text."""

from __future__ import annotations

from typing import Any

from envs.apps.office.documents import path_of
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.writer.ranges import (
    Where,
    advance,
    each_paragraph,
    find_matches,
    insertion_cursor,
    no_match_message,
    paragraphs_of,
    select_paragraphs,
    select_ranges,
    to_paragraph_breaks,
)
from envs.apps.office.writer.styles import resolve_style

SHORT = 80
"""Characters of a paragraph that `writer.info` shows."""

tools = ToolGroup("writer")


@tools.tool("writer.info")
def info(doc: Any, first: int = 1, count: int = 50) -> dict[str, Any]:
    """Describes the document: file, counts, tables, and `count` paragraphs from number `first` on.

    Each paragraph has its number, style and the beginning of its text.
    """
    shown: list[dict[str, Any]] = []
    for number, cursor in enumerate(each_paragraph(doc.Text), start=1):
        if number >= first + count:
            break
        if number >= first:
            text = cursor.getString()
            shown.append(
                {
                    "paragraph": number,
                    "style": cursor.ParaStyleName,
                    "text": text if len(text) <= SHORT else f"{text[:SHORT]}…",
                }
            )
    return {
        "path": path_of(doc),
        "pages": doc.getCurrentController().PageCount,
        "words": doc.WordCount,
        "tables": list(doc.getTextTables().getElementNames()),
        "paragraphs": shown,
        "more": number >= first + count,
    }


@tools.tool("writer.read")
def read(doc: Any, paragraph: int | None = None, last_paragraph: int | None = None) -> str:
    """Gives the whole text of paragraphs `paragraph` to `last_paragraph`, or of the document."""
    text: str = select_paragraphs(doc, paragraph, last_paragraph).getString()
    return text


@tools.tool("writer.word_count")
def word_count(doc: Any) -> dict[str, int]:
    """Counts words, characters, paragraphs and pages."""
    return {
        "words": doc.WordCount,
        "characters": doc.CharacterCount,
        "paragraphs": doc.ParagraphCount,
        "pages": doc.getCurrentController().PageCount,
    }


@tools.tool("writer.find")
def find(doc: Any, pattern: str, match_case: bool = True, limit: int = 50) -> dict[str, Any]:
    """Finds all matches of a regular expression, with their paragraph (null inside tables)."""
    ranges = find_matches(doc, pattern, match_case)
    shown = ranges[:limit]
    return {
        "count": len(ranges),
        "matches": [
            {"paragraph": number, "text": match.getString()}
            for number, match in zip(paragraphs_of(doc, shown), shown, strict=True)
        ],
    }


@tools.tool("writer.find_replace")
def find_replace(
    doc: Any,
    find: str,
    replace: str,
    regex: bool = False,
    match_case: bool = True,
    whole_words: bool = False,
) -> int:
    """Replaces every occurrence of `find` in the document; gives how many there were.

    With `regex`, $1 in `replace` is the first group and & the whole match.
    """
    if not find:
        raise OfficeError("bad_value", "find is empty")
    descriptor = doc.createReplaceDescriptor()
    descriptor.SearchRegularExpression = regex
    descriptor.SearchCaseSensitive = match_case
    descriptor.SearchWords = whole_words
    descriptor.SearchString = find
    descriptor.ReplaceString = replace
    replaced: int = doc.replaceAll(descriptor)
    if not replaced:
        raise OfficeError(
            "not_found", no_match_message(find) if regex else f"{find!r} is not in the document"
        )
    return replaced


@tools.tool("writer.insert_text")
def insert_text(
    doc: Any,
    text: str,
    where: Where = "end",
    after_paragraph: int | None = None,
    style: str | None = None,
) -> None:
    """Inserts text; a line break in it begins a new paragraph.

    where: at that point of the existing text. after_paragraph: as paragraphs of their own after
    that one instead (0: before the first). style: paragraph style, such as "Heading 1".
    """
    if style is not None:
        style = resolve_style(doc, style)
    cursor = insertion_cursor(doc, where, after_paragraph)
    cursor.getText().insertString(cursor, to_paragraph_breaks(text), True)
    if style is not None:
        cursor.ParaStyleName = style


@tools.tool("writer.replace_paragraph")
def replace_paragraph(doc: Any, paragraph: int, text: str) -> None:
    """Replaces the text of a paragraph, keeping its style."""
    select_paragraphs(doc, paragraph, None).setString(to_paragraph_breaks(text))


@tools.tool("writer.delete_paragraph")
def delete_paragraph(doc: Any, paragraph: int, last_paragraph: int | None = None) -> None:
    """Deletes a paragraph, or those from `paragraph` to `last_paragraph`."""
    select_paragraphs(doc, paragraph, last_paragraph)  # Raises for numbers that do not exist.
    cursor = doc.Text.createTextCursor()
    cursor.gotoStart(False)
    advance(cursor, 1, paragraph, False)
    paragraphs_to_delete = []
    # All are collected first: disposing of one renumbers those after it.
    for _ in range(paragraph, (last_paragraph or paragraph) + 1):
        paragraphs_to_delete.append(cursor.TextParagraph)
        cursor.gotoNextParagraph(False)
    for paragraph_to_delete in paragraphs_to_delete:
        paragraph_to_delete.dispose()


@tools.tool("writer.select")
def select(
    doc: Any,
    pattern: str | None = None,
    paragraph: int | None = None,
    last_paragraph: int | None = None,
) -> str:
    """Selects the first match of a pattern, or whole paragraphs, in the window; gives the text.

    The cursor that other tools insert at is then at the end of it.
    """
    target = select_ranges(doc, pattern, paragraph, last_paragraph)[0]
    doc.getCurrentController().select(target)
    text: str = target.getString()
    return text
