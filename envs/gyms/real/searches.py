"""What searches in applications of others show: which ones show that something is not there.

Guarantees: a search counts in any capitals, with any blanks and quotation marks. One for the first
words of a name counts as well as one for all of it: whatever has the name has them too.
"""

from __future__ import annotations

from collections.abc import Callable

from envs.gyms.kit.template import TaskStates


def fold_words(words: str) -> str:
    """The normal form of words that were searched for; events have it."""
    return " ".join(words.replace('"', " ").casefold().split())


def search_of(event: str, param: str) -> Callable[[TaskStates], bool]:
    """Milestone: there was a search for just what the param says. `event`: "<app>:<kind>"."""

    def has_searched(states: TaskStates) -> bool:
        return f"{event}:{fold_words(states.params[param])}" in states.after["log"]

    return has_searched


def search_of_start(event: str, param: str) -> Callable[[TaskStates], bool]:
    """Milestone: there was a search for what the param says, or for its first words."""

    def has_searched(states: TaskStates) -> bool:
        words = fold_words(states.params[param]).split()
        starts = (" ".join(words[: count + 1]) for count in range(len(words)))
        return any(f"{event}:{start}" in states.after["log"] for start in starts)

    return has_searched
