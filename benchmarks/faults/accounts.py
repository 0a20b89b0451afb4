"""The account of a round: what became of everything that clients submitted.

`lost`: a task that the API took and that has no terminal attempt, or one whose retries stopped
before the rules say so, or that the API tells otherwise than the database. `double`: more than one
score of one task, a terminal attempt that changed, two tasks of one key, a record that two attempts
wrote. `wrong`: a score that differs from the same oracle's without faults. A task that faults ended
as often as its retry rule allows is `gave_up`: it is accounted for, with its reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, Field

from agent_server.store.queries import retryable
from benchmarks.faults.load import Submission
from benchmarks.faults.observer import ObservedEpisode
from benchmarks.faults.records import read_record
from envs.contract.outcomes import Status


class Account(BaseModel):
    """Counts, and a sentence for each find."""

    submitted: int = 0
    attempts: int = 0
    scored: int = 0
    reasons: dict[str, int] = Field(default_factory=dict, description="of invalid attempts")
    lost: list[str] = Field(default_factory=list)
    double: list[str] = Field(default_factory=list)
    wrong: list[str] = Field(default_factory=list)
    gave_up: list[str] = Field(default_factory=list)

    @property
    def finds(self) -> list[str]:
        """What must not be."""
        return [
            f"{name}: {text}"
            for name in ("lost", "double", "wrong")
            for text in getattr(self, name)
        ]


def make_account(
    submissions: Sequence[Submission],
    episodes: Sequence[ObservedEpisode],
    calm_scores: Mapping[str, float],
    records: Path | None,
) -> Account:
    """`calm_scores`: by name of the task. `records`: their folder; None leaves them unread."""
    chains: dict[str, list[ObservedEpisode]] = defaultdict(list)
    for episode in sorted(episodes, key=lambda episode: episode.number):
        chains[episode.root].append(episode)
    account = Account(
        submitted=len(submissions),
        attempts=len(episodes),
        scored=sum(episode.status.has_score for episode in episodes),
        reasons=dict(
            Counter(str(entry.reason) for entry in episodes if entry.status is Status.INVALID)
        ),
    )
    for episode in episodes:
        if episode.changes_after_end:
            account.double.append(f"{episode.id} changed: {'; '.join(episode.changes_after_end)}")
    for submission in submissions:
        _check_submission(account, submission, chains, calm_scores)
    if records is not None:
        for episode in episodes:
            if episode.status.has_score:
                _check_record(account, episode, records)
    return account


def _check_submission(
    account: Account,
    submission: Submission,
    chains: Mapping[str, list[ObservedEpisode]],
    calm_scores: Mapping[str, float],
) -> None:
    label = f"{submission.key} ({submission.work.name}, {submission.work.policy})"
    if submission.refusal:
        account.lost.append(f"{label}: refused: {submission.refusal}")
        return
    if len(submission.ids) > 1:
        account.double.append(f"{label}: two tasks: {sorted(submission.ids)}")
    chain = [episode for task_id in submission.ids for episode in chains.get(task_id, [])]
    if not chain:
        account.lost.append(f"{label}: no row")
        return
    last, scores = chain[-1], [a for a in chain if a.status.has_score]
    if [episode.number for episode in chain] != list(range(1, len(chain) + 1)):
        account.double.append(f"{label}: attempts {[episode.id for episode in chain]}")
    if len(scores) > 1:
        account.double.append(f"{label}: scored {len(scores)} times")
    for episode in scores:
        if episode.score != calm_scores[submission.work.name]:
            account.wrong.append(
                f"{label}: {episode.id} scored {episode.score}, {episode.reason}, after "
                f"{episode.steps} steps; without faults {calm_scores[submission.work.name]}"
            )
    if last.status.has_score:
        final = submission.final or {}
        if (final.get("status"), final.get("score")) != (last.status.value, last.score):
            account.lost.append(
                f"{label}: the API says {final.get('status')} {final.get('score')}, the database "
                f"{last.status} {last.score}"
            )
    elif last.status is Status.INVALID and not retryable(last.reason, last.number):
        account.gave_up.append(f"{label}: {last.reason} x {len(chain)}: {last.detail}"[:300])
    else:
        account.lost.append(f"{label}: {last.id} is {last.status} {last.reason}: {last.detail}")


def _check_record(account: Account, episode: ObservedEpisode, records: Path) -> None:
    """The steps of a scored attempt, once each, and the summary with the same score."""
    try:
        record = read_record(records, episode.id)
    except (OSError, ValueError) as error:
        account.lost.append(f"{episode.id}: its record cannot be read: {error}")
        return
    indices = [step["index"] for step in record.steps]
    if indices != list(range(episode.steps)):
        account.double.append(f"{episode.id}: recorded steps {indices} of {episode.steps}")
    if record.summary.get("score") != episode.score:
        account.wrong.append(
            f"{episode.id}: recorded score {record.summary.get('score')}, row {episode.score}"
        )
