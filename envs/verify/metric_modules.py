"""Finds the modules that define a metric, so that a judge imports no more than it needs.

All of them take seconds and a hundred megabytes of libraries; one takes a tenth of that.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

ROOM = Path(__file__).parent
FOLDERS = ("metrics", "osworld")


def import_metric(name: str) -> tuple[str, ...]:
    """Registers the metric of this name, and what it is with `compat`, if there is one. Gives the
    libraries that it misses."""
    named = rf"def {re.escape(name)}(_compat)?\("
    defined = re.compile(rf"^@(metric|compat)\n(@.*\n)*{named}", re.MULTILINE)
    missing = []
    for folder in FOLDERS:
        for file in sorted((ROOM / folder).glob("*.py")):
            if defined.search(file.read_text(encoding="utf-8")):
                try:
                    import_module(f"envs.verify.{folder}.{file.stem}")
                except ModuleNotFoundError as error:
                    if error.name is None or error.name.partition(".")[0] == "envs":
                        raise
                    missing.append(error.name)
    return tuple(missing)
