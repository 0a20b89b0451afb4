"""Who may call a host.

A box is told the SHA-256 of its token only, where that can be arranged: whatever an agent reads in
there, it is not the token. Where a host was given the token itself, its process is made unreadable
to the other programs of its user (not dumpable), environment and memory included.
"""

from __future__ import annotations

import ctypes
import hashlib
import hmac
import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

_PR_SET_DUMPABLE = 4
TOKEN, DIGEST = "DESKHAND_HOST_TOKEN", "DESKHAND_HOST_TOKEN_SHA256"


def digest_of(token: str) -> str:
    """What a box is told of its token; tokens are random and long, so it says nothing."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_for(root: str, url: str) -> str:
    """The token of the host at this URL, where each has its own: who learns it cannot compute
    another's, nor the root."""
    return hmac.new(root.encode(), url.encode(), hashlib.sha256).hexdigest()


class Guard:
    """`digest` None lets everybody in."""

    def __init__(self, digest: str | None) -> None:
        self._digest = digest

    @classmethod
    def of_token(cls, token: str | None) -> Guard:
        """A guard that admits this token."""
        return cls(digest_of(token) if token else None)

    @property
    def open(self) -> bool:
        """A guard that admits everybody."""
        return self._digest is None

    def admits(self, authorization: str) -> bool:
        """`authorization`: the header's value, "Bearer TOKEN"."""
        if self._digest is None:
            return True
        digest = digest_of(authorization.removeprefix("Bearer "))
        return hmac.compare_digest(digest, self._digest)


def guard_from(environment: MutableMapping[str, str]) -> Guard:
    """From DESKHAND_HOST_TOKEN or DESKHAND_HOST_TOKEN_SHA256, or the file that either with _FILE
    names; they are taken out of the environment, which the box's programs inherit."""
    digest = _value(environment, DIGEST)
    token = _value(environment, TOKEN)
    for name in (TOKEN, DIGEST):
        environment.pop(name, None)
        environment.pop(f"{name}_FILE", None)
    return Guard(digest.lower()) if digest else Guard.of_token(token)


def _value(environment: Mapping[str, str], name: str) -> str | None:
    file = environment.get(f"{name}_FILE")
    if file:
        return Path(file).read_text().strip() or None
    return environment.get(name) or None


def hide_this_process() -> None:
    """Other processes of this user cannot read its memory, environment or open files any more."""
    if ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0) != 0:
        raise OSError(f"process {os.getpid()} cannot be hidden from others of its user")
