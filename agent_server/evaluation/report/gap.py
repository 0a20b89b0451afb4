"""The gap between where a policy was evaluated and where it is used, from two runs' episodes.

Guarantees: nothing of either run is changed; an episode without a verdict is in no rate, and one
that the guard stopped counts as outside.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from agent_server.episodes.trajectory import Step
from agent_server.evaluation.figures.statistics import Interval, wilson
from agent_server.policy.envelope import Envelope, find_exit
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status

MOST_ROWS = 100_000
Ended = tuple[str, bool | None, tuple[Step, ...]]
"""Template, success (None: nothing judged it), steps."""


class Share(BaseModel):
    """A rate of episodes with its Wilson 95% interval; None where there were none."""

    model_config = ConfigDict(frozen=True)

    n: int
    rate: float | None
    ci95: Interval


class Gap(BaseModel):
    """`success` is of the judged episodes there; the envelope's own rate is `evaluated`."""

    model_config = ConfigDict(frozen=True)

    evaluated: float
    success: Share
    within: Share = Field(description="success of the episodes that stay within")
    outside: Share = Field(description="success of those that leave the envelope")
    stopped: Share = Field(description="episodes that leave it, or that the guard ended")
    causes: dict[str, int]
    new_templates: tuple[str, ...]


def read_episodes(run: Path) -> list[Ended]:
    """The ended episodes of a run's policy, at most the newest MOST_ROWS. Oracles and controls have
    no tokens and are left out."""
    settings = Settings(run_dir=run)
    artifacts = Artifacts(settings.artifacts)
    statuses = [Status.SCORED, Status.TRUNCATED, Status.UNJUDGED]
    with Store.open(settings) as store:
        rows = store.episodes.page(status=statuses, limit=MOST_ROWS).episodes
    episodes = [_read(row, artifacts) for row in rows]
    return [episode for episode in episodes if any(step.completion.logprobs for step in episode[2])]


def measure_gap(envelope: Envelope, episodes: list[Ended]) -> Gap:
    """Where episodes leave the envelope, and what that costs."""
    exits = [_exit_of(envelope, steps) for _, _, steps in episodes]
    judged = [
        (success, reason is None)
        for (_, success, _), reason in zip(episodes, exits, strict=True)
        if success is not None
    ]
    seen = {template for template, _, _ in episodes}
    return Gap(
        evaluated=envelope.success_rate,
        success=_share([success for success, _ in judged]),
        within=_share([success for success, is_within in judged if is_within]),
        outside=_share([success for success, is_within in judged if not is_within]),
        stopped=_share([reason is not None for reason in exits]),
        causes=dict(Counter(_kind(reason) for reason in exits if reason is not None)),
        new_templates=tuple(sorted(seen - set(envelope.templates))),
    )


def _exit_of(envelope: Envelope, steps: tuple[Step, ...]) -> str | None:
    last = steps[-1].completion.text if steps else ""
    if "outside of what this policy was evaluated in" in last:
        return last.rpartition(": ")[2]
    return find_exit(envelope, steps)


def _kind(reason: str) -> str:
    return "long prompt" if reason.startswith("a prompt of") else "unsure"


def _share(flags: list[bool]) -> Share:
    count = sum(flags)
    rate = count / len(flags) if flags else None
    return Share(n=len(flags), rate=rate, ci95=wilson(count, len(flags)))


def _read(row: Episode, artifacts: Artifacts) -> Ended:
    steps, _ = artifacts.read_steps(row.id, 0)
    gym, template = row.task.get("gym"), row.task.get("template")
    origin = f"{gym}/{template}" if gym and template else str(row.task.get("id", ""))
    return origin, row.success, tuple(steps)
