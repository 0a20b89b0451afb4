"""Where in a text document: paragraphs by number, matches of a pattern, places to insert at.

Paragraphs are those of the body, counted from 1; what stands in tables is not among them. Patterns
are ICU regular expressions, matched inside one paragraph each, in tables, headers and notes too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from envs.office.registry import OfficeError

Where = Literal["start", "end", "cursor"]

PARAGRAPH_BREAK = 0


def each_paragraph(text: Any) -> Iterator[Any]:
    """One cursor, moved over the paragraphs of a text; each time it selects one."""
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    while True:
        cursor.gotoEndOfParagraph(True)
        yield cursor
        if not cursor.gotoNextParagraph(False):
            return


def numbered(doc: Any, first: int | None, last: int | None) -> Iterator[tuple[int | None, Any]]:
    """Paragraphs as `each_paragraph` selects them; with no `first` those in tables too (None)."""
    span(doc, first, last)
    for number, cursor in enumerate(each_paragraph(doc.Text), start=1):
        if first is None or first <= number <= (last or first):
            yield number, cursor
    if first is None:
        for cell in cells(doc, *doc.getTextTables().getElementNames()):
            for cursor in each_paragraph(cell):
                yield None, cursor


def cells(doc: Any, *tables: str) -> Iterator[Any]:
    for name in tables:
        table = doc.getTextTables().getByName(name)
        for cell in table.getCellNames():
            yield table.getCellByName(cell)


def elements(container: Any) -> Iterator[Any]:
    """Of a text its paragraphs and tables, of a paragraph its portions."""
    found = container.createEnumeration()
    while found.hasMoreElements():
        yield found.nextElement()


def span(doc: Any, first: int | None, last: int | None) -> Any:
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


def advance(cursor: Any, here: int, to: int, select: bool) -> None:
    for number in range(here, to):
        if not cursor.gotoNextParagraph(select):
            raise OfficeError("not_found", f"there is no paragraph {to}; the document has {number}")


def matches(doc: Any, pattern: str, match_case: bool = True) -> list[Any]:
    """Ranges that match, in the order of the document, none of them empty."""
    search = doc.createSearchDescriptor()
    search.SearchRegularExpression = True
    search.SearchCaseSensitive = match_case
    search.SearchString = pattern
    found = doc.findAll(search)
    return [found.getByIndex(index) for index in range(found.getCount())]


def chosen(doc: Any, pattern: str | None, first: int | None, last: int | None) -> list[Any]:
    """What a formatting call means: the matches in those paragraphs, or the paragraphs whole.

    Raises OfficeError(not_found) when that is nothing.
    """
    if pattern is None:
        return [span(doc, first, last), *([] if first else leading_cells(doc))]
    found = matches(doc, pattern)
    if first is not None:
        inside = span(doc, first, last)
        found = [match for match in found if contains(doc, inside, match)]
    if not found:
        raise OfficeError("not_found", nothing_matches(pattern))
    return found


def leading_cells(doc: Any) -> list[Any]:
    """Texts of the tables before the first paragraph, where no cursor over the body begins."""
    found = []
    for element in elements(doc.Text):
        if not element.supportsService("com.sun.star.text.TextTable"):
            break
        found += [cell.createTextCursor() for cell in cells(doc, element.Name)]
    for cursor in found:
        cursor.gotoEnd(True)
    return found


def nothing_matches(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        return f"nothing matches {pattern!r}; as a regular expression it is wrong: {error}"
    return f"nothing matches {pattern!r}"


def cursor_over(one: Any) -> Any:
    """A match as a cursor, which can do more than the range that a search gives."""
    cursor = one.getText().createTextCursorByRange(one.getStart())
    cursor.gotoRange(one.getEnd(), True)
    return cursor


def contains(doc: Any, outer: Any, inner: Any) -> bool:
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
    for one in ranges:
        if one.getText() != body:
            numbers.append(None)
            continue
        while body.compareRegionStarts(cursor, one.getStart()) > 0:
            if not cursor.gotoNextParagraph(False):
                break
            cursor.gotoEndOfParagraph(False)
            number += 1
        numbers.append(number)
    return numbers


def place(doc: Any, where: Where, after_paragraph: int | None) -> Any:
    """A cursor to insert at; after a paragraph, or before all (0), in a new empty one."""
    if after_paragraph is not None:
        return new_paragraph(doc, after_paragraph)
    if where == "cursor":
        view = view_cursor(doc)
        return view.getText().createTextCursorByRange(view.getEnd())
    body = doc.Text
    return body.createTextCursorByRange(body.getStart() if where == "start" else body.getEnd())


def new_paragraph(doc: Any, after: int) -> Any:
    """As the Enter key makes one: what follows a heading is no heading."""
    body = doc.Text
    cursor = span(doc, max(after, 1), None)
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


def paragraph_breaks(text: str) -> str:
    """Text as `insertString` wants it: a carriage return ends a paragraph."""
    return text.replace("\r\n", "\r").replace("\n", "\r")
