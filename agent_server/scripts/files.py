"""Scripts as files: JSON that a person reads and changes.

Guarantees: a file is written whole or not at all; an error names the file and the key.
"""

from __future__ import annotations

from pathlib import Path

import orjson
from pydantic import ValidationError

from agent_server.scripts.model import Script
from envs.io.atomic_write import write_whole

MAX_BYTES = 4 * 2**20


class ScriptFileError(ValueError):
    """The file holds no script; one line for each fault."""


def read_script(path: Path) -> Script:
    """Raises ScriptFileError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ScriptFileError(f"{path} is larger than {MAX_BYTES // 2**20} MiB")
        return Script.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ScriptFileError(f"cannot read {path}: {error.strerror or error}") from error
    except ValidationError as error:
        lines = []
        for fault in error.errors(include_input=False):
            where = ".".join(str(part) for part in fault["loc"])
            message = fault["msg"].removeprefix("Value error, ")
            lines.append(f"{path}: {where}: {message}" if where else f"{path}: {message}")
        raise ScriptFileError("\n".join(lines)) from error


def write_script(path: Path, script: Script) -> None:
    """Writes it, in place of an earlier version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [dump_script(script)])


def dump_script(script: Script) -> bytes:
    """As it stands in a file: what has its default is left out."""
    data = script.model_dump(mode="json", exclude_defaults=True)
    data = {"format": script.format, "version": script.version} | data
    return orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n"
