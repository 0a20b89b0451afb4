"""How rows of an application's database become a state that two databases can be compared by."""

from __future__ import annotations

from collections.abc import Iterable


def fold_text(text: str) -> str:
    """A text without blanks at the ends of its lines, and blank lines at its end."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def name_uniquely(names: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Names by number; one that is there already gets a number of its own."""
    made: dict[int, str] = {}
    taken: set[str] = set()
    for key, name in names:
        text, count = name, 1
        while text in taken:
            count += 1
            text = f"{name} ({count})"
        taken.add(text)
        made[key] = text
    return made
