"""Saved log-in state by name, encrypted: `profiles/<name>.bin` beside the episodes' folder.

Guarantees: what is stored can be read with the operator's key only, which is in no database and in
no file of this folder; a file that was changed, or is of another key, is refused; no error repeats
a value; a name leads to no other place. Encryption is Fernet (AES-128-CBC with HMAC-SHA256).
"""

from __future__ import annotations

import re
import zlib
from datetime import UTC, datetime
from pathlib import Path

import fsspec
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import BaseModel, Field

from agent_server.private_file import PrivateFileError, read_private
from envs.contract.browser_state import BrowserState, Reach

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
MAX_BYTES = 32 * 2**20
"""Of a state as JSON."""


class ProfileError(Exception):
    """A profile cannot be used; the message says why, without a value."""


class NoSuchProfile(ProfileError):
    """There is none of this name."""


class Profile(BaseModel):
    """What is told of a profile: never a value."""

    name: str
    domains: tuple[str, ...] = Field(description="that it holds cookies or localStorage of")
    cookies: int
    saved_at: datetime


class _Stored(BaseModel):
    saved_at: datetime
    state: BrowserState


def make_key() -> str:
    """A new key."""
    return Fernet.generate_key().decode()


def load_keys(path: Path) -> MultiFernet:
    """Of a file with a key on each line: the first encrypts, all decrypt. Raises ProfileError."""
    try:
        lines = read_private(path).split()
        return MultiFernet([Fernet(line) for line in lines])
    except PrivateFileError as error:
        raise ProfileError(str(error)) from None
    except ValueError:
        detail = "no key of `deskhand profiles key` on each line"
        raise ProfileError(f"{path}: {detail}") from None


class Profiles:
    """Under a folder or any fsspec URL. `key_file`: without one there are no profiles."""

    def __init__(self, url: str, key_file: Path | None) -> None:
        self._fs, path = fsspec.core.url_to_fs(url)
        self._base = f"{path.rstrip('/')}/profiles"
        self._key_file = key_file

    def check(self) -> None:
        """Raises ProfileError where profiles cannot be kept."""
        self._keys()

    def save(self, name: str, state: BrowserState) -> Profile:
        """The state under this name, from now on. Raises ProfileError, OSError."""
        keys, path = self._keys(), self._path(name)
        stored = _Stored(saved_at=datetime.now(UTC), state=state)
        sealed = keys.encrypt(zlib.compress(stored.model_dump_json(exclude_none=True).encode()))
        self._fs.makedirs(self._base, exist_ok=True)
        # In its place at once: a reader sees the old state or the new one.
        with self._fs.transaction, self._fs.open(path, "wb") as file:
            file.write(sealed)
        return _describe(name, stored)

    def update(self, name: str, state: BrowserState, reach: Reach) -> Profile:
        """Saves what a task's sites have; all others keep what they had. Raises ProfileError,
        OSError."""
        try:
            before = self.load(name)
        except NoSuchProfile:
            before = BrowserState()
        return self.save(name, before.merge(state, reach))

    def load(self, name: str) -> BrowserState:
        """Raises ProfileError; NoSuchProfile."""
        return self._load(name).state

    def get(self, name: str) -> Profile:
        """What is told of it. Raises ProfileError; NoSuchProfile."""
        return _describe(name, self._load(name))

    def list_names(self) -> list[str]:
        """Also of those that a key of now does not open. Raises ProfileError without a key."""
        self._keys()
        try:
            self._fs.invalidate_cache(self._base)
            entries = self._fs.ls(self._base, detail=False)
        except FileNotFoundError:
            return []
        names = (str(entry).rpartition("/")[2].removesuffix(".bin") for entry in entries)
        return sorted(name for name in names if NAME.fullmatch(name))

    def delete(self, name: str) -> None:
        """Raises NoSuchProfile. Wants no key: what cannot be read can be removed."""
        try:
            self._fs.rm(self._path(name))
        except FileNotFoundError as error:
            raise _make_absent(name) from error

    def _load(self, name: str) -> _Stored:
        keys = self._keys()
        try:
            sealed = self._fs.cat_file(self._path(name))
        except FileNotFoundError as error:
            raise _make_absent(name) from error
        try:
            # Bounded: what was written with this key is not larger.
            content = zlib.decompressobj().decompress(keys.decrypt(sealed), MAX_BYTES)
            return _Stored.model_validate_json(content)
        except (InvalidToken, zlib.error, ValueError):
            detail = f"the profile {name} was made with another key, or was changed"
            raise ProfileError(detail) from None

    def _keys(self) -> MultiFernet:
        if self._key_file is None:
            raise ProfileError(
                "no profiles are kept here: `deskhand profiles key FILE` makes a key, and "
                "DESKHAND_PROFILE_KEYS (`--profile-keys`) names its file"
            )
        return load_keys(self._key_file)

    def _path(self, name: str) -> str:
        if not NAME.fullmatch(name):
            raise _make_absent(name)
        return f"{self._base}/{name}.bin"


def _describe(name: str, stored: _Stored) -> Profile:
    return Profile(
        name=name,
        domains=stored.state.domains,
        cookies=len(stored.state.cookies),
        saved_at=stored.saved_at,
    )


def _make_absent(name: str) -> NoSuchProfile:
    return NoSuchProfile(f"there is no profile {name[:80]!r}")
