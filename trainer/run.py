"""A training run from start, or from a checkpoint, to report.

Guarantees: one process a run folder; everything that was started is stopped, also on Ctrl-C; the
state after each phase, evaluation and learner step is on disk before the next begins, so `resume`
continues there. The learner, the curriculum and the kept successes continue bit for bit; episodes
that were under way are run again, and sampling on the policy server is not seeded, so the data that
follow differ.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from transformers import PreTrainedTokenizerFast

from agent_server.broker import Broker
from agent_server.dispatch import Dispatcher, Reaper
from agent_server.policy.manifest import version_folder
from agent_server.services import Services
from agent_server.settings import Settings
from agent_server.stack import RunBusy, Stack, StackConfig, desktop_concurrency, run_lock
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Run
from trainer.checkpoints import load_checkpoint
from trainer.collector import Collector
from trainer.config import ConfigError, TrainConfig, phase_names
from trainer.config_file import to_toml
from trainer.context import Context, publish_version
from trainer.curriculum import TaskSampler
from trainer.learner import Learner
from trainer.metrics import Metrics
from trainer.model import new_policy
from trainer.phases.schedule import Position, restore, run_file, run_schedule
from trainer.progress import Progress
from trainer.replay import SuccessPool
from trainer.report import write_report
from trainer.run_file import RunFile
from trainer.samples import text_sample
from trainer.task_set import TaskSet, task_set
from trainer.threads import in_thread
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer, train_tokenizer

CORPUS_SEEDS = 8


async def run_training(
    config: TrainConfig,
    run_dir: Path,
    console: Console,
    resume: bool = False,
    services: Settings | None = None,
) -> dict[str, Any]:
    """Runs the schedule and writes the report, which is returned. With `services` it starts none of
    its own but uses those."""
    began = time.monotonic()
    tasks = task_set(config)
    names = phase_names(config.schedule)
    if services is not None:
        _check_services(config, services)
    with Progress(console, f"deskhand {run_dir.name}", names) as progress:
        progress.detail("making the policy")
        policy = await in_thread(_prepare, config, tasks, run_dir, resume)
        progress.detail(
            "starting browser, policy server, worker and API"
            if services is None
            else f"waiting for the policy server at {services.policy_url}"
        )
        async with contextlib.AsyncExitStack() as closing:
            closing.callback(policy.learner.close)
            serving: Stack | Services = (
                Stack(_stack_config(config, tasks, run_dir, policy))
                if services is None
                else Services(services, config.serve.swap_tolerance)
            )
            stack: Stack | Services = await closing.enter_async_context(serving)
            if stack.swapper is None:
                raise RuntimeError("the stack serves no policy")
            store = closing.enter_context(Store.open(stack.settings))
            metrics = closing.enter_context(contextlib.closing(Metrics(run_dir)))
            dispatcher = Dispatcher(store, Broker(stack.settings))
            context = Context(
                config=config,
                run_id=run_dir.name,
                run_dir=run_dir,
                swapper=stack.swapper,
                store=store,
                artifacts=Artifacts(stack.settings.artifacts),
                collector=Collector(run_dir.name, store, dispatcher, config.collector),
                learner=policy.learner,
                tokenizer=policy.tokenizer,
                sampler=TaskSampler(tasks.trained, config.curriculum, config.seed),
                pool=SuccessPool(config.pulse.keep_per_task),
                metrics=metrics,
                progress=progress,
                tasks=tasks,
                rng=random.Random(f"run:{config.seed}"),
                version=policy.version,
                next_version=policy.version + 1,
            )
            progress.invalid = lambda: sum(
                store.episodes.accounting(context.run_id).invalid.values()
            )
            if stack.api_url is not None:
                progress.note = f"{stack.api_url}/docs  key in {run_dir / 'stack.json'}"
            position = Position() if policy.state is None else restore(context, policy.state)
            before = position.wall_s
            await context.swap(policy.folder)
            with _recorded(context, before, began), Reaper(dispatcher, stack.settings):
                work = asyncio.create_task(run_schedule(context, position, began))
                await _until_done_or_failed(work, stack.failed)
            progress.detail("writing the report")
            return await in_thread(write_report, run_dir, stack.settings)


@contextlib.contextmanager
def _recorded(context: Context, before: float, began: float) -> Iterator[None]:
    """The run's status in the database and in run.json, whatever ends it."""
    runs, run_id, config = context.store.runs, context.run_id, context.config
    if runs.get(run_id) is None:
        row = Run(id=run_id, kind="train", preset=config.preset, seed=config.seed)
        row.config = config.model_dump(mode="json")
        runs.create(row)
    runs.set_status(run_id, "running")
    context.store.episodes.cancel_run(run_id)
    status = "failed"
    try:
        yield
        status = "finished"
    except asyncio.CancelledError:
        status = "interrupted"
        raise
    finally:
        context.collector.abandon()
        runs.set_status(run_id, status)  # type: ignore[arg-type]
        wall_s = before + time.monotonic() - began
        run_file(context, status, wall_s).write(context.run_dir)


