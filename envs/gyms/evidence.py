"""What a web gym's verdict is made from, kept with the episode, and the verdict made again from it.

Guarantees: the state before comes from the task alone, so only what changed is kept; a state that
is not the one that was judged gives no verdict.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from envs.session import Verdict
from envs.tasks import Task
from envs.verify.bundle import BadBundle
from envs.verify.state import patched, state_hash

ABOUT = "gym.json"
MAX_BYTES = 64 * 1024 * 1024


class GymEvidence(BaseModel):
    """`change`: of the task's initial state, as `envs.verify.state.patch` tells it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: Task
    answer: str | None
    infeasible: bool
    change: dict[str, Any]
    state_hash: str

    def verdict(self) -> Verdict:
        """By the gym as it is now. Raises BadBundle when its states are others by now."""
        # The host that packs it does without the gyms themselves.
        from envs.gyms.registry import get_web_gym

        try:
            gym = get_web_gym(self.task.gym or "")
            before = gym.initial_state(self.task)
            after = patched(gym.initial_state(self.task), self.change)
        except (KeyError, ValueError) as error:
            raise BadBundle(f"the state cannot be made again: {error}") from error
        if hash_of(self.task, after) != self.state_hash:
            raise BadBundle("the state cannot be made again: the gym makes others now")
        given = gym.verdict(self.task, before, after, self.answer, self.infeasible)
        return Verdict(
            score=given.score,
            milestones=given.milestones,
            details={**given.details, "state_hash": self.state_hash},
        )


def hash_of(task: Task, state: dict[str, Any]) -> str:
    """Of a session."""
    return state_hash({"task": task.id, "state": state})


def packed(evidence: GymEvidence) -> bytes:
    """A zip file with ABOUT."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(ABOUT, evidence.model_dump_json())
    return kept.getvalue()


def unpacked(data: bytes) -> GymEvidence | None:
    """None if it is not a gym's. Raises BadBundle."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if ABOUT not in archive.namelist():
                return None
            with archive.open(ABOUT) as member:
                return GymEvidence.model_validate_json(member.read(MAX_BYTES))
    except (zipfile.BadZipFile, ValidationError, OSError) as error:
        raise BadBundle(f"the evidence cannot be read: {error}"[:500]) from error
