"""Writer tools that read, find and change text."""

from __future__ import annotations

from typing import Any

from envs.office.documents import path_of
from envs.office.registry import OfficeError, office_tool
from envs.office.writer_ranges import (
    Where,
    advance,
    chosen,
    each_paragraph,
    matches,
    nothing_matches,
    paragraph_breaks,
    paragraphs_of,
    place,
    span,
)
from envs.office.writer_styles import style_name

SHORT = 80
"""Characters of a paragraph that `writer.info` shows."""


@office_tool("writer.info", "writer")
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


@office_tool("writer.read", "writer")
def read(doc: Any, paragraph: int | None = None, last_paragraph: int | None = None) -> str:
    """Gives the whole text of paragraphs `paragraph` to `last_paragraph`, or of the document."""
    text: str = span(doc, paragraph, last_paragraph).getString()
    return text


@office_tool("writer.word_count", "writer")
def word_count(doc: Any) -> dict[str, int]:
    """Counts words, characters, paragraphs and pages."""
    return {
        "words": doc.WordCount,
        "characters": doc.CharacterCount,
        "paragraphs": doc.ParagraphCount,
        "pages": doc.getCurrentController().PageCount,
    }


@office_tool("writer.find", "writer")
def find(doc: Any, pattern: str, match_case: bool = True, limit: int = 50) -> dict[str, Any]:
    """Finds all matches of a regular expression, with their paragraph (null inside tables)."""
    found = matches(doc, pattern, match_case)
    shown = found[:limit]
    return {
        "count": len(found),
        "matches": [
            {"paragraph": number, "text": match.getString()}
            for number, match in zip(paragraphs_of(doc, shown), shown, strict=True)
        ],
    }


@office_tool("writer.find_replace", "writer")
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
            "not_found", nothing_matches(find) if regex else f"{find!r} is not in the document"
        )
    return replaced


@office_tool("writer.insert_text", "writer")
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
        style = style_name(doc, style)
    cursor = place(doc, where, after_paragraph)
    cursor.getText().insertString(cursor, paragraph_breaks(text), True)
    if style is not None:
        cursor.ParaStyleName = style


@office_tool("writer.replace_paragraph", "writer")
def replace_paragraph(doc: Any, paragraph: int, text: str) -> None:
    """Replaces the text of a paragraph, keeping its style."""
    span(doc, paragraph, None).setString(paragraph_breaks(text))


@office_tool("writer.delete_paragraph", "writer")
def delete_paragraph(doc: Any, paragraph: int, last_paragraph: int | None = None) -> None:
    """Deletes a paragraph, or those from `paragraph` to `last_paragraph`."""
    span(doc, paragraph, last_paragraph)
    cursor = doc.Text.createTextCursor()
    cursor.gotoStart(False)
    advance(cursor, 1, paragraph, False)
    doomed = []
    for _ in range(paragraph, (last_paragraph or paragraph) + 1):
        doomed.append(cursor.TextParagraph)
        cursor.gotoNextParagraph(False)
    for one in doomed:
        one.dispose()


@office_tool("writer.select", "writer")
def select(
    doc: Any,
    pattern: str | None = None,
    paragraph: int | None = None,
    last_paragraph: int | None = None,
) -> str:
    """Selects the first match of a pattern, or whole paragraphs, in the window; gives the text.

    The cursor that other tools insert at is then at the end of it.
    """
    target = chosen(doc, pattern, paragraph, last_paragraph)[0]
    doc.getCurrentController().select(target)
    text: str = target.getString()
    return text
