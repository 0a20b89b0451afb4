"""Getters of OSWorld that cannot run here: each raises an error that says why."""

from __future__ import annotations

from typing import Any

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Getter, Parameters

REASONS = {"googledrive_file": "it needs a Google account, and tasks here have none"}
"""By getter type."""


class UnsupportedGetter(Exception):
    """A getter that is known and cannot be run."""


def _make_getter(kind: str, reason: str) -> Getter:
    async def raise_unsupported(machine: Any, ending: Ending, parameters: Parameters) -> Any:
        raise UnsupportedGetter(f"getter {kind}: {reason}")

    return raise_unsupported


GETTERS = {kind: _make_getter(kind, reason) for kind, reason in REASONS.items()}
