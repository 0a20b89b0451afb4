"""OSWorld's metrics, a module for each format or program.

They take a hundred megabytes of libraries, so nothing is imported before `register` is called.
Modules whose libraries are not installed (`pip install "deskhand[osworld]"`) are left out.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module


@cache
def register() -> tuple[str, ...]:
    """Imports all modules, which registers their metrics. Gives the libraries that are missing."""
    missing: dict[str, None] = {}
    for found in pkgutil.iter_modules(__path__):
        try:
            import_module(f"{__name__}.{found.name}")
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "envs":
                raise
            missing[error.name] = None
    return tuple(missing)
