"""What all phases of a run share, and the one way in which new weights reach the server.

Guarantees: a version is published, swapped in, verified and recorded in this order; a rejected one
never stays live and its tokens are never trained on; a policy server that died in a swap is waited
for within a bound; the learner runs in a thread, so that episodes and the display continue.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizerFast

from agent_server.agents.judge import Judge
from agent_server.agents.text_model import TextModel
from agent_server.episodes.agent import Policy, Sampling
from agent_server.policy.manifest import MANIFEST, Manifest, version_folder
from agent_server.policy.swap import CallRefused, SwapFailed, SwapReport
from agent_server.policy.swap_all import VersionSwapper
from agent_server.stack.served_version import record_swap
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode, PolicyVersion
from envs.contract.task import Task
from trainer.collector import Collector
from trainer.config import TrainConfig
from trainer.critic import Critic
from trainer.curriculum import TaskSampler, make_task
from trainer.learner import Learner
from trainer.loss_config import LossConfig
from trainer.metrics import Metrics
from trainer.progress import Progress
from trainer.publish import mark_live, publish_version
from trainer.replay import SuccessPool
from trainer.samples import Sample
from trainer.task_set import TaskSet
from trainer.threads import in_thread
from trainer.triggers import Reading

PROBES = 4
"""Samples of the phase's own batch that a swap is verified with."""
PROBE_TOKENS = 256
"""Longest sample that is preferred as a probe: verification happens while requests wait."""
SERVER_RESTART_S = 240.0
"""How long a swap waits for a policy server that is being restarted."""
SERVER_POLL_S = 2.0


@dataclass(slots=True)
class PhaseRecord:
    """One entry of `phases` in report.json, filled as the run goes; persisted in run.json."""

    name: str
    kind: str
    policy_version: int = 0
    entropies: list[float] = field(default_factory=list)
    mismatches: list[tuple[float, float, float]] = field(default_factory=list)
    """(mean |logprob difference|, mean k3, tokens) of each learner step"""
    eval: dict[str, Any] = field(default_factory=dict)
    dev: dict[str, Any] = field(default_factory=dict)
    """the same on dev tasks, by which the final policy is chosen"""
    iterations: int = 0
    learner_tokens: int = 0
    learner_s: float = 0.0
    wall_s: float = 0.0
    eval_s: float = 0.0
    eval_more_s: float = 0.0
    """of greedy, controls and unseen sets, at the end of the run"""
    ended_by: str = ""
    windows: list[tuple[float, float]] = field(default_factory=list)
    """when it trained, seconds since the epoch: one for each process, up to its last checkpoint"""
    slots: int | None = None
    """episodes that the workers could run at once; None: nobody counted them"""
    readings: list[Reading] = field(default_factory=list)
    """what triggers look at, one for each learner step"""
    pulsed_after: int = 0
    """readings before the last pulse of an interleave phase"""
    entropy_fixed: float | None = None
    """on the fixed states when it ended"""
    entropy_average: float | None = None
    """moving average of an imitation's updates, see `StoppingRule`"""
    supervised_s: float = 0.0
    """of supervised updates since they began, of all processes"""
    heldout: list[str] = field(default_factory=list)
    """ids of an imitation's demonstrations of dev tasks"""

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> PhaseRecord:
        """The inverse of `dataclasses.asdict`. Raises TypeError for another version's."""
        readings = [Reading(**reading) for reading in state.get("readings", ())]
        return cls(**state | {"readings": readings})


