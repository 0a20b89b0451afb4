"""A training run from its start, or from a checkpoint, to its report.

Guarantees: one process for a run folder; everything that was started is stopped, also on Ctrl-C;
the state after each phase, evaluation and learner step is on disk before the next begins, so
`resume` continues there. The learner, the curriculum and the kept successes continue bit for bit;
episodes that were under way are run again, and sampling on the policy server is not seeded, so the
data that follow differ.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from agent_server.agents.judge import make_judge
from agent_server.agents.text_model import TextModel
from agent_server.policy.live import make_live_policy
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.queue.reaper import Reaper
from agent_server.settings import Settings
from agent_server.stack.local_stack import Stack, StackConfig, desktop_concurrency
from agent_server.stack.running import RunningStack, run_until_failure
from agent_server.stack.services import Services
from agent_server.store.artifacts import Artifacts
from agent_server.store.runs import RunStatus
from agent_server.store.store import Store
from agent_server.store.tables import Run, utcnow
from envs.browser.page_size import parse_page_size
from trainer.collector import Collector
from trainer.config import ConfigError, TrainConfig
from trainer.context import Context
from trainer.curriculum import TaskSampler
from trainer.initial_policy import InitialPolicy, prepare_policy
from trainer.metrics import Metrics
from trainer.model_start import check_start_model
from trainer.phase_order import phase_names
from trainer.phases.chat_examples import check_examples
from trainer.phases.schedule import Position, make_run_file, restore, run_schedule
from trainer.phases.text_episodes import open_source
from trainer.phases.tool_episodes import open_toolbox
from trainer.progress import Progress
from trainer.replay import SuccessPool
from trainer.report import write_report
from trainer.task_set import TaskSet, check_oracles, resolve_tasks
from trainer.threads import in_thread


async def run_training(
    config: TrainConfig,
    run_dir: Path,
    console: Console,
    resume: bool = False,
    services: Settings | None = None,
) -> dict[str, Any]:
    """Runs the schedule and writes the report, which is returned. With `services` it starts none of
    its own but uses those."""
    began, opened_at = time.monotonic(), utcnow()
    tasks = resolve_tasks(config)
    open_source(config.reasoning)
    open_toolbox(config.toolbox)
    check_examples(config)
    check_oracles(config, tasks)
    if services is not None:
        check_services(config, services)
    if not resume:
        plan = await in_thread(check_start_model, config, tasks, serves=services is None)
        if plan is not None:
            console.print(plan, highlight=False, soft_wrap=True)
    title = f"deskhand {run_dir.name}"
    with Progress(console, title, phase_names(config.schedule)) as progress:
        progress.show_detail("making the policy")
        policy = await in_thread(prepare_policy, config, tasks, run_dir, resume)
        progress.show_detail(
            "starting browser, policy server, worker and API"
            if services is None
            else f"waiting for the policy server at {', '.join(services.policy_urls)}"
        )
        stack_config = _make_stack_config(config, tasks, run_dir, policy)
        async with contextlib.AsyncExitStack() as closing:
            closing.callback(policy.learner.close)
            serving: RunningStack = (
                Stack(stack_config)
                if services is None
                else Services(services, config.serve.swap_tolerance)
            )
            stack = await closing.enter_async_context(serving)
            store = closing.enter_context(Store.open(stack.settings))
            metrics = Metrics(run_dir, config.metrics.sinks, config.metrics.project)
            closing.callback(metrics.close)
            context = _make_context(
                config=config,
                run_dir=run_dir,
                tasks=tasks,
                policy=policy,
                stack=stack,
                store=store,
                metrics=metrics,
                progress=progress,
            )
            if config.judge.rewards:
                context.judge = make_judge(config.judge)
                closing.push_async_callback(context.judge.close)
            if config.feedback.endpoint is not None:
                model = TextModel(config.feedback.endpoint)
                closing.push_async_callback(model.close)
                context.feedback_model = model
            if _asks_policy(config):
                live = make_live_policy(stack.settings)
                closing.push_async_callback(live.close)
                context.policy = live
            position = Position() if policy.state is None else restore(context, policy.state)
            wall_s_before = position.wall_s
            # A server that others run may have any version: the run begins with its own.
            await context.swap(policy.folder)
            reaper = Reaper(context.collector.dispatcher, stack.settings)
            if services is None:
                # Workers of this process alone run them: those of an earlier one are gone.
                store.episodes.end_running(context.run_id, opened_at)
            keep = [group["id"] for group in position.groups]
            with track_status(context, wall_s_before, began, keep), reaper:
                await run_until_failure(run_schedule(context, position, began), stack.failure)
            progress.show_detail("writing the report")
            return await in_thread(write_report, run_dir, stack.settings)


def _asks_policy(config: TrainConfig) -> bool:
    """Whether the trainer itself asks the policy: for answers to problems or demonstrations."""
    if config.reasoning.share or config.reasoning.heldout:
        return True
    if config.toolbox.share:
        return True
    if config.feedback.retries and config.feedback.writer == "policy":
        return True
    algorithms = [config.reinforce_config(name).make_algorithm() for name in config.reinforcing()]
    return any(algorithm.source == "demonstrations" for algorithm in algorithms)


def _make_context(
    *,
    config: TrainConfig,
    run_dir: Path,
    tasks: TaskSet,
    policy: InitialPolicy,
    stack: RunningStack,
    store: Store,
    metrics: Metrics,
    progress: Progress,
) -> Context:
    """A context with what a new run starts from; `restore` puts a checkpoint's state into it."""
    if stack.swapper is None:
        raise RuntimeError("the stack serves no policy")
    run_id = run_dir.name
    progress.count_invalid = lambda: sum(store.episodes.accounting(run_id).invalid.values())
    if stack.api_url is not None:
        progress.api_note = f"{stack.api_url}/docs  key in {run_dir / 'stack.json'}"
    dispatcher = Dispatcher(store, Broker(stack.settings))
    return Context(
        config=config,
        run_id=run_id,
        run_dir=run_dir,
        swapper=stack.swapper,
        store=store,
        artifacts=Artifacts(stack.settings.artifacts),
        collector=Collector(run_id, store, dispatcher, config.collector),
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


@contextlib.contextmanager
def track_status(
    context: Context, wall_s_before: float, began: float, keep: Collection[str] = ()
) -> Iterator[None]:
    """Keeps the run's status in the database and in run.json, however the run ends. Episodes that
    an earlier process left open are cancelled at the start, but for those of the groups to `keep`,
    and those of this one at the end."""
    runs, run_id, config = context.store.runs, context.run_id, context.config
    if runs.get(run_id) is None:
        row = Run(id=run_id, kind="train", preset=config.preset, seed=config.seed)
        row.config = config.model_dump(mode="json")
        runs.create(row)
    runs.set_status(run_id, "running")
    context.store.episodes.cancel_run(run_id, keep)
    status: RunStatus = "failed"
    try:
        yield
        status = "finished"
    except asyncio.CancelledError:
        status = "interrupted"
        raise
    finally:
        context.collector.cancel_in_flight()
        runs.set_status(run_id, status)
        wall_s = wall_s_before + time.monotonic() - began
        make_run_file(context, status, wall_s).write(context.run_dir)


def _make_stack_config(
    config: TrainConfig, tasks: TaskSet, run_dir: Path, policy: InitialPolicy
) -> StackConfig:
    serve = config.serve
    return StackConfig(
        run_dir=run_dir,
        policy_dir=policy.folder,
        workers=serve.workers,
        hosts=serve.hosts,
        desktops=serve.desktops if tasks.needs_desktops else 0,
        concurrency=desktop_concurrency(serve.concurrency, serve.desktops)
        if tasks.needs_desktops
        else serve.concurrency,
        api_port=serve.api_port,
        policy_threads=serve.policy_threads,
        engine=serve.engine,
        tree_chars=config.env.tree_chars,
        tree_options=config.env.tree_options,
        swap_tolerance=serve.swap_tolerance,
        lora_rank=config.learner.lora.rank,
        view=config.env.view,
        page=parse_page_size(config.env.page),
        extra={"policy_delay_s": serve.policy_delay_s, "policy_roles": config.roles},
    )


def check_services(config: TrainConfig, services: Settings) -> None:
    """Raises ConfigError where workers that others run would show pages in another way than this
    run learns them: they read their own settings."""
    for key, own_value, setting in (
        ("env.tree_chars", config.env.tree_chars, "tree_chars"),
        ("env.tree_options", config.env.tree_options, "tree_options"),
        ("model.max_model_len", config.model.max_model_len, "policy_max_model_len"),
        ("env.view", config.env.view, "policy_view"),
        ("roles", config.roles, "policy_roles"),
    ):
        services_value = getattr(services, setting)
        if own_value != services_value:
            raise ConfigError(
                f"{key} is {own_value}, but the services work with {services_value}: set "
                f"DESKHAND_{setting.upper()}={own_value} for them and for the trainer"
            )
