"""Getters of OSWorld that cannot be had here: each is a failure that says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.verify.machine import Machine
from envs.verify.registry import Ending, getter

REFUSED = {"googledrive_file": "it needs a Google account, and tasks here have none"}
"""By getter type, why there is nothing to get."""


class GetterRefused(Exception):
    """A getter that is known and cannot be run."""


def _refuse(kind: str, why: str) -> None:
    @getter(kind)
    async def refused(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Any:
        raise GetterRefused(f"getter {kind}: {why}")


for _kind, _why in REFUSED.items():
    _refuse(_kind, _why)
