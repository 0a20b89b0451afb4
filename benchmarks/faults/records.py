"""The records of episodes, read as plain files from the small disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from agent_server.store.artifacts import STEPS, SUMMARY


@dataclass(frozen=True, slots=True)
class Record:
    """`steps` as recorded, one JSON object each; `summary` as written at the end."""

    steps: list[dict[str, Any]]
    summary: dict[str, Any]

    @property
    def answers(self) -> dict[str, str]:
        """What was answered, by prompt."""
        return {step["prompt"]: step["completion"]["text"] for step in self.steps}


def read_record(episodes: Path, episode_id: str) -> Record:
    """Raises OSError, orjson.JSONDecodeError."""
    folder = episodes / episode_id
    lines = (folder / STEPS).read_bytes().splitlines()
    return Record(
        [orjson.loads(line) for line in lines], orjson.loads((folder / SUMMARY).read_bytes())
    )
