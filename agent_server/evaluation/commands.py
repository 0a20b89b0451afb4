"""`deskhand eval`: run an evaluation, then show, compare, resume, cancel, export and rescore it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from agent_server.evaluation.rescore_command import rescore

RUN = Annotated[Path, typer.Argument(help="folder of the evaluation")]
POLICIES = "live, oracle, noop, infeasible, random, an agent's file, or module:Class"
EXAMPLES = """Examples:

deskhand eval --tasks envs/tasks/desktop --policy oracle

deskhand eval --model runs/demo/policy/v000050 --trials 3 --controls --name demo

deskhand eval --policy agents/claude.toml --tasks PATH/osworld --trials 3

deskhand eval show runs/demo --html demo.html"""
POLICY, TASKS, JOB = "Policy", "Tasks", "Job"
"""Parts of the help."""


def register(app: typer.Typer) -> None:
    group = typer.Typer(invoke_without_command=True)
    group.callback(epilog=EXAMPLES)(run)
    group.command()(show)
    group.command()(compare)
    group.command()(resume)
    group.command()(cancel)
    group.command()(export)
    group.command("agent-keys")(agent_keys)
    group.command()(rescore)
    app.add_typer(group, name="eval")


def run(
    context: typer.Context,
    policy: Annotated[
        str,
        typer.Option(help=f"{POLICIES}; live is the version of --model", rich_help_panel=POLICY),
    ] = "live",
    model: Annotated[
        Path | None,
        typer.Option(help="folder of a published policy version", rich_help_panel=POLICY),
    ] = None,
    controls: Annotated[
        bool,
        typer.Option(
            "--controls", help="run noop and infeasible in the same job", rich_help_panel=POLICY
        ),
    ] = False,
    tasks: Annotated[
        Path | None,
        typer.Option(help="task files (OSWorld's JSON), a file or a folder", rich_help_panel=TASKS),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            "--set", help="split list of task files, such as test_all.json", rich_help_panel=TASKS
        ),
    ] = None,
    skip_broken: Annotated[
        bool,
        typer.Option(
            "--skip-broken",
            help="leave out files with errors; the report says so",
            rich_help_panel=TASKS,
        ),
    ] = False,
    gym: Annotated[
        str, typer.Option(help="gym of the tasks, without --tasks", rich_help_panel=TASKS)
    ] = "shop",
    template: Annotated[
        list[str] | None,
        typer.Option(help="task template, repeatable; none: all of the gym", rich_help_panel=TASKS),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="held-out tasks of the gym (210); with --tasks: as --trials",
            rich_help_panel=TASKS,
        ),
    ] = None,
    trials: Annotated[
        int | None, typer.Option(min=1, help="attempts at each task (1)", rich_help_panel=TASKS)
    ] = None,
    tools: Annotated[
        str | None,
        typer.Option(
            help="actions allowed: gui, api or both; none: as the task says", rich_help_panel=POLICY
        ),
    ] = None,
    compat: Annotated[
        bool,
        typer.Option("--compat", help="judge with OSWorld's own defects", rich_help_panel=TASKS),
    ] = False,
    max_steps: Annotated[
        int | None,
        typer.Option(
            min=1, max=1000, help="over the task's own; what was done scores", rich_help_panel=TASKS
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            min=1, help="over the task's own; what was done scores", rich_help_panel=TASKS
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="held-out tasks and sampling", rich_help_panel=TASKS)
    ] = 0,
    temperature: Annotated[float, typer.Option(min=0, max=2, rich_help_panel=POLICY)] = 1.0,
    concurrency: Annotated[
        int, typer.Option(min=1, help="episodes at once", rich_help_panel=JOB)
    ] = 16,
    desktops: Annotated[int, typer.Option(min=1, help="desktops at once", rich_help_panel=JOB)] = 2,
    screenshots: Annotated[
        bool, typer.Option(help="record a picture a step, for the report", rich_help_panel=JOB)
    ] = True,
    name: Annotated[
        str | None, typer.Option(help="name of the run; default: the time", rich_help_panel=JOB)
    ] = None,
    runs: Annotated[Path, typer.Option(help="folder of all runs", rich_help_panel=JOB)] = Path(
        "runs"
    ),
    json: Annotated[
        Path | None, typer.Option("--json", help="write the figures here", rich_help_panel=JOB)
    ] = None,
) -> None:
    """Evaluate a policy on task files or on held-out tasks of a gym.

    Makes the folder RUNS/NAME, runs tasks x trials, shows success by domain with intervals. A job
    that was stopped or killed goes on with `deskhand eval resume RUNS/NAME`.
    """
    if context.invoked_subcommand is not None:
        return
    import asyncio
    import time

    from agent_server.agents.config import load_agent, names_agent
    from agent_server.agents.make import check, sampling_of
    from agent_server.evaluation.plan import Asked
    from agent_server.evaluation.start import start
    from agent_server.policy.policy import Sampling

    _check(policy, model, tools, tasks, split, gym, template or [])
    agent = load_agent(policy) if names_agent(policy) else None
    if agent is not None and temperature != 1.0:
        raise typer.BadParameter("an agent's file says it", param_hint="--temperature")
    asked = Asked(
        policy=policy if agent is None else agent.name,
        agent=agent,
        model=None if model is None else str(model.resolve()),
        controls=controls,
        gym=gym,
        templates=tuple(template or ()),
        episodes=episodes or 210,
        tasks=None if tasks is None else str(tasks),
        split=split,
        skip_broken=skip_broken,
        trials=trials or (1 if tasks is None else episodes or 1),
        tools=tools,
        compat=compat,
        max_steps=max_steps,
        max_seconds=max_seconds,
        seed=seed,
        sampling=Sampling(temperature=temperature) if agent is None else sampling_of(agent),
        screenshots=screenshots,
        concurrency=concurrency,
        desktops=desktops,
    )
    folder = runs / (name or f"eval-{time.strftime('%Y%m%d-%H%M%S')}")
    console = Console()
    if agent is not None:
        asyncio.run(check(agent))
    for line in start(asked, folder):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    _run(folder, console, json)


def _check(
    policy: str,
    model: Path | None,
    tools: str | None,
    tasks: Path | None,
    split: str | None,
    gym: str,
    templates: list[str],
) -> None:
    """Raises BadParameter."""
    from agent_server.agents.config import names_agent
    from agent_server.policy.controls import POLICIES as KNOWN
    from envs.gyms.registry import get_gym

    if policy not in KNOWN and not names_agent(policy):
        raise typer.BadParameter(POLICIES, param_hint="--policy")
    if tools not in (None, "gui", "api", "both"):
        raise typer.BadParameter("gui, api or both", param_hint="--tools")
    if policy == "live" and model is None:
        raise typer.BadParameter("a live policy needs --model FOLDER", param_hint="--model")
    if policy != "live" and model is not None:
        raise typer.BadParameter(f"{policy} has no model", param_hint="--model")
    if split is not None and tasks is None:
        raise typer.BadParameter("chooses among --tasks FOLDER", param_hint="--set")
    try:
        known = get_gym(gym).templates
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--gym") from error
    for one in templates:
        if one not in known:
            raise typer.BadParameter(
                f"{gym} has no template {one!r}; there are: {', '.join(known)}",
                param_hint="--template",
            )


def resume(
    run: RUN,
    json: Annotated[Path | None, typer.Option("--json", help="write the figures here")] = None,
) -> None:
    """Go on with an evaluation that was stopped, killed or cancelled.

    Trials with a verdict stay as they are; the others are asked for again, lost ones too.
    """
    import asyncio

    from agent_server.agents.make import check
    from agent_server.evaluation.plan import Evaluation

    agent = Evaluation.read(run).asked.agent
    if agent is not None:
        asyncio.run(check(agent))
    _run(run, Console(), json)


def _run(folder: Path, console: Console, json: Path | None) -> None:
    from agent_server.evaluation.job import run_job
    from agent_server.interrupts import INTERRUPTED, until_interrupted

    end = until_interrupted(
        lambda: run_job(folder, console), console, f"Continue with: deskhand eval resume {folder}"
    )
    _show(folder, console, None, json)
    console.print(f"report: deskhand eval show {folder} --html FILE", highlight=False)
    if end == "cancelled":
        console.print("the evaluation was cancelled", style="yellow", highlight=False)
        raise typer.Exit(INTERRUPTED)


def show(
    run: RUN,
    html: Annotated[
        Path | None, typer.Option(help="also write the report, one file with every trajectory")
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="also write the figures")] = None,
) -> None:
    """Success by domain with intervals, outcomes, where time went, why trials failed.

    Also of an evaluation that is still running."""
    _show(run, Console(), html, json)


def _show(folder: Path, console: Console, html: Path | None, json: Path | None) -> None:
    from agent_server.evaluation.plan import Evaluation
    from agent_server.evaluation.results import read_trials
    from agent_server.evaluation.summary import summarize
    from agent_server.evaluation.tables import show as show_tables

    evaluation = Evaluation.read(folder)
    trials = read_trials(folder, evaluation)
    summary = summarize(evaluation, trials)
    show_tables(console, summary, trials)
    if json is not None:
        json.write_text(summary.model_dump_json(indent=2) + "\n")
    if html is not None:
        from agent_server.evaluation.report import write_report

        write_report(html, folder, summary, trials)
        console.print(f"wrote {html}", highlight=False)


def compare(
    first: Annotated[Path, typer.Argument(help="folder of an evaluation", metavar="RUN_A")],
    second: Annotated[Path, typer.Argument(help="folder of another", metavar="RUN_B")],
    force: Annotated[
        bool, typer.Option("--force", help="compare the common tasks where the sets differ")
    ] = False,
    json: Annotated[Path | None, typer.Option("--json", help="also write it here")] = None,
) -> None:
    """Compare two evaluations, paired by task: difference, interval, what flipped.

    Exit code 1 when they did not run the same tasks."""
    from agent_server.evaluation.compare import common_tasks
    from agent_server.evaluation.compare import compare as compare_trials
    from agent_server.evaluation.plan import Evaluation
    from agent_server.evaluation.results import read_trials
    from agent_server.evaluation.tables import show_comparison

    runs = [(folder, Evaluation.read(folder)) for folder in (first, second)]
    tasks, notes = common_tasks(runs[0][1], runs[1][1], force)
    ours, theirs = (
        [one for one in read_trials(folder, plan) if one.policy == plan.asked.policy]
        for folder, plan in runs
    )
    found = compare_trials(ours, theirs, tasks, runs[0][1].asked.seed)
    found = found.model_copy(update={"notes": tuple(notes)})
    show_comparison(Console(), found, (first.name, second.name))
    if json is not None:
        json.write_text(found.model_dump_json(indent=2) + "\n")


def cancel(run: RUN) -> None:
    """Cancel what has not ended; a process that runs the job ends by itself."""
    from agent_server.evaluation.job import cancel_job

    count = cancel_job(run)
    typer.echo(f"cancelled {count} waiting episodes; running ones end at their next step")


def agent_keys(
    dialect: Annotated[str, typer.Argument(help="of the file; none: their names")] = "",
) -> None:
    """What an agent's file may say, one line a key."""
    from agent_server.agents.config import DIALECTS, key_help

    if dialect and dialect not in DIALECTS:
        raise typer.BadParameter(", ".join(sorted(DIALECTS)))
    typer.echo(key_help(dialect) if dialect else "\n".join(sorted(DIALECTS)))


def export(
    run: RUN,
    to: Annotated[Path, typer.Option(help="folder to write into; made if need be")],
    format: Annotated[
        str, typer.Option("--format", help="osworld: its results layout; jsonl: plain JSON lines")
    ] = "osworld",
) -> None:
    """Write the results for other tools."""
    from agent_server.evaluation.export_jsonl import export_jsonl
    from agent_server.evaluation.export_osworld import export_osworld
    from agent_server.evaluation.plan import Evaluation
    from agent_server.evaluation.results import read_trials

    writers = {"osworld": export_osworld, "jsonl": export_jsonl}
    if format not in writers:
        raise typer.BadParameter("osworld or jsonl", param_hint="--format")
    evaluation = Evaluation.read(run)
    for line in writers[format](to, run, evaluation, read_trials(run, evaluation)):
        typer.echo(line)
