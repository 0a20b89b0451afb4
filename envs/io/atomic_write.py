"""A file that is there whole or not at all, whatever ends the process that writes it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Written beside its place, synced, then renamed over what is there. Raises OSError."""
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("wb") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
