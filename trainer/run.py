"""A training run from start, or from a checkpoint, to report.

Guarantees: one process a run folder; everything that was started is stopped, also on Ctrl-C; the
state after each phase, evaluation and learner step is on disk before the next begins, so `resume`
continues there. Episodes that were under way are run again; the learner continues bit for bit.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import random
import time
from pathlib import Path
from typing import Any

import tomli_w
from rich.console import Console

from agent_server.broker import Broker
from agent_server.dispatch import Dispatcher, Reaper
from agent_server.policy.manifest import version_folder
from agent_server.policy.policy import Sampling
from agent_server.stack import Stack, StackConfig
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Run
from envs.gyms.registry import get_gym
from trainer.checkpoints import load_checkpoint, save_checkpoint
from trainer.collector import Collector, Staleness
from trainer.config import ConfigError, TrainConfig
from trainer.context import Context, PhaseRecord, publish_version
from trainer.curriculum import TaskSampler
from trainer.evaluation import heldout_tasks, summarize
from trainer.learner import Learner
from trainer.metrics import Metrics
from trainer.model import new_policy
from trainer.phases.imitate import imitate
from trainer.phases.pulse import pulse
from trainer.phases.reinforce import reinforce
from trainer.progress import Progress
from trainer.replay import SuccessPool
from trainer.report import write_report
from trainer.samples import Sample, text_sample
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer, train_tokenizer

log = logging.getLogger(__name__)

CORPUS_SEEDS = 8


def phase_names(schedule: tuple[str, ...]) -> list[str]:
    """Unique names: the second reinforce of a schedule is "reinforce-2"."""
    total = {kind: schedule.count(kind) for kind in schedule}
    seen: dict[str, int] = {}
    names = []
    for kind in schedule:
        seen[kind] = seen.get(kind, 0) + 1
        names.append(f"{kind}-{seen[kind]}" if total[kind] > 1 else kind)
    return names


@dataclasses.dataclass(slots=True)
class Position:
    """Where the schedule stands: phase, how much of it is done, whether it was trained."""

    phase: int = 0
    iteration: int = 0
    trained: bool = False
    saves: int = 0
    wall_s: float = 0.0


async def run_training(
    config: TrainConfig, run_dir: Path, console: Console, resume: bool = False
) -> dict[str, Any]:
    """Runs the schedule and writes the report, which is returned."""
    began = time.monotonic()
    run_dir.mkdir(parents=True, exist_ok=True)
    run_id = run_dir.name
    state = load_checkpoint(run_dir) if resume else None
    templates = _templates(config)
    rng = random.Random(f"run:{config.seed}")
    prepared = await asyncio.to_thread(_prepare, config, run_dir, state)
    learner, tokenizer, first, version = prepared
    if state is None:
        (run_dir / "config.toml").write_text(
            tomli_w.dumps(config.model_dump(mode="json", exclude_none=True))
        )
    serve = config.serve
    stack = Stack(
        StackConfig(
            run_dir=run_dir,
            policy_dir=first,
            workers=serve.workers,
            hosts=serve.hosts,
            concurrency=serve.concurrency,
            api_port=serve.api_port,
            policy_threads=serve.policy_threads,
            tree_chars=config.env.tree_chars,
            tree_options=config.env.tree_options,
            swap_tolerance=serve.swap_tolerance,
            api=False,
        )
    )
    names = phase_names(config.schedule)
    with Progress(console, f"deskhand {run_id}", names) as progress:
        progress.detail("starting browser, policy server, worker and API")
        async with stack:
            store = Store.open(stack.settings)
            if stack.swapper is not None:
                await stack.swapper.swap(first)
            dispatcher = Dispatcher(store, Broker(stack.settings))
            if store.runs.get(run_id) is None:
                store.runs.create(
                    Run(
                        id=run_id,
                        kind="train",
                        preset=config.preset,
                        seed=config.seed,
                        config=config.model_dump(mode="json"),
                    )
                )
            store.runs.set_status(run_id, "running")
            store.episodes.cancel_run(run_id)
            artifacts = Artifacts(stack.settings.artifacts)
            metrics = Metrics(run_dir)
            context = Context(
                config=config,
                run_id=run_id,
                run_dir=run_dir,
                stack=stack,
                store=store,
                artifacts=artifacts,
                collector=Collector(run_id, store, dispatcher, artifacts),
                learner=learner,
                tokenizer=tokenizer,
                sampler=TaskSampler(templates, config.curriculum, config.seed),
                pool=SuccessPool(),
                metrics=metrics,
                progress=progress,
                templates=templates,
                rng=rng,
                version=version,
                next_version=version + 1,
            )
            progress.invalid = lambda: sum(store.episodes.accounting(run_id).invalid.values())
            progress.note = f"{stack.api_url}/docs  key in {run_dir / 'stack.json'}"
            position = Position()
            if state is not None:
                position = _restore(context, state)
            reaper = Reaper(dispatcher, stack.settings)
            status = "failed"
            try:
                with reaper:
                    work = asyncio.create_task(_schedule(context, names, position, began))
                    await _until_done_or_failed(work, stack)
                status = "finished"
            except asyncio.CancelledError:
                status = "interrupted"
                raise
            finally:
                context.collector.abandon()
                store.runs.set_status(run_id, status)  # type: ignore[arg-type]
                metrics.close()
                learner.close()
            report = write_report(context, position.wall_s + time.monotonic() - began)
            store.close()
            return report


async def _until_done_or_failed(work: asyncio.Task[None], stack: Stack) -> None:
    """The schedule's end, or the failure of a child that cannot be kept up."""
    failed = stack.supervisor.failed
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


