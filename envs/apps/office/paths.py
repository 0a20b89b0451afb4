"""Paths that tools are given; relative ones are below the home folder."""

from __future__ import annotations

import os
from pathlib import Path


def absolute_path(path: str) -> Path:
    """The same path, absolute, without ~ and dots."""
    return Path(os.path.normpath(Path.home() / os.path.expanduser(path)))
