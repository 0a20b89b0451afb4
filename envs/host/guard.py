"""Who may call a host.

A box is told the SHA-256 of its token only, where that can be arranged: whatever an agent reads in
there, it is not the token. Where a host was given the token itself, its process is made unreadable
to the other programs of its user (not dumpable), environment and memory included.

Boxes that are replicas of one service are all told the same. They get a public key instead: the
token of each is a signature of its own address, which no other box admits, so that a box that was
taken over learns nothing that opens another.
"""

from __future__ import annotations

import base64
import binascii
import ctypes
import hashlib
import hmac
import os
from typing import TYPE_CHECKING

from envs.io.settings import EnvSettings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_PR_SET_DUMPABLE = 4
TOKEN, DIGEST = "DESKHAND_HOST_TOKEN", "DESKHAND_HOST_TOKEN_SHA256"
PUBLIC_KEY = "DESKHAND_HOST_PUBLIC_KEY"
_SIGNED = "deskhand env host at {}"


def digest_of(token: str) -> str:
    """What a box is told of its token; tokens are random and long, so it says nothing."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_for(root: str, url: str) -> str:
    """The token of the host at this URL, where each has its own: who learns it cannot compute
    another's, nor the root."""
    return hmac.new(root.encode(), url.encode(), hashlib.sha256).hexdigest()


def sign_token(signing_key: str, address: str) -> str:
    """The token of the host at this address ("10.0.0.5:8200"), by an Ed25519 key in PEM. Raises
    ValueError for what is no such key."""
    # Hosts of one machine, and all but replicas, do without.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    key = load_pem_private_key(signing_key.encode(), None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError("the signing key of env hosts is not an Ed25519 key")
    return base64.urlsafe_b64encode(key.sign(_SIGNED.format(address).encode())).decode()


class Guard:
    """Admits the token of `digest`, or those that the owner of `public_key` signed for the address
    of this host; without either everybody."""

    def __init__(self, digest: str | None, public_key: str | None = None) -> None:
        self._digest = digest
        self._public_key: Ed25519PublicKey | None = None
        if public_key is not None:
            self._public_key = _read_public_key(public_key)

    @classmethod
    def of_token(cls, token: str | None) -> Guard:
        """A guard that admits this token."""
        return cls(digest_of(token) if token else None)

    @property
    def open(self) -> bool:
        """A guard that admits everybody."""
        return self._digest is None and self._public_key is None

    def admits(self, authorization: str, server: tuple[str, int | None] | None = None) -> bool:
        """`authorization`: the header's value, "Bearer TOKEN"; `server`: address and port of this
        host that the request came to."""
        if self.open:
            return True
        token = authorization.removeprefix("Bearer ")
        if self._digest is not None:
            return hmac.compare_digest(digest_of(token), self._digest)
        from cryptography.exceptions import InvalidSignature

        assert self._public_key is not None
        if server is None:
            return False
        signed = _SIGNED.format(f"{server[0]}:{server[1]}").encode()
        try:
            self._public_key.verify(base64.b64decode(token, b"-_", validate=True), signed)
        except (InvalidSignature, binascii.Error, ValueError):
            return False
        return True


def _read_public_key(text: str) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key = load_pem_public_key(text.encode())
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError(f"{PUBLIC_KEY} is not an Ed25519 key")
    return key


def make_guard(settings: EnvSettings) -> Guard:
    """A guard for DESKHAND_HOST_TOKEN_SHA256, DESKHAND_HOST_TOKEN or DESKHAND_HOST_PUBLIC_KEY, the
    first that is set. Raises ValueError for a text that is not a key."""
    if settings.host_token_sha256:
        return Guard(settings.host_token_sha256.lower())
    if settings.host_token:
        return Guard.of_token(settings.host_token)
    return Guard(None, settings.host_public_key or None)


def hide_this_process() -> None:
    """Other processes of this user cannot read its memory, environment or open files any more."""
    if ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0) != 0:
        raise OSError(f"process {os.getpid()} cannot be hidden from others of its user")
