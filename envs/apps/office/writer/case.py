"""The Writer tool that changes the case of letters, leaving their formatting alone.

A text never changes its length: a letter whose other case is longer ("ß") stays as it is. So every
portion of equal formatting is replaced by one of the same length.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from envs.apps.office.registry import ToolGroup
from envs.apps.office.writer.ranges import elements_of, numbered_paragraphs

Case = Literal["upper", "lower", "title", "sentence"]

FIRST_LETTER_OF_WORD = re.compile(r"(?<![\w'’])[^\W\d_]")
FIRST_LETTER = re.compile(r"[^\W\d_]")

tools = ToolGroup("writer")


@tools.tool("writer.change_case")
def change_case(
    doc: Any, case: Case, paragraph: int | None = None, last_paragraph: int | None = None
) -> int:
    """Changes the case of letters in some paragraphs, or everywhere, tables included.

    title: every word begins with a capital, its other letters stay; sentence: only the first
    letter of each paragraph is a capital. Gives the number of paragraphs that changed.
    """
    change = CASES[case]
    changed = 0
    for _, cursor in numbered_paragraphs(doc, paragraph, last_paragraph):
        text = cursor.getString()
        if change(text) != text:
            rewrite(cursor.TextParagraph, change)
            changed += 1
    return changed


def same_length(change: Callable[[str], str], text: str) -> str:
    """The changed text, in which a letter that would become several stays."""
    return "".join(new if len(new := change(letter)) == 1 else letter for letter in text)


def upper(text: str) -> str:
    """All letters as capitals."""
    return same_length(str.upper, text)


def lower(text: str) -> str:
    """No capitals."""
    return same_length(str.lower, text)


def title(text: str) -> str:
    """The first letter of each word as a capital."""
    return FIRST_LETTER_OF_WORD.sub(lambda match: upper(match[0]), text)


def sentence(text: str) -> str:
    """Only the first letter as a capital."""
    return FIRST_LETTER.sub(lambda match: upper(match[0]), lower(text), count=1)


CASES: dict[Case, Callable[[str], str]] = {
    "upper": upper,
    "lower": lower,
    "title": title,
    "sentence": sentence,
}


def rewrite(paragraph: Any, change: Callable[[str], str]) -> None:
    """Sets each portion of plain text to its part of the changed paragraph."""
    portions = [portion for portion in elements_of(paragraph) if portion.TextPortionType == "Text"]
    texts = [portion.getString() for portion in portions]
    changed = change("".join(texts))
    begin = 0
    for portion, text in zip(portions, texts, strict=True):
        new = changed[begin : begin + len(text)]
        begin += len(text)
        if new != text:
            replace(portion, new)


def replace(portion: Any, new: str) -> None:
    """Replaces a portion's text.

    It is written behind the old first letter, so that it takes the formatting of the old text.
    """
    text = portion.getText()
    cursor = text.createTextCursorByRange(portion.getStart())
    cursor.goRight(1, False)
    text.insertString(cursor, new, False)
    cursor.gotoRange(portion.getEnd(), True)
    cursor.setString("")
    cursor.gotoRange(portion.getStart(), False)
    cursor.goRight(1, True)
    cursor.setString("")