async def _until_done_or_failed(
    work: asyncio.Task[None], failed: asyncio.Future[None] | None
) -> None:
    """The schedule's end, or the failure of a part that cannot be kept up."""
    waits: set[asyncio.Future[None]] = {work}
    if failed is not None:
        waits.add(failed)
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        if failed is not None and failed.done():
            failed.result()
    finally:
        if not work.done():
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
    work.result()


@dataclass(frozen=True, slots=True)
class _Policy:
    """What is served first: version 0, untrained, or the live one of a checkpoint."""

    learner: Learner
    tokenizer: PreTrainedTokenizerFast
    folder: Path
    version: int
    state: dict[str, Any] | None = None


def _prepare(config: TrainConfig, tasks: TaskSet, run_dir: Path, resume: bool) -> _Policy:
    """Raises RunBusy where another process has the run folder."""
    run_dir.mkdir(parents=True, exist_ok=True)
    with run_lock(run_dir):
        if resume:
            return _restored(config, run_dir, load_checkpoint(run_dir))
        try:
            with (run_dir / "config.toml").open("x") as file:
                file.write(to_toml(config))
        except FileExistsError as error:
            raise RunBusy(
                f"{run_dir} holds a run already; continue it with --resume {run_dir}, or give "
                "another --name"
            ) from error
        RunFile(run_dir.name, config.preset, config.seed, "running").write(run_dir)
        return _from_scratch(config, tasks, run_dir)


def _restored(config: TrainConfig, run_dir: Path, state: dict[str, Any]) -> _Policy:
    version = int(state["version"])
    folder = version_folder(run_dir / "policy", version)
    learner = Learner(folder, config.learner_config)
    learner.load_state_dict(state["learner"])
    return _Policy(learner, load_tokenizer(folder), folder, version, state)


def _from_scratch(config: TrainConfig, tasks: TaskSet, run_dir: Path) -> _Policy:
    corpus = [
        text for gym in tasks.gyms for seed in range(CORPUS_SEEDS) for text in gym.corpus(seed)
    ]
    tokenizer = train_tokenizer(corpus, config.model.vocab_size)
    model = new_policy(config.model, len(tokenizer), config.seed)
    learner = Learner(model, config.learner_config)
    probe = text_sample(
        encode_prompt(tokenizer, "\n".join(corpus[:8])), encode_answer(tokenizer, corpus[0])
    )
    folder = publish_version(run_dir / "policy", 0, None, "start", learner, tokenizer, [probe])
    return _Policy(learner, tokenizer, folder, 0)


def _stack_config(
    config: TrainConfig, tasks: TaskSet, run_dir: Path, policy: _Policy
) -> StackConfig:
    serve = config.serve
    return StackConfig(
        run_dir=run_dir,
        policy_dir=policy.folder,
        workers=serve.workers,
        hosts=serve.hosts,
        desktops=serve.desktops if tasks.on_desktops else 0,
        concurrency=desktop_concurrency(serve.concurrency, serve.desktops)
        if tasks.on_desktops
        else serve.concurrency,
        api_port=serve.api_port,
        policy_threads=serve.policy_threads,
        tree_chars=config.env.tree_chars,
        tree_options=config.env.tree_options,
        swap_tolerance=serve.swap_tolerance,
    )


def _check_services(config: TrainConfig, services: Settings) -> None:
    """Workers that others run read their own settings: they must show pages as this run learns
    them. Raises ConfigError."""
    for key in ("tree_chars", "tree_options"):
        wanted, there = getattr(config.env, key), getattr(services, key)
        if wanted != there:
            raise ConfigError(
                f"env.{key} is {wanted}, but the services work with {there}: set "
                f"DESKHAND_{key.upper()}={wanted} for them and for the trainer"
            )
