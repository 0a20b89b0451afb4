"""What the console's templates show: plain values made of the API's states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from agent_server.api.models import TaskState
from agent_server.episodes.compact import describe
from agent_server.episodes.trajectory import Step
from envs.contract.observations import parse_tree
from envs.contract.outcomes import Status

GOOD, BAD, RUNNING, NEUTRAL = "good", "bad", "running", "neutral"
"""Kinds of a badge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A word and its kind; the kind is never told by color alone."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """One step of an episode."""

    number: int
    thought: str
    action: str
    result: str
    is_ok: bool
    url: str
    picture: str | None
    seconds: str
    refused_hosts: str


def make_badge(task: TaskState) -> Badge:
    """How a task stands."""
    match task.status:
        case Status.RUNNING:
            return Badge(text="running", kind=RUNNING)
        case Status.QUEUED:
            return Badge(text="queued", kind=NEUTRAL)
        case Status.SCORED if task.success:
            return Badge(text="solved", kind=GOOD)
        case Status.SCORED | Status.TRUNCATED:
            return Badge(text="not solved", kind=BAD)
        case Status.UNJUDGED:
            kind = GOOD if task.reason == "done" else NEUTRAL
            return Badge(text=_in_words(task.reason or "ended"), kind=kind)
        case Status.CANCELLED:
            return Badge(text="cancelled", kind=NEUTRAL)
        case _:
            return Badge(text=_in_words(task.reason or "lost"), kind=BAD)


def _in_words(reason: str) -> str:
    return reason.replace("_", " ")


def make_step_rows(steps: Sequence[Step]) -> list[StepRow]:
    """In order."""
    return [
        StepRow(
            number=step.index + 1,
            thought=step.thought,
            action=_describe_action(step),
            result="" if step.result.ok else step.outcome,
            is_ok=step.result.ok,
            url=step.url,
            picture=step.screenshot,
            seconds=_describe_timings(step),
            refused_hosts=", ".join(step.refused_hosts),
        )
        for step in steps
    ]


def _describe_action(step: Step) -> str:
    if step.action is None:
        return step.completion.text.strip().rsplit("\n", 1)[-1][:300] or "no answer"
    return describe(step.action, parse_tree(step.tree))


def _describe_timings(step: Step) -> str:
    parts = (("agent", "policy"), ("environment", "env"))
    texts = [
        f"{name} {step.timings_ms[key] / 1000:.1f} s"
        for name, key in parts
        if key in step.timings_ms
    ]
    return ", ".join(texts)


def describe_age(then: datetime | None, now: datetime) -> str:
    """How long ago, in the largest unit that fits; empty for never."""
    if then is None:
        return ""
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    seconds = max(0, int((now - then).total_seconds()))
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"
