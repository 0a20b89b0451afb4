"""Metrics of our own, one file a kind of thing judged. None is imported before `register`."""

from __future__ import annotations

import pkgutil
from importlib import import_module


def register() -> None:
    """Imports all modules, which registers their metrics."""
    for found in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{found.name}")
