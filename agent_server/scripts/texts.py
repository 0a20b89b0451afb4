"""Texts with parameters: `{name}` stands for a value, `{{` and `}}` for braces.

Guarantees: `fill(insert(text, values), values) == text` for every text and all values; a value is
put in as it is, and what it contains is never read as a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_PARAMETER = re.compile(r"\{\{|\}\}|\{(?P<name>[a-z_][a-z0-9_]*)\}")
MIN_INSIDE = 3
"""Shorter values are found as a whole text only, unless they are in capitals."""
_DIGIT = re.compile(r"\d")


def fill(text: str, values: Mapping[str, str], quote: Callable[[str], str] = str) -> str:
    """The text with its values, each through `quote`. Raises KeyError for one that is not there."""

    def value_of(match: re.Match[str]) -> str:
        name = match["name"]
        return match[0][0] if name is None else quote(values[name])

    return _PARAMETER.sub(value_of, text)


def parameters_in(text: str) -> set[str]:
    """Names that a text asks for."""
    return {match["name"] for match in _PARAMETER.finditer(text) if match["name"] is not None}


def insert(text: str, values: Mapping[str, str]) -> str:
    """The text with parameters in place of their values: the longest first, whole words only."""
    for name, value in values.items():
        if text == value and value:
            return f"{{{name}}}"
    spans = {value: name for name, value in values.items() if _is_word(value)}
    if not spans:
        return escape(text)
    longest_first = sorted(spans, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(value)}(?!\w)" for value in longest_first))
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts += [escape(text[end : match.start()]), f"{{{spans[match[0]]}}}"]
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def _is_word(value: str) -> bool:
    """Whether a value inside a text is likely to be meant: also "XL", but not "4"."""
    return len(value) >= MIN_INSIDE or value.isupper()


def escape(text: str) -> str:
    """A text without parameters, as a text that may have some."""
    return text.replace("{", "{{").replace("}", "}}")


def steady_beginning(text: str) -> str:
    """A text with parameters, up to its first digit outside of them: digits are numbers, dates and
    times of one day. The blank at its end goes."""
    end = len(text)
    for match in _DIGIT.finditer(text):
        inside = any(
            span.start() <= match.start() < span.end() for span in _PARAMETER.finditer(text)
        )
        if not inside:
            end = match.start()
            break
    return text[:end].rstrip(" ,#(-–:") if end < len(text) else text


def is_steady(text: str) -> bool:
    """Whether a text has no digits but those of its parameters."""
    return _DIGIT.search(_PARAMETER.sub("", text)) is None


def shows_value(text: str, value: str) -> bool:
    """Whether a text contains the value as whole words."""
    return bool(value) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
