"""What the console's pages of evaluations show, made of plans and of how their trials stand.

Guarantees: nothing here reads a trajectory, so that a page of a large evaluation is cheap. Shares
are of the trials that have ended; at the end these are the figures of `deskhand eval show`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent_server.api.evaluation_models import EvaluationState
from agent_server.evaluation.figures.statistics import wilson
from agent_server.evaluation.figures.summary import ALL
from agent_server.evaluation.job.plan import Evaluation, PlannedTrial
from agent_server.store.queries import GroupMember
from agent_server.web.rows import BAD, GOOD, NEUTRAL, RUNNING, Badge

Members = Mapping[tuple[str, int], GroupMember]
"""Trials that were submitted, by group and number of the trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyRow:
    """How the trials of one policy stand, in one domain or in all. `ended`: with a verdict, or
    lost, which counts as not solved; cancelled ones have not ended."""

    policy: str
    domain: str
    planned: int
    ended: int
    solved: int
    lost: int

    @property
    def rate(self) -> float | None:
        """Solved of the ended, 0 to 1; None before the first."""
        return self.solved / self.ended if self.ended else None

    @property
    def ci95(self) -> tuple[float, float]:
        """Wilson's interval of the rate."""
        return wilson(self.solved, self.ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialMark:
    """One trial: its badge, and the episode to look at, once there is one."""

    badge: Badge
    episode_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTrials:
    """A task with its trials by one policy, in order."""

    task_id: str
    domain: str
    policy: str
    trials: tuple[TrialMark, ...]


def tally(evaluation: Evaluation, members: Members) -> list[TallyRow]:
    """For each policy all trials, then those of each domain where there are several."""
    rows = []
    for policy in evaluation.spec.policies:
        planned = evaluation.planned_trials(policy)
        rows.append(_tally_row(policy, ALL, planned, members))
        domains = sorted({trial.task.domain for trial in planned})
        if len(domains) > 1:
            rows += [
                _tally_row(policy, name, [t for t in planned if t.task.domain == name], members)
                for name in domains
            ]
    return rows


def _tally_row(
    policy: str, domain: str, planned: Sequence[PlannedTrial], members: Members
) -> TallyRow:
    submitted = [members.get((trial.group_id, trial.trial)) for trial in planned]
    states = [member.state for member in submitted if member is not None]
    return TallyRow(
        policy=policy,
        domain=domain,
        planned=len(planned),
        ended=states.count("arrived") + states.count("lost"),
        solved=sum(member is not None and member.success is True for member in submitted),
        lost=states.count("lost"),
    )


def list_task_trials(
    evaluation: Evaluation, members: Members, policy: str, domain: str, task: str
) -> list[TaskTrials]:
    """Tasks in the order of the plan; an empty string chooses all."""
    return [
        TaskTrials(
            task_id=entry.id,
            domain=entry.domain,
            policy=name,
            trials=tuple(
                _mark(members.get((evaluation.group_id(name, entry.id), number)))
                for number in range(evaluation.spec.trials_of(name))
            ),
        )
        for entry in evaluation.tasks
        for name in evaluation.spec.policies
        if policy in ("", name) and domain in ("", ALL, entry.domain) and task in ("", entry.id)
    ]


def _mark(member: GroupMember | None) -> TrialMark:
    if member is None:
        return TrialMark(badge=Badge(text="not run", kind=NEUTRAL), episode_id=None)
    match member.state:
        case "arrived" if member.success:
            badge = Badge(text="solved", kind=GOOD)
        case "arrived":
            badge = Badge(text="not solved", kind=BAD)
        case "lost":
            badge = Badge(text="lost", kind=BAD)
        case "open":
            badge = Badge(text="open", kind=RUNNING)
        case _:
            badge = Badge(text="cancelled", kind=NEUTRAL)
    return TrialMark(badge=badge, episode_id=member.episode_id)


def make_evaluation_badge(state: EvaluationState) -> Badge:
    """How an evaluation stands."""
    kinds = {"running": RUNNING, "finished": GOOD, "failed": BAD}
    return Badge(text=state.status, kind=kinds.get(state.status, NEUTRAL))


def name_of(state: EvaluationState) -> str:
    """What was evaluated on what, for a list."""
    return f"{' and '.join(state.spec.contenders)} on {state.spec.gym or 'tasks of the request'}"


def describe_duration(seconds: float) -> str:
    """Two units at most: "40 s", "12 min", "3 h 20 min"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
