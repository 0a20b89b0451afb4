"""The secrets of a session's task: puts values into what is typed, and takes them out of all that
is seen.

Guarantees: what `redact` returns holds no value as it stands, in other capitals, in a URL, in HTML
or JSON, nor the start of one where the page's text was cut; a value is revealed for the sites of
its secret only; the next task knows nothing of it. A page that knows a value can still spell it
backwards or draw it: a secret's sites are trusted with it.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from envs.contract.secret import PLACEHOLDER, Secret, placeholder

SHORTEST_CUT = 3
"""Characters of a value, before the mark of a cut, that count as its beginning."""
_CUT = "…"
_DROPPED = re.compile(r"(^| )[#=\[|]+")
"""What the walker leaves out of names, so that they can be told from the rest of a line."""


class SecretRefused(Exception):
    """The secret is not typed; the message, for the agent, says why."""


class SecretBook:
    """Of one session. `lend` before the reset of the task that they are for."""

    def __init__(self) -> None:
        self._lent: Mapping[str, Secret] = {}
        self._secrets: Mapping[str, Secret] = {}
        self._names: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def lend(self, secrets: Mapping[str, Secret]) -> None:
        """For the next task, and no other."""
        self._lent = dict(secrets)

    def begin(self) -> None:
        """A task begins: with what was lent for it, without what the last one had."""
        self._secrets, self._lent = self._lent, {}
        self._names = {
            spelling: name
            for name, secret in self._secrets.items()
            for spelling in _list_spellings(secret.value.get_secret_value())
        }
        self._pattern = _make_pattern(self._names) if self._names else None

    @property
    def spellings(self) -> list[str]:
        """In small letters: what pictures must not show."""
        return [spelling.lower() for spelling in self._names]

    def reveal(self, text: str, origin: str) -> str:
        """The text with values in place of their names, for a page of this origin. Raises
        SecretRefused."""

        def find_value(match: re.Match[str]) -> str:
            secret = self._secrets.get(match[1])
            if secret is None:
                names = ", ".join(self._secrets) or "none"
                raise SecretRefused(f"this task has no secret {match[1]}; it has: {names}")
            if not secret.is_for(origin):
                raise SecretRefused(f"the secret {match[1]} is not for {origin[:120]}")
            return secret.value.get_secret_value()

        return PLACEHOLDER.sub(find_value, text)

    def redact(self, value: Any) -> Any:
        """JSON, or a text, with names in place of values; keys of objects as well."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self._pattern.sub(self._name_of, value)
        if isinstance(value, Mapping):
            return {self.redact(key): self.redact(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.redact(entry) for entry in value)
        return value

    def _name_of(self, match: re.Match[str]) -> str:
        # What ignoring case makes equal is more than what equal small letters do: with none of
        # these it is the first name, which gives away nothing.
        matched = match[0].lower()
        names = (
            name for spelling, name in self._names.items() if spelling.lower().startswith(matched)
        )
        return placeholder(next(names, next(iter(self._names.values()))))


def has_secret(text: str) -> bool:
    """Whether a text names a secret."""
    return PLACEHOLDER.search(text) is not None


def _list_spellings(value: str) -> set[str]:
    """The value as it may stand in texts and addresses."""
    plain = {value, _DROPPED.sub(r"\1", value).strip() or value}
    encoded = {
        encode(text)
        for text in plain
        for encode in (quote, quote_plus, html.escape, lambda text: json.dumps(text)[1:-1])
    }
    return plain | encoded | {quote(value, safe="")}


def _make_pattern(spellings: Mapping[str, str]) -> re.Pattern[str]:
    """Whole spellings, the longest first, then beginnings before the mark of a cut."""
    longest_first = sorted(spellings, key=len, reverse=True)
    wholes = "|".join(re.escape(spelling) for spelling in longest_first)
    starts = sorted(
        {
            spelling[:length]
            for spelling in spellings
            for length in range(SHORTEST_CUT, len(spelling))
        },
        key=len,
        reverse=True,
    )
    cuts = "|".join(re.escape(start) for start in starts)
    return re.compile(f"(?:{wholes})|(?:{cuts})(?={_CUT})", re.IGNORECASE)
