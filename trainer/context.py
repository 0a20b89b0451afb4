"""What all phases of a run share, and the one way in which new weights reach the server.

Guarantees: a version is published, swapped in, verified and recorded in this order; a rejected one
is never live and its tokens are never trained on; a policy server that died in a swap is waited for
within a bound; the learner runs in a thread, so that episodes and the display go on.
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

from agent_server.policy.manifest import MANIFEST, Manifest, Probe
from agent_server.policy.policy import Sampling
from agent_server.policy.swap import SwapFailed, Swapper, SwapReport
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode, PolicyVersion
from envs.tasks import Task
from trainer.collector import Collector
from trainer.config import TrainConfig
from trainer.curriculum import TaskSampler
from trainer.learner import Learner
from trainer.metrics import Metrics
from trainer.progress import Progress
from trainer.publish import mark_live, publish
from trainer.replay import SuccessPool
from trainer.samples import Sample
from trainer.task_set import TaskSet, make_task
from trainer.threads import in_thread

PROBES = 4
PROBE_TOKENS = 256
SERVER_BACK_S = 240.0
"""How long a swap waits for a policy server that is being restarted."""
SERVER_POLL_S = 2.0


@dataclass(slots=True)
class PhaseRecord:
    """One entry of `phases` in report.json, filled as the run goes."""

    name: str
    kind: str
    policy_version: int = 0
    entropies: list[float] = field(default_factory=list)
    mismatches: list[tuple[float, float, float]] = field(default_factory=list)
    eval: dict[str, Any] = field(default_factory=dict)
    iterations: int = 0
    learner_tokens: int = 0
    learner_s: float = 0.0
    wall_s: float = 0.0
    eval_s: float = 0.0
    ended_by: str = ""


@dataclass(slots=True)
class Context:
    config: TrainConfig
    run_id: str
    run_dir: Path
    swapper: Swapper
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
    next_version: int = 1
    rejected: set[int] = field(default_factory=set)
    records: list[PhaseRecord] = field(default_factory=list)
    demonstrations: list[str] = field(default_factory=list)
    """ids of the successful oracle episodes"""

    @property
    def sampling(self) -> Sampling:
        chosen = self.config.sampling
        return Sampling(temperature=chosen.temperature, max_tokens=chosen.max_tokens)

    def task(self, template: str, seed: int) -> Task:
        """A task of "gym/template", with the run's own limits."""
        env = self.config.env
        task = make_task(template, seed).model_copy(update={"tools": env.tools})
        if env.max_steps is None:
            return task
        limits = task.limits.model_copy(update={"max_steps": env.max_steps})
        return task.model_copy(update={"limits": limits})

    def trusts(self, row: Episode) -> bool:
        """No version that was rejected produced a token of it."""
        if row.version_min is None or row.version_max is None:
            return True
        return not any(row.version_min <= bad <= row.version_max for bad in self.rejected)

    async def train(
        self, record: PhaseRecord, samples: Sequence[Sample], lr: float, minibatches: int = 1
    ) -> dict[str, float]:
        """One call of the learner, in a thread; its numbers go to the phase's record."""
        done = await in_thread(self.learner.step, samples, lr, minibatches)
        record.entropies.append(done["entropy_mean"])
        record.learner_tokens += int(done["tokens"])
        record.learner_s += done["seconds"]
        if done["mismatch/tokens"]:
            record.mismatches.append(
                (
                    done["mismatch/abs_logprob_mean"],
                    done["mismatch/k3_mean"],
                    done["mismatch/tokens"],
                )
            )
        return done

    async def deliver(self, record: PhaseRecord, probes: Sequence[Sample]) -> SwapReport:
        """Publishes the learner's present weights and swaps them into the live server."""
        version, self.next_version = self.next_version, self.next_version + 1
        folder = await in_thread(self.publish, version, record.name, probes)
        row = self.store.runs.add_version(
            PolicyVersion(
                run_id=self.run_id,
                version=version,
                parent=self.version,
                path=str(folder),
                sha256=Manifest.model_validate_json((folder / MANIFEST).read_bytes()).sha256,
                phase=record.name,
            )
        )
        started = time.perf_counter()
        report = await self.swap(folder)
        self.store.runs.set_version(
            row,
            "live" if report.accepted else "rejected",
            verify={
                "mean_abs_diff": report.mean_abs_diff,
                "max_abs_diff": report.max_abs_diff,
                "reason": report.reason,
            },
            pause_ms=report.pause_ms,
        )
        self.metrics.log(
            "swap",
            version,
            {
                "accepted": int(report.accepted),
                "pause_ms": report.pause_ms,
                "mean_abs_diff": report.mean_abs_diff,
                "seconds": time.perf_counter() - started,
            },
        )
        if report.accepted:
            self.version = version
        else:
            self.rejected.add(version)
        record.policy_version = self.version
        self.progress.swap(report.accepted)
        return report

    async def swap(self, folder: Path) -> SwapReport:
        """A server that does not follow may have died: the supervisor brings it back, with the
        version before, and then it is asked again."""
        deadline = time.monotonic() + SERVER_BACK_S
        while True:
            try:
                report = await self.swapper.swap(folder)
            except SwapFailed as error:
                if time.monotonic() > deadline:
                    raise
                self.progress.detail(f"waiting for the policy server: {error}")
                await asyncio.sleep(SERVER_POLL_S)
                continue
            if report.accepted:
                mark_live(folder)
            return report

    def publish(self, version: int, phase: str, samples: Sequence[Sample]) -> Path:
        """The learner's present weights, with a few short samples as probes."""
        chosen = [
            sample
            for sample in samples
            if len(sample.prompt_ids) + len(sample.completion_ids) <= PROBE_TOKENS
        ] or list(samples)
        return publish_version(
            self.run_dir / "policy",
            version,
            self.version,
            phase,
            self.learner,
            self.tokenizer,
            self.rng.sample(chosen, min(PROBES, len(chosen))),
        )


def publish_version(
    policy_dir: Path,
    version: int,
    parent: int | None,
    phase: str,
    learner: Learner,
    tokenizer: PreTrainedTokenizerFast,
    samples: Sequence[Sample],
) -> Path:
    """Writes the learner's present weights; the probes are whole samples as it sees them now."""
    ids = [(*sample.prompt_ids, *sample.completion_ids) for sample in samples]
    whole = [Sample(sequence[:1], sequence[1:], ce=1.0) for sequence in ids]
    probes = [
        Probe(token_ids=sequence, logprobs=logprobs)
        for sequence, logprobs in zip(ids, learner.logprobs(whole), strict=True)
    ]
    return publish(
        policy_dir,
        version,
        parent,
        phase,
        learner.export_bf16_state(),
        learner.model_config,
        tokenizer,
        probes,
    )
