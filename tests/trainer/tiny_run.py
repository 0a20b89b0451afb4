"""A run without browser and policy server: a real store, learner and collector, episodes that a
scripted worker finishes, and swaps that are accepted or rejected as a test says."""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from transformers import PreTrainedTokenizerFast

from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.policy.manifest import read_manifest
from agent_server.policy.swap import CallRefused, SwapFailed, Swapper, SwapReport
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run, utcnow
from envs.contract.actions import ActionError, ActionResult
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from trainer.collector import Collector
from trainer.config import TrainConfig
from trainer.context import Context
from trainer.curriculum import TaskSampler
from trainer.learner import Learner
from trainer.metrics import Metrics
from trainer.model import new_policy
from trainer.progress import Progress
from trainer.replay import SuccessPool
from trainer.task_set import resolve_tasks
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

CONFIG: dict[str, Any] = {
    "env": {"tasks": ["shop/price"]},
    "model": {
        "vocab_size": 400,
        "hidden": 64,
        "layers": 1,
        "heads": 1,
        "kv_heads": 1,
        "intermediate": 64,
    },
    "learner": {"threads": 1},
    "collector": {"poll_s": 0.01},
    "imitate": {"episodes": 4, "updates": 3, "batch_steps": 2},
    "reinforce": {"iterations": 2, "groups": 2, "group_size": 2},
    "pulse": {"updates": 2, "batch_steps": 2},
    "eval": {"episodes": 3, "dev_episodes": 0},
}


@cache
def tiny_tokenizer() -> PreTrainedTokenizerFast:
    return train_tokenizer(["task: buy\nlink Cart #1\nclick Cart\nlook"], 400)


@dataclass
class ScriptedSwapper:
    """Gives the outcomes in turn, then accepts: "accepted", "rejected", or "failed"
    or "refused" once."""

    outcomes: list[str] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)

    async def swap(self, folder: Path) -> SwapReport:
        outcome = self.outcomes.pop(0) if self.outcomes else "accepted"
        if outcome == "failed":
            raise SwapFailed("policy server: connection refused")
        if outcome == "refused":
            raise CallRefused("policy server: /collective_rpc answered 403: not this path", 403)
        self.folders.append(folder)
        version = read_manifest(folder).version
        accepted = outcome == "accepted"
        return SwapReport(version, accepted, 5.0, 0.01 if accepted else 1.0, 0.02)


def make_step(text: str = "click Cart", prompt: str = "link Cart #1", version: int = 0) -> Step:
    """A step as the policy server would have answered it."""
    tokenizer = tiny_tokenizer()
    ids = tuple(encode_answer(tokenizer, text))
    completion = Completion(
        text=text,
        prompt_ids=tuple(encode_prompt(tokenizer, prompt)),
        token_ids=ids,
        logprobs=(-1.0,) * len(ids),
        version_min=version,
        version_max=version,
    )
    return Step(index=0, prompt=prompt, completion=completion, result=ActionResult.success())


def make_refused_step(text: str = "look") -> Step:
    """A step whose answer could not be read."""
    result = ActionResult.failure(ActionError.MALFORMED, "cannot read it")
    return make_step(text).model_copy(update={"result": result})


def record_episode(context: Context, episode_id: str, steps: list[Step]) -> None:
    with Recorder(context.artifacts, episode_id) as recorder:
        for step in steps:
            recorder.record_step(step)


@contextlib.contextmanager
def open_context(run_dir: Path, **changes: Any) -> Iterator[Context]:
    """A context of a new run; `changes` replace whole sections of the configuration."""
    config = TrainConfig.model_validate(CONFIG | changes)
    settings = Settings(run_dir=run_dir)
    tasks = resolve_tasks(config)
    learner = Learner(new_policy(config.model, len(tiny_tokenizer()), 0), config.learner_config)
    run_dir.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as closing:
        closing.callback(learner.close)
        store = closing.enter_context(Store.open(settings))
        if store.runs.get(run_dir.name) is None:
            store.runs.create(Run(id=run_dir.name, kind="train"))
        metrics = closing.enter_context(contextlib.closing(Metrics(run_dir)))
        dispatcher = Dispatcher(store, Broker(settings))
        yield Context(
            config=config,
            run_id=run_dir.name,
            run_dir=run_dir,
            swapper=cast(Swapper, ScriptedSwapper()),
            store=store,
            artifacts=Artifacts(settings.artifacts),
            collector=Collector(run_dir.name, store, dispatcher, config.collector),
            learner=learner,
            tokenizer=tiny_tokenizer(),
            sampler=TaskSampler(tasks.trained, config.curriculum, config.seed),
            pool=SuccessPool(config.pulse.keep_per_task),
            metrics=metrics,
            progress=Progress(Console(file=io.StringIO()), "tiny run", []),
            tasks=tasks,
            rng=random.Random(0),
        )


def solves_by_slot(row: Episode) -> bool:
    """Oracles and even slots succeed, others fail."""
    return row.policy == "oracle" or row.slot % 2 == 0


@contextlib.asynccontextmanager
async def working(
    context: Context,
    solves: Callable[[Episode], bool] = solves_by_slot,
    prompt: Callable[[Episode], str] = lambda _: "link Cart #1",
    step: Callable[[Episode], Step] | None = None,
) -> AsyncIterator[None]:
    """Finishes episodes as they are dispatched, with successes as `solves` says and one step each,
    which `step` makes where it is given."""

    def finish(row: Episode) -> None:
        assert context.store.episodes.lease(row.id, "worker") is not None
        solved = solves(row)
        version = None if row.policy == "oracle" else context.version
        text = "click Cart" if solved else "look"
        recorded = make_step(text, prompt(row), version or 0) if step is None else step(row)
        record_episode(context, row.id, [recorded])
        result = EpisodeResult(
            Status.SCORED,
            EndReason.DONE,
            verdict=Verdict(score=float(solved)),
            steps=1,
            version_min=version,
            version_max=version,
        )
        context.store.episodes.finish(row.id, "worker", result)

    async def work() -> None:
        while True:
            for row in context.store.episodes.get_many(context.store.episodes.waiting(utcnow())):
                finish(row)
            await asyncio.sleep(0.01)

    task = asyncio.create_task(work())
    try:
        async with asyncio.timeout(300):
            yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
