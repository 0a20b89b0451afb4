"""Files of the operator that hold secrets: refused where others than their owner may read them.

Guarantees: no error repeats what stands in the file.
"""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError


class PrivateFileError(ValueError):
    """The file cannot be used; the message says why, one line for each error."""


def read_private(path: Path) -> str:
    """Raises PrivateFileError."""
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise PrivateFileError(f"{path}: others may read it: chmod 600 {path}")
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise PrivateFileError(f"{path}: {error}") from error


def read_private_toml(path: Path) -> dict[str, Any]:
    """Raises PrivateFileError."""
    try:
        return tomllib.loads(read_private(path))
    except tomllib.TOMLDecodeError as error:
        # Its message names line and column, and nothing of what stands there.
        raise PrivateFileError(f"{path}: {str(error)[:120]}") from None


def describe_errors(path: Path, error: ValidationError) -> str:
    """One line an error, without the values."""
    return "\n".join(
        f"{path}: {'.'.join(str(part) for part in entry['loc'])}: {entry['msg']}"
        for entry in error.errors(include_input=False)
    )
