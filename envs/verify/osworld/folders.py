"""OSWorld's metric of what is in a folder."""

from __future__ import annotations

from pathlib import Path

from envs.verify.registry import metric


@metric
def check_file_exists(result: str | Path, expected: str) -> float:
    """1 when the folder `result` has a file of that name."""
    return float(Path(result, expected).is_file())
