"""The command line options of `deskhand eval`, by panel of its help."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer

from agent_server.cli.run_name import check_run_name

AGENTS = "an agent's file (.toml, .json), or module:Class"
POLICIES = f"live, oracle, noop, infeasible, random, {AGENTS}"
POLICY_PANEL, TASKS_PANEL, JOB_PANEL = "Policy", "Tasks", "Job"

MOST_EPISODES, MOST_TRIALS = 100_000, 1000

Policy = Annotated[
    str,
    typer.Option(help=f"{POLICIES}; live is the version of --model", rich_help_panel=POLICY_PANEL),
]
Model = Annotated[
    Path | None,
    typer.Option(help="folder of a published policy version", rich_help_panel=POLICY_PANEL),
]
Controls = Annotated[
    bool,
    typer.Option(
        "--controls", help="run noop and infeasible in the same job", rich_help_panel=POLICY_PANEL
    ),
]
Tools = Annotated[
    str | None,
    typer.Option(
        help="actions allowed: gui, api or both; none: the task's own", rich_help_panel=POLICY_PANEL
    ),
]
Temperature = Annotated[float, typer.Option(min=0, max=2, rich_help_panel=POLICY_PANEL)]

TaskFiles = Annotated[
    Path | None,
    typer.Option(
        help="task files (OSWorld's JSON), a file or a folder", rich_help_panel=TASKS_PANEL
    ),
]
SplitList = Annotated[
    str | None,
    typer.Option(
        "--set",
        help="split list of task files, such as test_all.json, or a name of `tasks versions`",
        rich_help_panel=TASKS_PANEL,
    ),
]
SkipBroken = Annotated[
    bool,
    typer.Option(
        "--skip-broken",
        help="leave out files with errors; the report says so",
        rich_help_panel=TASKS_PANEL,
    ),
]
Gym = Annotated[
    str, typer.Option(help="gym of the tasks, without --tasks", rich_help_panel=TASKS_PANEL)
]
Templates = Annotated[
    list[str] | None,
    typer.Option(
        help="task template, repeatable; none: all of the gym", rich_help_panel=TASKS_PANEL
    ),
]
Episodes = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MOST_EPISODES,
        help="held-out tasks of the gym (210); with --tasks, the same as --trials",
        rich_help_panel=TASKS_PANEL,
    ),
]
Trials = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_TRIALS, help="trials of each task (1)", rich_help_panel=TASKS_PANEL
    ),
]
Versus = Annotated[
    str | None,
    typer.Option(
        help="a second policy or agent: tries each trial right after the first, with its seed",
        rich_help_panel=POLICY_PANEL,
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="width=W",
        help="stop when the 95% interval over trials is at most this wide, such as width=0.05; "
        "--trials is then the maximum (default 20)",
        rich_help_panel=TASKS_PANEL,
    ),
]
Compat = Annotated[
    bool,
    typer.Option("--compat", help="judge with OSWorld's own defects", rich_help_panel=TASKS_PANEL),
]
MaxSteps = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1000,
        help="replaces the task's own; at the limit the state is judged",
        rich_help_panel=TASKS_PANEL,
    ),
]
MaxSeconds = Annotated[
    float | None,
    typer.Option(
        min=1,
        max=86_400,
        help="replaces the task's own; at the limit the state is judged",
        rich_help_panel=TASKS_PANEL,
    ),
]
Training = Annotated[
    bool,
    typer.Option(
        "--training",
        help="training tasks of the gym instead of held-out ones, for examples to train on "
        "(eval export --format chat)",
        rich_help_panel=TASKS_PANEL,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0,
        max=2**63 - 1,
        help="seed of the held-out tasks and of sampling",
        rich_help_panel=TASKS_PANEL,
    ),
]

Concurrency = Annotated[
    int, typer.Option(min=1, help="episodes at once", rich_help_panel=JOB_PANEL)
]
Desktops = Annotated[int, typer.Option(min=1, help="desktops at once", rich_help_panel=JOB_PANEL)]
Provider = Annotated[
    str,
    typer.Option(
        help="of desktops: box (bubblewrap, here), docker or qemu", rich_help_panel=JOB_PANEL
    ),
]
Image = Annotated[
    str,
    typer.Option(
        help="of --provider docker (default deskhand/desktop), or the disk image's path for qemu",
        rich_help_panel=JOB_PANEL,
    ),
]
Screen = Annotated[
    str | None,
    typer.Option(
        metavar="WxH",
        help="of desktops; default: 1920x1080 for OSWorld's task files, else 1280x720",
        rich_help_panel=JOB_PANEL,
    ),
]
Screenshots = Annotated[
    bool, typer.Option(help="record a picture a step, for the report", rich_help_panel=JOB_PANEL)
]
Record = Annotated[
    bool,
    typer.Option(
        "--record", help="film each episode on a desktop (mp4)", rich_help_panel=JOB_PANEL
    ),
]
RunName = Annotated[
    str | None,
    typer.Option(
        help="name of the run; default: the time",
        rich_help_panel=JOB_PANEL,
        callback=check_run_name,
    ),
]
RunsFolder = Annotated[Path, typer.Option(help="folder of all runs", rich_help_panel=JOB_PANEL)]


def check_output(path: Path | None) -> Path | None:
    """The path itself. Raises BadParameter for one that no file can be written to: an evaluation
    takes long, and writes its figures last."""
    if path is not None and path.is_dir():
        raise typer.BadParameter(f"{path} is a folder: name a file")
    if path is not None and not path.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.parent}: make it first")
    return path


FiguresFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        help="write the figures here",
        rich_help_panel=JOB_PANEL,
        callback=check_output,
    ),
]
ShownFile = Annotated[
    Path | None,
    typer.Option("--json", help="also write the figures here", callback=check_output),
]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        help="also write the report, one file with every trajectory", callback=check_output
    ),
]

RunFolder = Annotated[Path, typer.Argument(help="folder of the evaluation")]


def check_choice(option: str, name: str, known: Collection[str], besides: str = "") -> None:
    """Raises BadParameter for a name that is not known. `besides`: what else the option takes."""
    from envs.contract.validation import suggest_names

    if name not in known:
        choices = ", ".join((*known, besides) if besides else known)
        message = f"there is no {name!r}{suggest_names(name, known)}; there are: {choices}"
        raise typer.BadParameter(message, param_hint=option)


def check_provider(name: str, image: str) -> Any:
    """The provider of that name. Raises BadParameter."""
    check_choice("--provider", name, ("box", "docker", "qemu"))
    if (name == "qemu" and not image) or (name == "box" and image):
        detail = "qemu needs a disk image, a box has none"
        raise typer.BadParameter(detail, param_hint="--image")
    return name


def parse_screen(text: str | None) -> tuple[int, int] | None:
    """Raises BadParameter."""
    from envs.desktop.size import parse_size

    try:
        return None if text is None else parse_size(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--screen") from error
