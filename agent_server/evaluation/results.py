"""What became of each trial of an evaluation, read from its run folder: database and trajectories.

Guarantees: one entry for each unit of the denominator, whatever was lost; nothing that was not
measured has a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from agent_server.agents.config import AgentSpec, Endpoint
from agent_server.episodes.trajectory import Step, Usage
from agent_server.evaluation.plan import Cell, Evaluation
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.queries import Slot
from agent_server.store.store import Store
from agent_server.store.tables import Episode

PARTS = ("reset", "policy", "act", "settle", "observe", "evaluate", "other")
"""Where the time of an episode went; `other` is the rest of it: transport, recording."""
NOT_RUN = "not run yet"


@dataclass(frozen=True, slots=True)
class Trial:
    """`outcome`: the end of a scored or truncated episode ("done", "step_limit"), "lost: <reason>",
    "cancelled" or "not run yet". `episode_id` is that of the attempt that counts, if there is one.
    `tokens`: prompt and completion; None where the policy has none. `cost`: of them, at the prices
    of the agent's file. `format_errors`: answers that could not be read."""

    policy: str
    task_id: str
    domain: str
    trial: int
    outcome: str
    detail: str = ""
    episode_id: str | None = None
    score: float | None = None
    success: bool = False
    steps: int | None = None
    tokens: int | None = None
    cost: float | None = None
    format_errors: int | None = None
    started_at: datetime | None = None
    wall_s: float | None = None
    time_s: dict[str, float] = field(default_factory=dict)
    answer: str | None = None
    milestones: dict[str, bool] = field(default_factory=dict)
    errors: tuple[str, ...] = ()

    @property
    def arrived(self) -> bool:
        """Whether it has a verdict."""
        return self.score is not None


def read_trials(folder: Path, evaluation: Evaluation) -> list[Trial]:
    """Of a run folder, in the order of the plan."""
    settings = Settings(run_dir=folder)
    with Store.open(settings) as store:
        return trials_of(evaluation, store, Artifacts(settings.artifacts))


def trials_of(evaluation: Evaluation, store: Store, artifacts: Artifacts) -> list[Trial]:
    """In the order of the plan."""
    slots = store.episodes.slots(evaluation.run_id)
    rows = store.episodes.get_many(slot.episode_id for slot in slots.values())
    by_id = {row.id: row for row in rows}
    return [
        _trial(
            cell,
            slots.get((cell.group_id, cell.trial)),
            by_id,
            artifacts,
            evaluation.asked.agent if cell.policy == evaluation.asked.policy else None,
        )
        for cell in evaluation.cells()
    ]


def _trial(
    cell: Cell,
    slot: Slot | None,
    rows: dict[str, Episode],
    artifacts: Artifacts,
    agent: AgentSpec | None,
) -> Trial:
    about: dict[str, Any] = {
        "policy": cell.policy,
        "task_id": cell.task.id,
        "domain": cell.task.domain,
        "trial": cell.trial,
    }
    if slot is None or slot.state == "open":
        return Trial(**about, outcome=NOT_RUN)
    row = rows[slot.episode_id]
    if slot.state == "cancelled":
        return Trial(**about, outcome="cancelled", episode_id=row.id)
    if slot.state == "lost":
        reason = row.reason or str(row.status)
        return Trial(**about, outcome=f"lost: {reason}", detail=row.detail or "", episode_id=row.id)
    steps, _ = artifacts.read_steps(row.id, 0)
    counts = [one.completion.tokens for one in steps if one.completion.tokens is not None]
    return Trial(
        **about,
        outcome=row.reason or str(row.status),
        detail=row.detail or "",
        episode_id=row.id,
        score=row.score,
        success=bool(row.success),
        steps=row.steps,
        tokens=sum(one.prompt + one.completion for one in counts) if counts else None,
        cost=_cost(counts, agent),
        format_errors=sum(one.action is None for one in steps),
        started_at=row.started_at,
        wall_s=row.timings.get("total_s"),
        time_s=_times(row.timings, steps),
        answer=row.answer,
        milestones=row.verdict.get("milestones", {}),
        errors=tuple(str(one.result.error) for one in steps if one.result.error is not None),
    )


def _cost(counts: Sequence[Usage], agent: AgentSpec | None) -> float | None:
    """None where there is no price, or nothing was counted."""
    if not isinstance(agent, Endpoint) or not counts:
        return None
    if agent.price_in is None or agent.price_out is None:
        return None
    prompt, completion = sum(one.prompt for one in counts), sum(one.completion for one in counts)
    return (prompt * agent.price_in + completion * agent.price_out) / 1e6


def _times(timings: dict[str, float], steps: Sequence[Step]) -> dict[str, float]:
    """Seconds by part; their sum is the episode's."""
    found = {"reset": timings.get("reset_s", 0.0), "evaluate": timings.get("evaluate_s", 0.0)}
    for part in ("policy", "act", "settle", "observe"):
        found[part] = sum(step.timings_ms.get(part, 0.0) for step in steps) / 1000
    found["other"] = max(0.0, timings.get("total_s", 0.0) - sum(found.values()))
    return {part: round(found[part], 6) for part in PARTS}
