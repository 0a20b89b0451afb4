"""Regular expressions of task files, applied to texts that agents produced.

Guarantees: a search takes no longer than `SEARCH_S`.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

SEARCH_S = 5.0
FLAGS = {name: getattr(regex, name) for name in ("A", "I", "L", "M", "S", "U", "X")}


def compile_pattern(pattern: str, flags: Iterable[str] = ()) -> regex.Pattern[str]:
    """`flags`: letters as in `re.I`. Raises ValueError for what is no pattern or no flag."""
    combined = 0
    for name in flags:
        if name not in FLAGS:
            raise ValueError(f"there is no flag {name!r} of regular expressions")
        combined |= FLAGS[name]
    try:
        return regex.compile(pattern, combined)
    except regex.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error


def has_match(pattern: regex.Pattern[str], text: str) -> bool:
    """Whether the text holds it. Raises TimeoutError."""
    return pattern.search(text, timeout=SEARCH_S) is not None
