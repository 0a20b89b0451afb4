"""`stack.json` of a run folder: addresses and keys of what serves there, for its user's tools.

It is there while the stack runs, and readable by its owner only.
"""

from __future__ import annotations

import os
from pathlib import Path

import orjson
from pydantic import BaseModel, ValidationError

NAME = "stack.json"


class StackFile(BaseModel):
    """What the file says. `pid`: of the stack's own process; `children`: process ids by name."""

    pid: int
    api_url: str | None
    api_key: str
    policy_url: str
    policy_key: str
    host_urls: tuple[str, ...]
    desktop_urls: tuple[str, ...]
    children: dict[str, int | None]


def write_stack_file(run_dir: Path, content: StackFile) -> None:
    """Replaces it at once."""
    path = run_dir / NAME
    partial = path.with_suffix(".partial")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(orjson.dumps(content.model_dump(), option=orjson.OPT_INDENT_2))
    partial.rename(path)


def read_stack_file(run_dir: Path) -> StackFile | None:
    """None where nothing serves: there is no file, or its process has ended."""
    try:
        content = StackFile.model_validate_json((run_dir / NAME).read_bytes())
        os.kill(content.pid, 0)
    except (OSError, ValidationError):
        return None
    return content
