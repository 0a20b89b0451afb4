"""Computes the verdicts of an evaluation again, from the evidence recorded with its episodes.

Guarantees: no environment is started, and only `write_back` changes anything of the run; trials
that cannot be judged again are listed with the reason."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent_server.evaluation.job.plan import Evaluation
from agent_server.evaluation.job.results import Trial, read_trials
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import Verdict
from envs.gyms.server.rejudge import rejudge
from envs.osworld.outside.verdict import judge_evidence
from envs.state.bundle import BadBundle, unpack_evidence
from envs.state.gym_evidence import unpack

NOT_RECORDED = "not recorded"


class Rescored(BaseModel):
    """A trial with its recorded score (`was`) and its new score (`now`). None: no verdict; `why`
    says why there is no new one."""

    model_config = ConfigDict(frozen=True)

    policy: str
    task_id: str
    trial: int
    episode_id: str
    was: float | None
    now: float | None = None
    why: str = ""
    verdict: Verdict | None = None

    @property
    def has_changed(self) -> bool:
        """Whether the new score differs from the recorded one."""
        return self.now is not None and self.now != self.was


class Rescoring(BaseModel):
    """The trials that ended with a verdict or have recorded evidence."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    compat: bool
    trials: tuple[Rescored, ...]

    @property
    def changed_trials(self) -> list[Rescored]:
        """Trials whose score is not the recorded one any more."""
        return [trial for trial in self.trials if trial.has_changed]

    def count_solved(self, policy: str) -> tuple[int, int]:
        """Solved trials as recorded, and now. A trial without a new verdict counts as recorded."""
        trials = [trial for trial in self.trials if trial.policy == policy]
        before = sum(trial.was == 1 for trial in trials)
        after = sum((trial.was if trial.now is None else trial.now) == 1 for trial in trials)
        return before, after


async def rescore(folder: Path, evaluation: Evaluation, compat: bool) -> Rescoring:
    """Judge every trial of the run in `folder` again. With `compat`, metrics keep OSWorld's own
    defects."""
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    cpu_slots = asyncio.Semaphore(os.cpu_count() or 1)

    async def rescore_when_free(trial: Trial) -> Rescored | None:
        async with cpu_slots:
            return await _rescore_trial(trial, artifacts, compat)

    trials = await asyncio.to_thread(read_trials, folder, evaluation)
    rescored = await asyncio.gather(*(rescore_when_free(trial) for trial in trials))
    return Rescoring(
        run_id=evaluation.run_id,
        compat=compat,
        trials=tuple(trial for trial in rescored if trial is not None),
    )


def write_back(folder: Path, trials: Sequence[Rescored]) -> int:
    """Replace the recorded verdicts that changed; returns how many. A lost trial stays lost."""
    with Store.open(Settings(run_dir=folder)) as store:
        return sum(
            store.episodes.judge_again(trial.episode_id, trial.verdict)
            for trial in trials
            if trial.has_changed and trial.verdict is not None
        )


async def _rescore_trial(trial: Trial, artifacts: Artifacts, compat: bool) -> Rescored | None:
    if trial.episode_id is None:
        return None
    bundle = await asyncio.to_thread(artifacts.read_evidence, trial.episode_id)
    if bundle is None and not trial.has_verdict:
        return None
    entry = Rescored(
        policy=trial.policy,
        task_id=trial.task_id,
        trial=trial.trial,
        episode_id=trial.episode_id,
        was=trial.score,
    )
    if bundle is None:
        return entry.model_copy(update={"why": NOT_RECORDED})
    with tempfile.TemporaryDirectory(prefix="rescore-") as name:
        try:
            verdict_now = await _judge_bundle(bundle, Path(name), compat)
        except BadBundle as error:
            return entry.model_copy(update={"why": str(error)})
        except EpisodeFault as fault:
            return entry.model_copy(update={"why": fault.detail})
    return entry.model_copy(update={"now": verdict_now.score, "verdict": verdict_now})


async def _judge_bundle(bundle: bytes, folder: Path, compat: bool) -> Verdict:
    """Raises BadBundle, EpisodeFault."""
    of_gym = await asyncio.to_thread(unpack, bundle)
    if of_gym is not None:
        return await asyncio.to_thread(rejudge, of_gym)
    evidence = await asyncio.to_thread(unpack_evidence, bundle, folder)
    return await judge_evidence(evidence, folder, compat=compat)
