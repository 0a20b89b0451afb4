"""A machine without a display, and a setup step run on it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from envs.contract.outcomes import EpisodeFault
from envs.desktop.processes import Processes
from envs.osworld.inside.support.setup import Setup


@dataclass
class Headless:
    """A machine of real processes without a display."""

    home: Path
    processes: Processes
    width: int = 1280
    height: int = 720
    baseline: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    lent: dict[str, BinaryIO] = field(default_factory=dict)


def run(machine: Headless, kind: str, **parameters: Any) -> list[str]:
    """The notes of one step."""

    async def main() -> list[str]:
        try:
            notes = await Setup(machine).run([{"type": kind, "parameters": parameters}])
        except EpisodeFault:
            await asyncio.sleep(0.3)  # a killed program is collected on this loop
            raise
        if notes:
            await asyncio.sleep(0.3)
        return notes

    return asyncio.run(main())
