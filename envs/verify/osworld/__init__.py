"""OSWorld's metrics, a module for each format or program. Importing this package registers all.

Modules whose libraries are not installed (`pip install "deskhand[osworld]"`) are left out; asking
for one of their metrics says so.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

LEFT_OUT: dict[str, str] = {}
"""Library that is missing, by the module that needs it."""

for _found in pkgutil.iter_modules(__path__):
    try:
        import_module(f"{__name__}.{_found.name}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "envs":
            raise
        LEFT_OUT[_found.name] = error.name
