"""`deskhand tasks`: whether task files can be used and what they need; published states of sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the command group `tasks`."""
    tasks = typer.Typer(help="Check and find tasks.", no_args_is_help=True)
    tasks.command()(check)
    tasks.command()(explore)
    tasks.command()(versions)
    app.add_typer(tasks, name="tasks")


Split = Annotated[
    str | None,
    typer.Option(
        "--set",
        help="split list, such as test_all.json, or a name of `tasks versions`; none: all files",
    ),
]
Tasks = Annotated[Path, typer.Argument(help="a task file, or a folder of them")]


def check(
    folder: Tasks,
    split: Split = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="a getter or metric that is not here is an error")
    ] = False,
    unsupported: Annotated[
        bool, typer.Option("--unsupported", help="list the tasks that cannot run here, and why")
    ] = False,
    json: Annotated[Path | None, typer.Option("--json", help="also write the report here")] = None,
) -> None:
    """Load every task file; report errors, the parts used and the needs. Exit code 1 if there are
    errors."""
    import orjson

    from agent_server.settings import Settings
    from agent_server.tasksets.files import read_tasks
    from agent_server.tasksets.report import report_on, show

    task_set = read_tasks(folder, split)
    report = report_on(task_set, Settings.from_env().assets)
    console = Console()
    show(console, report)
    if strict:
        for name, parts in report.absent.items():
            for part in parts:
                line = f"{name}: {part.where}: no {part.kind} {part.name!r}"
                console.print(line, style="red", highlight=False, markup=False, soft_wrap=True)
    if unsupported:
        for name, reasons in report.unsupported.items():
            line = f"{name}: {'; '.join(reasons)}"
            console.print(line, highlight=False, markup=False, soft_wrap=True)
    if json is not None:
        json.write_bytes(orjson.dumps(report.as_json(), option=orjson.OPT_INDENT_2))
    if report.errors or (strict and report.absent):
        raise typer.Exit(1)


def explore(
    app: Annotated[str, typer.Argument(help="a web gym of the kit, such as shop")],
    to: Annotated[Path, typer.Option("--to", help="file of tasks to write, .jsonl")],
    walks: Annotated[int, typer.Option("--walks", min=1, help="random walks")] = 200,
    steps: Annotated[int, typer.Option("--steps", min=1, help="most moves of a walk")] = 15,
    sessions: Annotated[int, typer.Option("--sessions", min=1, help="browsers at once")] = 4,
    per_kind: Annotated[
        int, typer.Option("--per-kind", min=1, help="most tasks of a template and split")
    ] = 40,
    seed: Annotated[int, typer.Option("--seed", help="of the walks")] = 0,
) -> None:
    """Walk an app at random and write what the walks changed as tasks: said by rule, done again
    from the start, judged by the app. `deskhand train --set env.tasks=FILE` trains on them."""
    import asyncio
    from collections import Counter

    from agent_server.tasksets.explore import CannotExplore, Exploration, Plan
    from agent_server.tasksets.explore import explore as run_walks
    from envs.gyms.kit.explored import SUFFIX, pack_tasks
    from envs.io.atomic_write import write_whole

    console = Console()
    if to.suffix != SUFFIX:
        console.print(f"--to: task sets name the file by its ending {SUFFIX}", style="red")
        raise typer.Exit(2)
    plan = Plan(app, walks, steps, sessions, per_kind, seed)

    def show(exploration: Exploration) -> None:
        if exploration.walks % 20 == 0 or exploration.walks == walks:
            console.print(f"{exploration.walks} of {walks} walks", highlight=False)

    try:
        exploration = asyncio.run(run_walks(plan, show))
    except CannotExplore as error:
        console.print(str(error), style="red", markup=False, soft_wrap=True)
        raise typer.Exit(2) from error
    for reason, count in exploration.left_out.most_common():
        if count:
            console.print(f"{count} left out: {reason}", highlight=False)
    if not exploration.tasks:
        console.print("no task was found in every split: walk more, or further", style="red")
        raise typer.Exit(1)
    to.parent.mkdir(parents=True, exist_ok=True)
    write_whole(to, [pack_tasks(exploration.tasks)])
    kinds = Counter((task.template or "", task.split) for task in exploration.tasks)
    for template in sorted({template for template, _ in kinds}):
        splits = ", ".join(
            f"{kinds[template, split]} {split}" for split in ("train", "dev", "test")
        )
        console.print(f"{app}/{template}: {splits}", highlight=False)
    console.print(f"{len(exploration.tasks)} tasks in {to}", highlight=False, soft_wrap=True)


def versions(
    name: Annotated[
        str | None, typer.Argument(help="list the tasks of this state that say something else")
    ] = None,
) -> None:
    """List the published states of task sets that --set knows, or what changed in one of them."""
    from agent_server.tasksets import versions as published
    from envs.contract.validation import suggest_names

    console, known = Console(), published.versions()
    if name is None:
        for state, version in known.items():
            sets = [state, *(f"{state}-{smaller}" for smaller in version.left_out)]
            counts = [sum(map(len, (published.find_split(each) or {}).values())) for each in sets]
            for each, count in zip(sets, counts, strict=True):
                console.print(f"{each}: {count} tasks", highlight=False, soft_wrap=True)
            changed = f"; {len(version.changed)} tasks changed" if version.compared_with else ""
            console.print(f"    {version.about}{changed}", highlight=False, soft_wrap=True)
        return
    if name not in known:
        hint = suggest_names(name, known)
        message = f"there is no state {name!r}{hint}; there are: {', '.join(known)}"
        console.print(message, style="red", highlight=False, markup=False, soft_wrap=True)
        raise typer.Exit(1)
    version = known[name]
    for task, fields in version.changed.items():
        console.print(f"{task}: {', '.join(fields)}", highlight=False, soft_wrap=True)
    if version.compared_with:
        console.print(
            f"{len(version.changed)} of {len(version.tasks)}, compared with "
            f"{version.compared_with}",
            highlight=False,
        )
