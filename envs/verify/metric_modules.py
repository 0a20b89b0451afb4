"""Finds the modules that define a metric, so that a judge imports no more than it needs.

All of them take seconds and a hundred megabytes of libraries; one takes a tenth of that.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from envs.verify import metrics, osworld

ROOM = Path(__file__).parent
FOLDERS = ("metrics", "osworld")


def import_metric(name: str) -> tuple[str, ...]:
    """Registers the metric of this name, and what it is with `compat`, if there is one; all of
    them where no module is seen to define it. Gives the libraries that are missing."""
    found = modules_of(name)
    if not found:
        metrics.register()
        return osworld.register()
    missing = []
    for module in found:
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "envs":
                raise
            missing.append(error.name)
    return tuple(missing)


def modules_of(name: str) -> list[str]:
    """Those whose text defines the metric by this name."""
    named = rf"def {re.escape(name)}(_compat)?\("
    defined = re.compile(rf"^@(metric|compat)\n(@.*\n)*{named}", re.MULTILINE)
    return [
        f"{__package__}.{folder}.{file.stem}"
        for folder in FOLDERS
        for file in sorted((ROOM / folder).glob("*.py"))
        if defined.search(file.read_text(encoding="utf-8"))
    ]
