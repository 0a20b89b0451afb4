"""Places for the files that getters make.

Guarantees: each call gets a folder of its own, so equal names do not meet; a name that a task or a
document gives leads nowhere else.
"""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePosixPath

from envs.verify.registry import Ending


def folder(ending: Ending) -> Path:
    """A new one. Raises ValueError when the episode is not being judged."""
    if ending.scratch is None:
        raise ValueError("this ending has no scratch folder")
    return Path(tempfile.mkdtemp(dir=ending.scratch))


def place(ending: Ending, name: str) -> Path:
    """For one file, by the last part of `name`."""
    return folder(ending) / (PurePosixPath(name).name or "file")
