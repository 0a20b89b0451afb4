"""Makes the verdicts of an evaluation again, from the evidence that was recorded with its episodes.

Guarantees: no environment is started, and nothing of the run is changed but by `write_back`; what
cannot be judged again is listed with the reason.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent_server.evaluation.plan import Evaluation
from agent_server.evaluation.results import Trial, read_trials
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from envs.gyms.evidence import unpacked
from envs.outcomes import EpisodeFault
from envs.session import Verdict
from envs.verify.bundle import BadBundle, unbundled
from envs.verify.verdict import verdict

NOT_RECORDED = "not recorded"


class Rescored(BaseModel):
    """A trial, its score as recorded and as made again. A None is no verdict; `why` there is none
    now."""

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
    def changed(self) -> bool:
        return self.now is not None and self.now != self.was


class Rescoring(BaseModel):
    """Of the trials that ended with a verdict, or whose evidence is there."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    compat: bool
    trials: tuple[Rescored, ...]

    @property
    def changed(self) -> list[Rescored]:
        return [one for one in self.trials if one.changed]

    def solved(self, policy: str) -> tuple[int, int]:
        """As recorded, and now; a trial that was not judged again counts as recorded."""
        own = [one for one in self.trials if one.policy == policy]
        scores = [(one.was, one.was if one.now is None else one.now) for one in own]
        return sum(was == 1 for was, _ in scores), sum(now == 1 for _, now in scores)


async def rescore(folder: Path, evaluation: Evaluation, compat: bool) -> Rescoring:
    """With `compat`, as OSWorld's own metrics score."""
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    turn = asyncio.Semaphore(os.cpu_count() or 1)

    async def one(trial: Trial) -> Rescored | None:
        async with turn:
            return await _rescored(trial, artifacts, compat)

    trials = await asyncio.to_thread(read_trials, folder, evaluation)
    found = await asyncio.gather(*(one(trial) for trial in trials))
    return Rescoring(
        run_id=evaluation.run_id,
        compat=compat,
        trials=tuple(each for each in found if each is not None),
    )


def write_back(folder: Path, trials: Sequence[Rescored]) -> int:
    """Puts the verdicts that changed in the place of those recorded; how many. One that was lost
    stays lost."""
    with Store.open(Settings(run_dir=folder)) as store:
        return sum(
            store.episodes.judge_again(one.episode_id, one.verdict)
            for one in trials
            if one.changed and one.verdict is not None
        )


async def _rescored(trial: Trial, artifacts: Artifacts, compat: bool) -> Rescored | None:
    if trial.episode_id is None:
        return None
    kept = await asyncio.to_thread(artifacts.read_evidence, trial.episode_id)
    if kept is None and not trial.arrived:
        return None
    about = Rescored(
        policy=trial.policy, task_id=trial.task_id, trial=trial.trial,
        episode_id=trial.episode_id, was=trial.score,
    )  # fmt: skip
    if kept is None:
        return about.model_copy(update={"why": NOT_RECORDED})
    with tempfile.TemporaryDirectory(prefix="rescore-") as name:
        try:
            found = await _judged(kept, Path(name), compat)
        except BadBundle as error:
            return about.model_copy(update={"why": str(error)})
        except EpisodeFault as fault:
            return about.model_copy(update={"why": fault.detail})
    return about.model_copy(update={"now": found.score, "verdict": found})


async def _judged(kept: bytes, folder: Path, compat: bool) -> Verdict:
    """Raises BadBundle, EpisodeFault."""
    of_gym = await asyncio.to_thread(unpacked, kept)
    if of_gym is not None:
        return await asyncio.to_thread(of_gym.verdict)
    evidence = await asyncio.to_thread(unbundled, kept, folder)
    return await verdict(evidence, folder, compat=compat)
