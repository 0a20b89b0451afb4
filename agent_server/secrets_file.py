"""The operator's file of secrets, which tasks name and never hold.

    [shop_password]
    value = "..."
    allow = ["shop.example"]

Guarantees: the file is refused where others than its owner may read it; all errors are reported at
once; no error repeats a value.
"""

from __future__ import annotations

import stat
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from envs.contract.secret import Secret, SecretName

_FILE: TypeAdapter[dict[str, Secret]] = TypeAdapter(dict[SecretName, Secret])


class SecretsFileError(ValueError):
    """The file cannot be used; the message says why, one line for each error."""


def load_secrets(path: Path | None) -> dict[str, Secret]:
    """The secrets by name; none without a file. Raises SecretsFileError."""
    if path is None:
        return {}
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SecretsFileError(f"{path}: others may read it: chmod 600 {path}")
        content = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise SecretsFileError(f"{path}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        # Its message names line and column, and nothing of what stands there.
        raise SecretsFileError(f"{path}: {str(error)[:120]}") from None
    try:
        return _FILE.validate_python(content)
    except ValidationError as error:
        lines = (
            f"{path}: {'.'.join(str(part) for part in entry['loc'])}: {entry['msg']}"
            for entry in error.errors(include_input=False)
        )
        raise SecretsFileError("\n".join(lines)) from None


def choose_secrets(known: Mapping[str, Secret], names: Iterable[str]) -> dict[str, Secret]:
    """Those that a task names. Raises KeyError with what there is."""
    for name in names:
        if name not in known:
            raise KeyError(f"there is no secret {name}; there are: {', '.join(known) or 'none'}")
    return {name: known[name] for name in names}
