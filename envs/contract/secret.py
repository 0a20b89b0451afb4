"""Secrets of a task: named to the agent, typed by the host, and never shown to anyone.

An agent writes `{secret:NAME}` where it would type the value. The value itself travels from the
worker to the host that types it, and is in no task, action, observation or record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, field_validator

from envs.contract.domains import DOMAIN, MAX_ENTRIES, MAX_LENGTH, is_address, is_url_allowed
from envs.contract.page_url import SITE_URL

NAME = r"[a-z][a-z0-9_]{0,63}"
PLACEHOLDER = re.compile(rf"\{{secret:({NAME})\}}")
CUT = "…"
"""The mark of a text that was cut."""
MAX_SECRETS = 20
"""Of one task."""
MIN_VALUE, MAX_VALUE = 4, 128
"""Characters. A shorter value would be found all over a page."""
SecretName = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]


class Secret(BaseModel):
    """A value, and the sites whose fields it may be typed into."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    value: SecretStr
    allow: tuple[str, ...] = Field(
        min_length=1,
        max_length=MAX_ENTRIES,
        description="domains, each with those below it, or sites of this machine by their address "
        "(http://127.0.0.1:3000)",
    )

    @field_validator("value")
    @classmethod
    def _check_value(cls, value: SecretStr) -> SecretStr:
        text = value.get_secret_value()
        if not MIN_VALUE <= len(text) <= MAX_VALUE:
            raise ValueError(f"a secret has {MIN_VALUE} to {MAX_VALUE} characters")
        if not text.isprintable() or text != " ".join(text.split()):
            raise ValueError("a secret is one line, with single blanks inside only")
        if PLACEHOLDER.search(text):
            raise ValueError("a secret names no other secret")
        if CUT in text:
            raise ValueError(f"a secret has no {CUT} inside: texts that were cut end in it")
        return value

    @field_validator("allow")
    @classmethod
    def _check_sites(cls, allow: tuple[str, ...]) -> tuple[str, ...]:
        for entry in allow:
            is_domain = len(entry) <= MAX_LENGTH and re.fullmatch(DOMAIN[1:-1], entry)
            if not is_domain and not (re.fullmatch(SITE_URL, entry) and is_address(entry)):
                raise ValueError(f"{entry[:80]!r} is neither a domain nor http://ADDRESS:PORT")
        return allow

    def is_for(self, origin: str) -> bool:
        """Whether it may be typed into pages of this origin (`https://shop.example`)."""
        sites = {entry.rstrip("/").lower() for entry in self.allow if "://" in entry}
        domains = [entry for entry in self.allow if "://" not in entry]
        return origin.lower() in sites or is_url_allowed(origin, domains)


def placeholder(name: str) -> str:
    """What an agent types, and sees, in place of the value."""
    return f"{{secret:{name}}}"


def describe_secrets(names: Iterable[str]) -> str:
    """What an agent is told."""
    texts = ", ".join(placeholder(name) for name in names)
    return (
        f"You may use these secrets without seeing them: {texts}. Type such a text, braces "
        "included, into a field: its value is typed in its place. Pages show you the text, too."
    )