async def _schedule(context: Context, names: list[str], position: Position, began: float) -> None:
    config = context.config
    before = position.wall_s
    for index in range(position.phase, len(names)):
        kind, name = config.schedule[index], names[index]
        if index >= len(context.records):
            context.records.append(PhaseRecord(name, kind, policy_version=context.version))
        record = context.records[index]
        context.progress.phase(name)
        started = time.monotonic()

        async def save(iteration: int, index: int = index) -> None:
            position.phase, position.iteration = index, iteration
            position.saves += 1
            position.wall_s = before + time.monotonic() - began
            await asyncio.to_thread(
                save_checkpoint, context.run_dir, position.saves, _state(context, position)
            )

        if not position.trained:
            if kind == "imitate":
                context.learner.reset_optimizer(config.imitate.lr, 0)
                await imitate(context, record)
            elif kind == "pulse":
                await pulse(context, record)
            else:
                if position.iteration == 0:
                    context.learner.reset_optimizer(config.reinforce.lr, 0)
                await reinforce(context, record, position.iteration, save)
            record.wall_s += time.monotonic() - started
            position.trained = True
            await save(0)
        await evaluate(context, record)
        position.trained = False
        await save(0, index + 1)
    position.wall_s = before


async def evaluate(context: Context, record: PhaseRecord) -> None:
    """Held-out episodes with the live policy: the same tasks after every phase."""
    config = context.config
    tasks = heldout_tasks(config.env.gym, context.templates, config.eval.episodes, config.seed)
    sampling = Sampling(
        temperature=config.eval.temperature, max_tokens=config.sampling.max_tokens, seed=None
    )
    context.progress.detail(f"evaluating on {len(tasks)} held-out tasks")
    started = time.monotonic()
    context.collector.ask(
        f"{record.name}/eval", "eval", tasks, 1, "live", sampling, screenshots=EVAL_SCREENSHOTS
    )
    home = []
    while context.collector.in_flight:
        groups = await context.collector.gather(20, context.version, 10**9)
        context.progress.episodes(groups)
        home += groups
        context.progress.fraction(len(home) / len(tasks))
    record.eval = summarize(home, len(tasks))
    record.eval_s = time.monotonic() - started
    record.policy_version = context.version
    low, high = record.eval["ci95"]
    context.progress.evaluated(record.name, record.eval["success_rate"], low, high)
    context.metrics.log(
        "eval",
        len(context.records),
        {
            "phase": record.name,
            "success_rate": record.eval["success_rate"],
            "score_mean": record.eval["score_mean"],
            "seconds": record.eval_s,
        },
    )


EVAL_SCREENSHOTS = 4
"""Episodes of an evaluation that record pictures, for the report's replays."""


def _prepare(
    config: TrainConfig, run_dir: Path, state: dict[str, Any] | None
) -> tuple[Learner, Any, Path, int]:
    """Learner, tokenizer, and the version to serve first: version 0, untrained, or the live one."""
    policy_dir = run_dir / "policy"
    if state is not None:
        version = int(state["version"])
        folder = version_folder(policy_dir, version)
        learner = Learner(folder, config.learner)
        learner.load_state_dict(state["learner"])
        return learner, load_tokenizer(folder), folder, version
    gym = get_gym(config.env.gym)
    corpus = [text for seed in range(CORPUS_SEEDS) for text in gym.corpus(seed)]
    tokenizer = train_tokenizer(corpus, config.model.vocab_size)
    model = new_policy(config.model, len(tokenizer), config.seed)
    learner = Learner(model, config.learner)
    probe = text_sample(
        encode_prompt(tokenizer, "\n".join(corpus[:8])), encode_answer(tokenizer, corpus[0])
    )
    probes: list[Sample] = [probe]
    folder = publish_version(policy_dir, 0, None, "start", learner, tokenizer, probes)
    return learner, tokenizer, folder, 0


def _templates(config: TrainConfig) -> tuple[str, ...]:
    try:
        known = get_gym(config.env.gym).templates
    except KeyError as error:
        raise ConfigError(f"env.gym: {error.args[0]}") from error
    unknown = [name for name in config.env.templates if name not in known]
    if unknown:
        raise ConfigError(
            f"env.templates: {config.env.gym} has no template {unknown[0]!r}; "
            f"there are: {', '.join(known)}"
        )
    return config.env.templates or known


def _state(context: Context, position: Position) -> dict[str, Any]:
    stale = context.collector.staleness
    return {
        "position": dataclasses.asdict(position),
        "learner": context.learner.state_dict(),
        "version": context.version,
        "next_version": context.next_version,
        "rejected": sorted(context.rejected),
        "sampler": context.sampler.state_dict(),
        "pool": context.pool.state_dict(),
        "rng": context.rng.getstate(),
        "records": [dataclasses.asdict(record) for record in context.records],
        "demonstrations": context.demonstrations,
        "staleness": dataclasses.asdict(stale),
    }


def _restore(context: Context, state: dict[str, Any]) -> Position:
    context.next_version = state["next_version"]
    context.rejected = set(state["rejected"])
    context.sampler.load_state_dict(state["sampler"])
    context.pool.load_state_dict(state["pool"])
    context.rng.setstate(state["rng"])
    context.records = [PhaseRecord(**record) for record in state["records"]]
    context.demonstrations = state["demonstrations"]
    context.collector.staleness = Staleness(**state["staleness"])
    return Position(**state["position"])
