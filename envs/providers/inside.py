"""What of Deskhand goes into a box: the same subtrees for every kind of box, by name.

Guarantees: nothing else of Deskhand is in a box; verdicts, metrics, solutions, task sets and gym
servers are not among them. Import contracts (pyproject.toml) check that these subtrees import only
each other; a test checks that the images copy the same.
"""

from __future__ import annotations

from pathlib import Path

import envs

INSIDE = (
    "__init__.py",
    "contract",
    "io",
    "state",
    "browser",
    "desktop",
    "apps",
    "osworld/__init__.py",
    "osworld/format",
    "osworld/inside",
    "host",
)
"""Below the package `envs`."""


def inside_paths() -> list[Path]:
    """The subtrees in this installation."""
    package = Path(envs.__file__).parent
    return [package / name for name in INSIDE]
