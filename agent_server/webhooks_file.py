"""The operator's file of webhooks: who is told when a task ends, and how that is signed.

    [targets.ops]
    url = "https://ops.example/deskhand"
    secret = "whsec_..."

    [tasks]                      # without this table tasks bring no addresses of their own
    secret = "whsec_..."
    allow = ["hooks.example"]    # none: any public address

Guarantees: the file is refused where others than its owner may read it; no error repeats a secret.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)

from agent_server.private_file import PrivateFileError, describe_errors, read_private_toml
from envs.contract.domains import MAX_ENTRIES, is_url_allowed
from envs.contract.page_url import SITE_URL
from envs.contract.task import Domain

PREFIX = "whsec_"
MIN_KEY, MAX_KEY = 24, 64
"""Bytes of a key, as Standard Webhooks has them."""
TargetName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,60}$")]


def _check_secret(secret: SecretStr) -> SecretStr:
    decode_key(secret)
    return secret


def _check_port(url: str) -> str:
    if urlsplit(url).port == 0:
        raise ValueError("port 0 is no port")
    return url


SigningSecret = Annotated[SecretStr, AfterValidator(_check_secret)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Target(_Model):
    """One address of the operator's."""

    url: Annotated[str, AfterValidator(_check_port)] = Field(pattern=SITE_URL, max_length=2000)
    secret: SigningSecret = Field(description="whsec_ and 24 to 64 bytes in base64")
    is_private: bool = Field(
        False, alias="private", description="it may be an address of this machine or network"
    )
    has_all: bool = Field(False, alias="all", description="it is told of every task")


class TaskAddresses(_Model):
    """What addresses tasks may bring."""

    secret: SigningSecret = Field(description="signs what is sent to them")
    allow: tuple[Domain, ...] = Field(
        (), max_length=MAX_ENTRIES, description="domains, each with those below it; none: any"
    )


class Webhooks(_Model):
    """The whole file."""

    targets: dict[TargetName, Target] = Field(default_factory=dict)
    tasks: TaskAddresses | None = None

    def find(self, named: str) -> Target:
        """The target of a name, or of an address that a task brings. Raises KeyError with the
        reason why there is none."""
        if "://" not in named:
            if named not in self.targets:
                names = ", ".join(self.targets) or "none"
                raise KeyError(f"there is no webhook {named[:80]}; there are: {names}")
            return self.targets[named]
        if self.tasks is None:
            raise KeyError("tasks bring no addresses: the operator's file has no table [tasks]")
        if not named.startswith("https://"):
            raise KeyError("the address of a task's webhook begins with https://")
        if self.tasks.allow and not is_url_allowed(named, self.tasks.allow):
            raise KeyError(f"the address is on no domain of {', '.join(self.tasks.allow)}")
        try:
            return Target(url=named, secret=self.tasks.secret)
        except ValidationError as error:
            raise KeyError(f"{named[:80]!r} is no address with a host and no user") from error

    @property
    def for_all(self) -> tuple[str, ...]:
        """Names of the targets that are told of every task."""
        return tuple(name for name, target in self.targets.items() if target.has_all)


def decode_key(secret: SecretStr) -> bytes:
    """The bytes that sign. Raises ValueError."""
    text = secret.get_secret_value()
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("a secret is whsec_ and base64") from error
    if not text.startswith(PREFIX) or not MIN_KEY <= len(key) <= MAX_KEY:
        raise ValueError(f"a secret is {PREFIX} and {MIN_KEY} to {MAX_KEY} bytes in base64")
    return key


def load_webhooks(path: Path | None) -> Webhooks:
    """No targets without a file. Raises PrivateFileError."""
    if path is None:
        return Webhooks()
    content = read_private_toml(path)
    try:
        return Webhooks.model_validate(content)
    except ValidationError as error:
        raise PrivateFileError(describe_errors(path, error)) from None
