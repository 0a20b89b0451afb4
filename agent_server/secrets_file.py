"""The operator's file of secrets, which tasks name and never hold.

    [shop_password]
    value = "..."
    allow = ["shop.example"]

Guarantees: the file is refused where others than its owner may read it; all errors are reported at
once; no error repeats a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from agent_server.private_file import PrivateFileError, describe_errors, read_private_toml
from envs.contract.secret import Secret, SecretName

_FILE: TypeAdapter[dict[str, Secret]] = TypeAdapter(dict[SecretName, Secret])


class SecretsFileError(PrivateFileError):
    """The file cannot be used; the message says why, one line for each error."""


def load_secrets(path: Path | None) -> dict[str, Secret]:
    """The secrets by name; none without a file. Raises SecretsFileError."""
    if path is None:
        return {}
    try:
        return _FILE.validate_python(read_private_toml(path))
    except ValidationError as error:
        raise SecretsFileError(describe_errors(path, error)) from None
    except PrivateFileError as error:
        raise SecretsFileError(str(error)) from None


def choose_secrets(known: Mapping[str, Secret], names: Iterable[str]) -> dict[str, Secret]:
    """Those that a task names. Raises KeyError with what there is."""
    for name in names:
        if name not in known:
            raise KeyError(f"there is no secret {name}; there are: {', '.join(known) or 'none'}")
    return {name: known[name] for name in names}