@dataclass(slots=True, kw_only=True)
class Context:
    """The parts of one run, and its state between two phases."""

    config: TrainConfig
    run_id: str
    run_dir: Path
    swapper: VersionSwapper
    store: Store
    artifacts: Artifacts
    collector: Collector
    learner: Learner
    tokenizer: PreTrainedTokenizerFast
    sampler: TaskSampler
    pool: SuccessPool
    metrics: Metrics
    progress: Progress
    tasks: TaskSet
    rng: random.Random
    version: int = 0
    """the live policy version"""
    next_version: int = 1
    rejected: set[int] = field(default_factory=set)
    """versions that did not verify"""
    learner_ahead: int = 0
    """versions since the live one, all rejected: their updates are in the learner's weights"""
    records: list[PhaseRecord] = field(default_factory=list)
    demonstrations: list[str] = field(default_factory=list)
    """ids of the successful oracle episodes"""
    states: list[Sample] = field(default_factory=list)
    """fixed ones, see `trainer.phases.states`"""
    policy: Policy | None = None
    """client of the policy server, where the trainer itself asks it"""
    feedback_model: TextModel | None = None
    """writes what went wrong, where `feedback.endpoint` says so"""
    judge: Judge | None = None
    """gives the scores of episodes to learn from, where `judge.rewards` says so"""
    critic: Critic | None = None
    """of the present phase, once an algorithm asked for values"""

    @property
    def sampling(self) -> Sampling:
        """How episodes to learn from are sampled."""
        section = self.config.sampling
        return Sampling(temperature=section.temperature, max_tokens=section.max_tokens)

    def make_task(self, template: str, seed: int) -> Task:
        """A task of "gym/template", with the run's own tools and limits."""
        env = self.config.env
        task = make_task(template, seed).model_copy(update={"tools": env.tools})
        return task if env.max_steps is None else limit_steps(task, env.max_steps)

    def is_trusted(self, row: Episode) -> bool:
        """True if no rejected version can have produced a token of the episode."""
        if row.version_min is None or row.version_max is None:
            return True
        return self.trusts(row.version_min, row.version_max)

    def trusts(self, oldest: int, newest: int) -> bool:
        """True if none of these versions was rejected."""
        return not any(oldest <= bad <= newest for bad in self.rejected)

    async def train(
        self,
        record: PhaseRecord,
        samples: Sequence[Sample],
        lr: float,
        minibatches: int = 1,
        loss: LossConfig | None = None,
    ) -> dict[str, float]:
        """One learner step, in a thread; its figures go to the phase's record."""
        figures = await in_thread(self.learner.step, samples, lr, minibatches, loss)
        record.entropies.append(figures["entropy_mean"])
        record.learner_tokens += int(figures["tokens"])
        record.learner_s += figures["seconds"]
        if figures["mismatch/tokens"]:
            record.mismatches.append(
                (
                    figures["mismatch/abs_logprob_mean"],
                    figures["mismatch/k3_mean"],
                    figures["mismatch/tokens"],
                )
            )
        return figures

    async def publish_and_swap(self, record: PhaseRecord, samples: Sequence[Sample]) -> SwapReport:
        """Publishes the learner's present weights and swaps them into the live server; a few of
        the samples become its probes."""
        # The number is used up even when the swap fails: version folders are never overwritten.
        version, self.next_version = self.next_version, self.next_version + 1
        folder = await in_thread(self._publish, version, record.name, samples)
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
        row_id = self.store.runs.add_version(
            PolicyVersion(
                run_id=self.run_id,
                version=version,
                parent=self.version,
                path=str(folder),
                sha256=manifest.sha256,
                phase=record.name,
            )
        )
        started = time.perf_counter()
        report = await self.swap(folder)
        seconds = time.perf_counter() - started
        record_swap(self.store.runs, row_id, report)
        self._log_swap(report, seconds)
        if report.accepted:
            self.version, self.learner_ahead = version, 0
        else:
            self.learner_ahead += 1
            # The server has the old weights again, but answered with these ones while they were
            # verified: episodes with such tokens are left out by `is_trusted`.
            self.rejected.add(version)
        record.policy_version = self.version
        self.progress.count_swap(report.accepted)
        return report

    async def swap(self, folder: Path) -> SwapReport:
        """Swaps a published version in, and marks it live when it verifies.

        A server that does not follow may have died: the supervisor restarts it with the version
        before, so the swap is tried again until SERVER_RESTART_S are over, unless the server
        refuses it for good. Raises SwapFailed."""
        deadline = time.monotonic() + SERVER_RESTART_S
        while True:
            try:
                report = await self.swapper.swap(folder)
            except SwapFailed as error:
                is_final = isinstance(error, CallRefused) and error.is_final
                if is_final or time.monotonic() > deadline:
                    raise
                self.progress.show_detail(f"waiting for the policy server: {error}")
                await asyncio.sleep(SERVER_POLL_S)
                continue
            if report.accepted:
                mark_live(folder)
            return report

    def _log_swap(self, report: SwapReport, seconds: float) -> None:
        self.metrics.log(
            "swap",
            report.version,
            {
                "accepted": int(report.accepted),
                "pause_ms": report.pause_ms,
                "mean_abs_diff": report.mean_abs_diff,
                "seconds": seconds,
            },
        )

    def _publish(self, version: int, phase: str, samples: Sequence[Sample]) -> Path:
        short = [sample for sample in samples if sample.tokens <= PROBE_TOKENS] or list(samples)
        return publish_version(
            self.run_dir / "policy",
            version=version,
            parent=self.version,
            phase=phase,
            learner=self.learner,
            tokenizer=self.tokenizer,
            samples=self.rng.sample(short, min(PROBES, len(short))),
            max_model_len=self.config.model.max_model_len,
            base=version_folder(self.run_dir / "policy", 0),
        )


def limit_steps(task: Task, steps: int) -> Task:
    """The task with another limit of steps."""
    limits = task.limits.model_copy(update={"max_steps": steps})
    return task.model_copy(update={"limits": limits})
