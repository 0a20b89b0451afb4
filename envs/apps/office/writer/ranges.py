"""Ranges of a text document: paragraphs by number, matches of a pattern, places to insert at.

Paragraphs are those of the body, counted from 1, without those in tables. Patterns are ICU regular
expressions, which match within one paragraph each, in tables, headers and notes too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from envs.apps.office.registry import OfficeError

Where = Literal["start", "end", "cursor"]

PARAGRAPH_BREAK = 0
"""com.sun.star.text.ControlCharacter."""


def each_paragraph(text: Any) -> Iterator[Any]:
    """One and the same cursor, which selects one paragraph of the text after the other."""
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    while True:
        cursor.gotoEndOfParagraph(True)
        yield cursor
        if not cursor.gotoNextParagraph(False):
            return


def numbered_paragraphs(
    doc: Any, first: int | None, last: int | None
) -> Iterator[tuple[int | None, Any]]:
    """Numbers and cursors of paragraphs; without `first` also those in tables, with number None."""
    select_paragraphs(doc, first, last)  # Raises for numbers that do not exist.
    for number, cursor in enumerate(each_paragraph(doc.Text), start=1):
        if first is None or first <= number <= (last or first):
            yield number, cursor
    if first is None:
        for cell in table_cells(doc, *doc.getTextTables().getElementNames()):
            for cursor in each_paragraph(cell):
                yield None, cursor


def table_cells(doc: Any, *tables: str) -> Iterator[Any]:
    """The cells of the named tables."""
    for name in tables:
        table = doc.getTextTables().getByName(name)
        for cell in table.getCellNames():
            yield table.getCellByName(cell)


def elements_of(container: Any) -> Iterator[Any]:
    """The paragraphs and tables of a text; the portions of a paragraph."""
    enumeration = container.createEnumeration()
    while enumeration.hasMoreElements():
        yield enumeration.nextElement()


def select_paragraphs(doc: Any, first: int | None, last: int | None) -> Any:
    """A cursor that selects paragraphs `first` to `last`, one without `last`, all without either.

    Raises OfficeError(not_found), naming how many paragraphs there are.
    """
    cursor = doc.Text.createTextCursor()
    cursor.gotoStart(False)
    if first is None:
        if last is not None:
            raise OfficeError("bad_value", "last_paragraph needs paragraph, where it begins")
        cursor.gotoEnd(True)
        return cursor
    if last is not None and last < first:
        raise OfficeError("bad_value", f"last_paragraph {last} is before paragraph {first}")
    if first < 1:
        raise OfficeError("bad_value", "paragraphs are counted from 1")
    advance(cursor, 1, first, False)
    advance(cursor, first, first if last is None else last, True)
    cursor.gotoEndOfParagraph(True)
    return cursor


def advance(cursor: Any, current: int, to: int, select: bool) -> None:
    """Moves a cursor from one paragraph to a later one. Raises OfficeError(not_found)."""
    for number in range(current, to):
        if not cursor.gotoNextParagraph(select):
            raise OfficeError("not_found", f"there is no paragraph {to}; the document has {number}")


def find_matches(doc: Any, pattern: str, match_case: bool = True) -> list[Any]:
    """Ranges that match, in the order of the document, none of them empty."""
    search = doc.createSearchDescriptor()
    search.SearchRegularExpression = True
    search.SearchCaseSensitive = match_case
    search.SearchString = pattern
    results = doc.findAll(search)
    return [results.getByIndex(index) for index in range(results.getCount())]


def select_ranges(doc: Any, pattern: str | None, first: int | None, last: int | None) -> list[Any]:
    """The ranges that a formatting call means: matches in those paragraphs, or whole paragraphs.

    Raises OfficeError(not_found) when there are none.
    """
    if pattern is None:
        return [select_paragraphs(doc, first, last), *([] if first else leading_cells(doc))]
    ranges = find_matches(doc, pattern)
    if first is not None:
        inside = select_paragraphs(doc, first, last)
        ranges = [match for match in ranges if contains(doc, inside, match)]
    if not ranges:
        raise OfficeError("not_found", no_match_message(pattern))
    return ranges


def leading_cells(doc: Any) -> list[Any]:
    """Cursors over the tables before the first paragraph, which no cursor of the body reaches."""
    cursors = []
    for element in elements_of(doc.Text):
        if not element.supportsService("com.sun.star.text.TextTable"):
            break
        cursors += [cell.createTextCursor() for cell in table_cells(doc, element.Name)]
    for cursor in cursors:
        cursor.gotoEnd(True)
    return cursors


def no_match_message(pattern: str) -> str:
    """The message for a pattern without a match, with its error if it has one."""
    try:
        re.compile(pattern)
    except re.error as error:
        return f"nothing matches {pattern!r}; as a regular expression it is wrong: {error}"
    return f"nothing matches {pattern!r}"


def cursor_over(text_range: Any) -> Any:
    """A cursor over a match, which can do more than the range that a search returns."""
    cursor = text_range.getText().createTextCursorByRange(text_range.getStart())
    cursor.gotoRange(text_range.getEnd(), True)
    return cursor


def contains(doc: Any, outer: Any, inner: Any) -> bool:
    """Whether a range lies inside another one of the body."""
    body = doc.Text
    return bool(
        inner.getText() == body
        and body.compareRegionStarts(outer, inner) >= 0
        and body.compareRegionEnds(outer, inner) <= 0
    )


def paragraphs_of(doc: Any, ranges: list[Any]) -> list[int | None]:
    """Paragraph number of each range, given in the order of the document; None off the body."""
    body = doc.Text
    cursor = body.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEndOfParagraph(False)
    number = 1
    numbers: list[int | None] = []
    for text_range in ranges:
        if text_range.getText() != body:
            numbers.append(None)
            continue
        while body.compareRegionStarts(cursor, text_range.getStart()) > 0:
            if not cursor.gotoNextParagraph(False):
                break
            cursor.gotoEndOfParagraph(False)
            number += 1
        numbers.append(number)
    return numbers


def insertion_cursor(doc: Any, where: Where, after_paragraph: int | None) -> Any:
    """A cursor to insert at; with `after_paragraph` (0: before all) in a new empty paragraph."""
    if after_paragraph is not None:
        return insert_paragraph(doc, after_paragraph)
    if where == "cursor":
        view = view_cursor(doc)
        return view.getText().createTextCursorByRange(view.getEnd())
    body = doc.Text
    return body.createTextCursorByRange(body.getStart() if where == "start" else body.getEnd())


def insert_paragraph(doc: Any, after: int) -> Any:
    """A cursor in a new paragraph, with the style that the Enter key would give it."""
    body = doc.Text
    cursor = select_paragraphs(doc, max(after, 1), None)
    if after < 1:
        cursor.collapseToStart()
        body.insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
        cursor.gotoPreviousParagraph(False)
        return cursor
    styles = doc.StyleFamilies.getByName("ParagraphStyles")
    follow = styles.getByName(cursor.ParaStyleName).FollowStyle
    cursor.collapseToEnd()
    body.insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
    if cursor.ParaStyleName != follow:
        cursor.ParaStyleName = follow
    return cursor


def view_cursor(doc: Any) -> Any:
    """The cursor that the user sees."""
    return doc.getCurrentController().getViewCursor()


def to_paragraph_breaks(text: str) -> str:
    """Text as `insertString` wants it: a carriage return ends a paragraph."""
    return text.replace("\r\n", "\r").replace("\n", "\r")
