"""The version of the installed package, which comes from its git tag."""

from __future__ import annotations

import functools
from importlib.metadata import PackageNotFoundError, version

UNKNOWN = "unknown"


@functools.cache
def get_version() -> str:
    """The version of the installed package; UNKNOWN where only its sources are on the path."""
    try:
        return version("deskhand")
    except PackageNotFoundError:
        return UNKNOWN
