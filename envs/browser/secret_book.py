"""The secrets of a session's task: puts values into what is typed, and takes them out of all that
is seen.

Guarantees: what `redact` returns holds no value as it stands, in other capitals, in groups, or in
any mixture of the spellings of `secret_spellings.py`; of a text that was cut it holds nothing that
may be the start of one, and never tells whether it was; a value is revealed for the sites of its
secret only; the next task knows nothing of it. Whoever guesses a whole value sees that it is one. A
page that knows a value can still spell it backwards or draw it: a secret's sites are trusted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from envs.browser.secret_spellings import list_spellings, make_pattern
from envs.contract.secret import CUT, PLACEHOLDER, Secret, placeholder

SHORTEST_CUT = 28
"""Characters that the walker leaves before its mark of a cut, at least. Before a mark in a shorter
line nothing was cut: it is the page's own."""


class SecretRefused(Exception):
    """The secret is not typed; the message, for the agent, says why."""


class SecretBook:
    """Of one session. `lend` before the reset of the task that they are for."""

    def __init__(self) -> None:
        self._lent: Mapping[str, Secret] = {}
        self._secrets: Mapping[str, Secret] = {}
        self._names: tuple[str, ...] = ()
        self._pattern: re.Pattern[str] | None = None
        self._longest = 0

    def lend(self, secrets: Mapping[str, Secret]) -> None:
        """For the next task, and no other."""
        self._lent = dict(secrets)

    def begin(self) -> None:
        """A task begins: with what was lent for it, without what the last one had."""
        self._secrets, self._lent = self._lent, {}
        # The longest first: one value may begin with another.
        secrets = sorted(self._secrets.items(), key=lambda entry: -len(_value_of(entry[1])))
        self._names = tuple(name for name, _ in secrets)
        self._pattern, self._longest = None, 0
        if secrets:
            patterns = [make_pattern(_value_of(secret)) for _, secret in secrets]
            joined = "|".join(f"(?P<s{place}>{pattern})" for place, pattern in enumerate(patterns))
            self._pattern = re.compile(joined, re.IGNORECASE)
            # Also of one in groups, with a blank after each character.
            lengths = [2 * len(_value_of(secret)) for _, secret in secrets]
            self._longest = max(*lengths, *map(len, self.spellings))

    @property
    def holds_any(self) -> bool:
        """Whether the task of now has a secret."""
        return bool(self._secrets)

    @property
    def spellings(self) -> list[str]:
        """In small letters: what pictures and copies must not show."""
        return sorted(
            {
                spelling.lower()
                for secret in self._secrets.values()
                for spelling in list_spellings(_value_of(secret))
            }
        )

    def is_in(self, data: bytes) -> bool:
        """Whether a file shows a value: in any spelling, as UTF-8 or UTF-16, and not packed."""
        if self._pattern is None:
            return False
        texts = (
            data.decode(encoding, "ignore") for encoding in ("utf-8", "utf-16-le", "utf-16-be")
        )
        return any(self._pattern.search(text) for text in texts)

    def values_in(self, text: str) -> list[str]:
        """Of the secrets that a text names."""
        names = PLACEHOLDER.findall(text)
        return [_value_of(self._secrets[name]) for name in names if name in self._secrets]

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
            return _value_of(secret)

        return PLACEHOLDER.sub(find_value, text)

    def redact(self, value: Any) -> Any:
        """JSON, or a text, with names in place of values; keys of objects as well."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self._redact_text(value)
        if isinstance(value, Mapping):
            return {self.redact(key): self.redact(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.redact(entry) for entry in value)
        return value

    def _redact_text(self, text: str) -> str:
        assert self._pattern is not None
        *cut, last = text.split(CUT)
        parts = []
        for part in cut:
            redacted = self._pattern.sub(self._name_of, part)
            if len(part) - (part.rfind("\n") + 1) >= SHORTEST_CUT:
                # Whatever stands there: to leave out what begins like a value, and nothing else,
                # would tell an agent, guess by guess, what it begins with.
                line = redacted.rfind("\n") + 1
                redacted = redacted[: max(line, len(redacted) - self._longest + 1)]
            parts.append(redacted)
        return CUT.join([*parts, self._pattern.sub(self._name_of, last)])

    def _name_of(self, match: re.Match[str]) -> str:
        assert match.lastgroup is not None
        return placeholder(self._names[int(match.lastgroup[1:])])


def _value_of(secret: Secret) -> str:
    return secret.value.get_secret_value()


def has_secret(text: str) -> bool:
    """Whether a text names a secret."""
    return PLACEHOLDER.search(text) is not None
