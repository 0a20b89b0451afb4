"""What a web gym's verdict is made from, packed to be kept with the episode.

Guarantees: the state before comes from the task alone, so only what changed is kept.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from envs.contract.task import Task
from envs.state.bundle import BadBundle
from envs.state.canonical import state_hash

ABOUT = "gym.json"
MAX_BYTES = 64 * 1024 * 1024


class GymEvidence(BaseModel):
    """`change`: of the task's initial state, as `envs.state.canonical.make_patch` writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: Task
    answer: str | None
    infeasible: bool
    change: dict[str, Any]
    state_hash: str


def session_hash(task: Task, state: dict[str, Any]) -> str:
    """The hash of a session's state."""
    return state_hash({"task": task.id, "state": state})


def pack(evidence: GymEvidence) -> bytes:
    """A zip file with ABOUT."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(ABOUT, evidence.model_dump_json())
    return buffer.getvalue()


def unpack(data: bytes) -> GymEvidence | None:
    """None if it is not a gym's. Raises BadBundle."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if ABOUT not in archive.namelist():
                return None
            with archive.open(ABOUT) as member:
                return GymEvidence.model_validate_json(member.read(MAX_BYTES))
    except (zipfile.BadZipFile, ValidationError, OSError) as error:
        raise BadBundle(f"the evidence cannot be read: {error}"[:500]) from error
