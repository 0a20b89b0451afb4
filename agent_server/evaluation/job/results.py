"""The result of every trial of an evaluation, read from its run folder: database and trajectories.

Guarantees: one entry for each trial of the plan, also for lost trials; what was not measured is
None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from agent_server.agents.config import AgentSpec, Endpoint
from agent_server.episodes.trajectory import Step, Usage
from agent_server.evaluation.job.plan import Evaluation, PlannedTrial
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.queries import GroupMember
from agent_server.store.store import Store
from agent_server.store.tables import Episode

PARTS = ("reset", "policy", "act", "settle", "observe", "evaluate", "other")
"""What the time of an episode was spent on; `other` is the rest: transport, recording."""
NOT_RUN, CANCELLED = "not run yet", "cancelled"


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial of the plan.

    `outcome`: the end of a scored or truncated episode ("done", "step_limit"), "lost: <reason>",
    "cancelled" or "not run yet". `episode_id`: the episode that counts, if there is one. `tokens`:
    prompt and completion; None where the policy counts none. `cost`: of the tokens, at the prices
    of the agent's file. `format_errors`: answers that could not be parsed. `first_error`: what the
    first action that failed was told."""

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
    ended_at: datetime | None = None
    wall_s: float | None = None
    time_s: dict[str, float] = field(default_factory=dict)
    answer: str | None = None
    milestones: dict[str, bool] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    first_error: str = ""

    @property
    def explanation(self) -> str:
        """What is told of a failure."""
        return self.detail or self.first_error

    @property
    def has_run(self) -> bool:
        """Whether it has ended, with a verdict or lost."""
        return self.outcome not in (NOT_RUN, CANCELLED)

    @property
    def has_verdict(self) -> bool:
        """Whether the trial has a verdict, and so a score."""
        return self.score is not None


def read_trials(folder: Path, evaluation: Evaluation) -> list[Trial]:
    """Read the trials of a run folder, in the order of the plan."""
    settings = Settings(run_dir=folder)
    with Store.open(settings) as store:
        return trials_of(evaluation, store, Artifacts(settings.artifacts))


def trials_of(
    evaluation: Evaluation,
    store: Store,
    artifacts: Artifacts,
    needs_steps: Callable[[Episode], bool] = lambda row: True,
) -> list[Trial]:
    """The trials of an evaluation, in the order of the plan. `needs_steps`: False of an episode
    whose trajectory is not read; what stands there alone (tokens, cost, errors) is left out."""
    members = store.episodes.members(evaluation.run_id)
    rows = store.episodes.get_many(member.episode_id for member in members.values())
    by_id, agents = {row.id: row for row in rows}, evaluation.spec.agents
    return [
        _trial(
            planned,
            members.get((planned.group_id, planned.trial)),
            by_id,
            artifacts,
            agents.get(planned.policy),
            needs_steps,
        )
        for planned in evaluation.planned_trials()
    ]


def _trial(
    planned: PlannedTrial,
    member: GroupMember | None,
    rows: dict[str, Episode],
    artifacts: Artifacts,
    agent: AgentSpec | None,
    needs_steps: Callable[[Episode], bool],
) -> Trial:
    trial_keys: dict[str, Any] = {
        "policy": planned.policy,
        "task_id": planned.task.id,
        "domain": planned.task.domain,
        "trial": planned.trial,
    }
    if member is None or member.state == "open":
        return Trial(**trial_keys, outcome=NOT_RUN)
    row = rows[member.episode_id]
    if member.state == "cancelled":
        return Trial(**trial_keys, outcome=CANCELLED, episode_id=row.id)
    if member.state == "lost":
        reason = row.reason or str(row.status)
        return Trial(
            **trial_keys, outcome=f"lost: {reason}", detail=row.detail or "", episode_id=row.id
        )
    is_read = needs_steps(row)
    steps = artifacts.read_steps(row.id, 0)[0] if is_read else []
    counts = [step.completion.tokens for step in steps if step.completion.tokens is not None]
    return Trial(
        **trial_keys,
        outcome=row.reason or str(row.status),
        detail=row.detail or "",
        episode_id=row.id,
        score=row.score,
        success=bool(row.success),
        steps=row.steps,
        tokens=sum(step.prompt + step.completion for step in counts) if counts else None,
        cost=_cost(counts, agent),
        format_errors=sum(step.action is None for step in steps) if is_read else None,
        started_at=row.started_at,
        ended_at=row.finished_at,
        wall_s=row.timings.get("total_s"),
        time_s=_seconds_by_part(row.timings, steps) if is_read else {},
        answer=row.answer,
        milestones=row.verdict.get("milestones", {}),
        errors=tuple(str(step.result.error) for step in steps if step.result.error is not None),
        first_error=next((step.result.message for step in steps if not step.result.ok), ""),
    )


def _cost(counts: Sequence[Usage], agent: AgentSpec | None) -> float | None:
    """None where there is no price, or nothing was counted."""
    if not isinstance(agent, Endpoint) or not counts:
        return None
    total = Usage(
        prompt=sum(usage.prompt for usage in counts),
        completion=sum(usage.completion for usage in counts),
    )
    return agent.cost_of(total)


def _seconds_by_part(timings: dict[str, float], steps: Sequence[Step]) -> dict[str, float]:
    """Seconds by part; their sum is the episode's."""
    seconds = {"reset": timings.get("reset_s", 0.0), "evaluate": timings.get("evaluate_s", 0.0)}
    for part in ("policy", "act", "settle", "observe"):
        seconds[part] = sum(step.timings_ms.get(part, 0.0) for step in steps) / 1000
    seconds["other"] = max(0.0, timings.get("total_s", 0.0) - sum(seconds.values()))
    return {part: round(seconds[part], 6) for part in PARTS}
