"""`deskhand eval`: held-out tasks of a gym, or task files; one policy, a number with its interval.

The denominator is fixed at the start; an episode that infrastructure lost for good counts as not
solved, and the result says how many those were.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import orjson
from rich.console import Console
from rich.progress import Progress

from agent_server.broker import Broker
from agent_server.dispatch import Dispatcher, Reaper
from agent_server.heldout import heldout_draws, wilson
from agent_server.policy.policy import Sampling
from agent_server.stack import Stack, StackConfig, desktop_concurrency
from agent_server.store.episodes import new_id
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group, Run
from agent_server.task_files import load_tasks
from envs.gyms.registry import get_gym
from envs.tasks import Task

TIMEOUT_S = 3600.0
PAGE_TREE_CHARS, DESKTOP_TREE_CHARS = 1600, 6000
"""Office windows hold more than pages do."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`tasks` names task files; then `episodes` is the number of trials of each, and gym, templates
    and seed say nothing."""

    gym: str
    templates: tuple[str, ...]
    policy: str
    episodes: int
    seed: int
    temperature: float
    concurrency: int
    tasks: str | None = None
    tools: Literal["gui", "api", "both"] = "both"
    desktops: int = 2


def tasks_of(asked: Evaluation) -> list[Task]:
    """One for each episode. Raises TaskFileError."""
    if asked.tasks is not None:
        chosen = [task for task in load_tasks(Path(asked.tasks)) for _ in range(asked.episodes)]
    else:
        chosen = heldout(asked)
    return [task.model_copy(update={"tools": asked.tools}) for task in chosen]


def heldout(asked: Evaluation) -> list[Task]:
    """The tasks, each template in its turn."""
    gym = get_gym(asked.gym)
    templates = asked.templates or gym.templates
    drawn = heldout_draws(templates, asked.episodes, asked.seed)
    return [gym.make_task(template, seed) for template, seed in drawn]


async def run_evaluation(
    asked: Evaluation, run_dir: Path, model: Path | None, console: Console, json_path: Path | None
) -> None:
    """Runs and prints it; writes the JSON if a path is given."""
    tasks = await asyncio.to_thread(tasks_of, asked)
    on_desktops = any(task.env == "desktop" for task in tasks)
    config = StackConfig(
        run_dir=run_dir,
        policy_dir=model,
        concurrency=desktop_concurrency(asked.concurrency, asked.desktops)
        if on_desktops
        else asked.concurrency,
        desktops=asked.desktops if on_desktops else 0,
        tree_chars=DESKTOP_TREE_CHARS if on_desktops else PAGE_TREE_CHARS,
        api=False,
    )
    async with Stack(config) as stack:
        if stack.swapper is not None and model is not None:
            await stack.swapper.swap(model)
        with Store.open(stack.settings) as store:
            dispatcher = Dispatcher(store, Broker(stack.settings))
            with Reaper(dispatcher, stack.settings):
                rows = await _rows(asked, tasks, store, dispatcher, console)
    result = _result(asked, tasks, rows)
    low, high = result["ci95"]
    console.print(
        f"success {result['success_rate']:.1%}  [{low:.1%}, {high:.1%}]  n={result['n']}  "
        f"lost {result['lost']}",
        highlight=False,
    )
    for row in rows:
        if not row.success:
            why = row.detail or row.reason
            console.print(f"not solved: {row.task['id']}: {why}", highlight=False)
    if json_path is not None:
        json_path.write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2))


async def _rows(
    asked: Evaluation, tasks: list[Task], store: Store, dispatcher: Dispatcher, console: Console
) -> list[Episode]:
    run_id = new_id("r")
    store.runs.create(Run(id=run_id, kind="eval", seed=asked.seed, config=asdict(asked)))
    sampling = Sampling(temperature=asked.temperature).model_dump()
    groups = [
        Group(id=new_id("g"), run_id=run_id, phase="eval", template=task.template or "",
              seed=task.seed, size=1)
        for task in tasks
    ]  # fmt: skip
    store.episodes.create_groups(groups)
    dispatcher.dispatch(
        [
            Episode(
                id=new_id(),
                run_id=run_id,
                phase="eval",
                purpose="eval",
                group_id=group.id,
                task=task.model_dump(mode="json"),
                policy=asked.policy,
                sampling=sampling,
            )
            for group, task in zip(groups, tasks, strict=True)
        ]
    )
    deadline = time.monotonic() + TIMEOUT_S
    arrived: list[str] = []
    with Progress(console=console) as progress:
        bar = progress.add_task("episodes", total=len(tasks))
        while time.monotonic() < deadline:
            statuses = await asyncio.to_thread(
                store.episodes.group_statuses, [group.id for group in groups]
            )
            done = [status for status in statuses if status.complete]
            arrived = [key for status in done for key in status.arrived]
            progress.update(bar, completed=len(done))
            if len(done) == len(groups):
                break
            await asyncio.sleep(0.3)
        else:
            store.episodes.cancel_run(run_id)
    store.runs.set_status(run_id, "finished")
    return store.episodes.get_many(arrived)


def _result(asked: Evaluation, tasks: list[Task], rows: list[Episode]) -> dict[str, Any]:
    solved = sum(bool(row.success) for row in rows)
    total = len(tasks)
    by_template: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_template[row.task.get("template") or row.task["id"]].append(bool(row.success))
    return {
        **asdict(asked),
        "success_rate": solved / total,
        "ci95": list(wilson(solved, total)),
        "n": total,
        "lost": total - len(rows),
        "score_mean": sum(row.score or 0.0 for row in rows) / total,
        "by_template": {
            name: {"success_rate": sum(found) / len(found), "n": len(found)}
            for name, found in sorted(by_template.items())
        },
    }
