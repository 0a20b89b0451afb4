"""`deskhand eval`: run an evaluation, then show, compare, resume, cancel, export and rescore it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from rich.console import Console

from agent_server.cli import evaluation_options as options
from agent_server.cli.envelope_command import envelope
from agent_server.cli.horizon_command import horizon
from agent_server.cli.judge_command import judge
from agent_server.cli.leaderboard_command import leaderboard
from agent_server.cli.rescore_command import rescore

EXAMPLES = """Examples:

deskhand eval --tasks tasksets/bundled/desktop --policy oracle

deskhand eval --model runs/demo/policy/v000050 --trials 3 --controls --name demo

deskhand eval --policy configs/agents/anthropic.toml --tasks PATH/osworld --trials 3

deskhand eval show runs/demo --html demo.html"""
HELDOUT_TASKS = 210
TRIALS_UNTIL = 20
"""With --until."""


def register(app: typer.Typer) -> None:
    """Add the command group `eval`."""
    group = typer.Typer(invoke_without_command=True)
    group.callback(epilog=EXAMPLES)(run)
    group.command()(show)
    group.command()(compare)
    group.command()(resume)
    group.command()(cancel)
    group.command()(export)
    group.command("agent-keys")(agent_keys)
    group.command()(rescore)
    group.command()(judge)
    group.command()(envelope)
    group.command()(leaderboard)
    group.command()(horizon)
    app.add_typer(group, name="eval")


def run(
    context: typer.Context,
    policy: options.Policy = "live",
    model: options.Model = None,
    versus: options.Versus = None,
    controls: options.Controls = False,
    tasks: options.TaskFiles = None,
    split: options.SplitList = None,
    skip_broken: options.SkipBroken = False,
    gym: options.Gym = "shop",
    template: options.Templates = None,
    episodes: options.Episodes = None,
    training: options.Training = False,
    trials: options.Trials = None,
    until: options.Until = None,
    tools: options.Tools = None,
    compat: options.Compat = False,
    max_steps: options.MaxSteps = None,
    max_seconds: options.MaxSeconds = None,
    seed: options.Seed = 0,
    temperature: options.Temperature = 1.0,
    concurrency: options.Concurrency = 16,
    desktops: options.Desktops = 2,
    provider: options.Provider = "box",
    image: options.Image = "",
    screen: options.Screen = None,
    screenshots: options.Screenshots = True,
    record: options.Record = False,
    name: options.RunName = None,
    runs: options.RunsFolder = Path("runs"),
    json: options.FiguresFile = None,
) -> None:
    """Evaluate a policy on task files or on held-out tasks of a gym.

    Creates the folder RUNS/NAME, runs tasks x trials, shows success by domain with intervals. A
    job that was stopped or killed continues with `deskhand eval resume RUNS/NAME`.
    """
    if context.invoked_subcommand is not None:
        return
    from agent_server.evaluation.job.plan import EvalSpec

    if tasks is not None:
        _refuse_gym_options(context)
    _check_tasks(tools, tasks, split, gym, template or [])
    fields = _policy_fields(policy, model, temperature)
    spec = EvalSpec(
        **fields,
        **_versus_fields(versus, fields["policy"]),
        controls=controls,
        gym=gym,
        templates=tuple(template or ()),
        episodes=episodes or HELDOUT_TASKS,
        tasks=None if tasks is None else str(tasks),
        split=split,
        skip_broken=skip_broken,
        training=training,
        trials=trials or (TRIALS_UNTIL if until else 1 if tasks is None else episodes or 1),
        until_width=_parse_until(until),
        tools=tools,
        compat=compat,
        max_steps=max_steps,
        max_seconds=max_seconds,
        seed=seed,
        screenshots=screenshots,
        record=record,
        concurrency=concurrency,
        desktops=desktops,
        provider=options.check_provider(provider, image),
        image=image,
        screen=options.parse_screen(screen),
    )
    _create_and_run(spec, runs, name, json)


def _parse_until(text: str | None) -> float | None:
    """Raises BadParameter."""
    if text is None:
        return None
    name, _, number = text.partition("=")
    try:
        width = float(number)
    except ValueError:
        width = 0.0
    if name != "width" or not 0 < width < 1:
        message = f"{text!r} is no width between 0 and 1: write it as width=0.05"
        raise typer.BadParameter(message, param_hint="--until")
    return width


def _policy_fields(policy: str, model: Path | None, temperature: float) -> dict[str, Any]:
    """The fields of an EvalSpec that say who acts. Raises BadParameter."""
    from agent_server.agents.config import load_agent, names_agent
    from agent_server.agents.make import sampling_of
    from agent_server.episodes.agent import Sampling
    from agent_server.evaluation.job.plan import PolicyName

    if not names_agent(policy):
        options.check_choice("--policy", policy, get_args(PolicyName), options.AGENTS)
    if policy == "live" and model is None:
        message = (
            "a live policy needs --model FOLDER; to evaluate something else, name it with "
            f"--policy: oracle, {options.AGENTS}"
        )
        raise typer.BadParameter(message, param_hint="--model")
    if policy != "live" and model is not None:
        raise typer.BadParameter(f"{policy} has no model", param_hint="--model")
    if not names_agent(policy):
        folder = None if model is None else str(model.resolve())
        sampling = Sampling(temperature=temperature)
        return {"policy": policy, "model": folder, "sampling": sampling}
    agent = load_agent(policy)
    if temperature != 1.0:
        raise typer.BadParameter("the agent's file sets it", param_hint="--temperature")
    return {"policy": agent.name, "agent": agent, "sampling": sampling_of(agent)}


def _versus_fields(versus: str | None, first: str) -> dict[str, Any]:
    """The fields of an EvalSpec for the second contender, which is not the first one. Raises
    BadParameter."""
    from agent_server.agents.config import load_agent, names_agent
    from agent_server.evaluation.job.plan import PolicyName

    if versus is None:
        return {}
    agent = load_agent(versus) if names_agent(versus) else None
    name = versus if agent is None else agent.name
    if name == first:
        message = f"{name} is the first contender already; its rival needs another name"
        raise typer.BadParameter(message, param_hint="--versus")
    if agent is None:
        rivals = [policy for policy in get_args(PolicyName) if policy != "live"]
        options.check_choice("--versus", name, rivals, options.AGENTS)
    return {"versus": name, "versus_agent": agent}


def _check_tasks(
    tools: str | None, tasks: Path | None, split: str | None, gym: str, templates: list[str]
) -> None:
    """Raises BadParameter."""
    from envs.contract.task import describe_unknown_template
    from tasksets.registry import get_gym

    if tools is not None:
        options.check_choice("--tools", tools, ("gui", "api", "both"))
    if split is not None and tasks is None:
        raise typer.BadParameter("chooses among --tasks FOLDER", param_hint="--set")
    try:
        known_templates = get_gym(gym).templates
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--gym") from error
    for template in templates:
        if template not in known_templates:
            message = describe_unknown_template(gym, template, known_templates)
            raise typer.BadParameter(message, param_hint="--template")


def _refuse_gym_options(context: typer.Context) -> None:
    """Raises BadParameter: beside --tasks they would change nothing, unnoticed."""
    for name in ("gym", "template", "training"):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(
                "chooses among the tasks of a gym: leave it out, or --tasks",
                param_hint=f"--{name}",
            )


def _create_and_run(spec: Any, runs: Path, name: str | None, json: Path | None) -> None:
    """`spec`: an EvalSpec."""
    import asyncio
    import time

    from agent_server.agents.make import check_agent
    from agent_server.evaluation.job.create import create_evaluation

    folder = runs / (name or f"eval-{time.strftime('%Y%m%d-%H%M%S')}")
    console = Console()
    for agent in spec.agents.values():
        asyncio.run(check_agent(agent))
    for line in create_evaluation(spec, folder):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    _run_job(folder, console, json)


def resume(
    run: options.RunFolder,
    json: options.ShownFile = None,
) -> None:
    """Continue an evaluation that was stopped, killed or cancelled.

    Trials with a verdict stay as they are; all others are run, lost ones again.
    """
    import asyncio

    from agent_server.agents.make import check_agent
    from agent_server.evaluation.job.plan import Evaluation

    for agent in Evaluation.read(run).spec.agents.values():
        asyncio.run(check_agent(agent))
    _run_job(run, Console(), json)


def _run_job(folder: Path, console: Console, json: Path | None) -> None:
    from agent_server.cli.interrupts import INTERRUPTED, run_until_interrupted
    from agent_server.evaluation.figures.statistics import wilson
    from agent_server.evaluation.job.runner import run_job

    end = run_until_interrupted(
        lambda: run_job(folder, console, wilson),
        console,
        f"Continue with: deskhand eval resume {folder}",
    )
    _show(folder, console, None, json)
    console.print(f"report: deskhand eval show {folder} --html FILE", highlight=False)
    if end == "cancelled":
        console.print("the evaluation was cancelled", style="yellow", highlight=False)
        raise typer.Exit(INTERRUPTED)


def show(
    run: options.RunFolder,
    html: options.ReportFile = None,
    json: options.ShownFile = None,
) -> None:
    """Success by domain with intervals, outcomes, where time went, why trials failed.

    Works also while the evaluation is running."""
    _show(run, Console(), html, json)


def _show(folder: Path, console: Console, html: Path | None, json: Path | None) -> None:
    from agent_server.evaluation.figures.summary import summarize
    from agent_server.evaluation.figures.tables import show as show_tables
    from agent_server.evaluation.job.plan import Evaluation
    from agent_server.evaluation.job.results import read_trials

    evaluation = Evaluation.read(folder)
    trials = read_trials(folder, evaluation)
    summary = summarize(evaluation, trials)
    show_tables(console, summary, trials)
    if json is not None:
        json.write_text(summary.model_dump_json(indent=2) + "\n")
    if html is not None:
        from agent_server.evaluation.report.html_report import write_report

        write_report(html, folder, summary, trials)
        console.print(f"wrote {html}", highlight=False)


def compare(
    first: Annotated[Path, typer.Argument(help="folder of an evaluation", metavar="RUN_A")],
    second: Annotated[Path, typer.Argument(help="folder of another", metavar="RUN_B")],
    force: Annotated[
        bool, typer.Option("--force", help="compare the common tasks where the sets differ")
    ] = False,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json", help="also write the comparison here", callback=options.check_output
        ),
    ] = None,
) -> None:
    """Compare two evaluations, paired by task: difference, interval, tasks that changed.

    Exit code 1 when they did not run the same tasks."""
    from agent_server.evaluation.figures.compare import compare_evaluations
    from agent_server.evaluation.figures.tables import show_comparison
    from agent_server.evaluation.job.plan import Evaluation
    from agent_server.evaluation.job.results import read_trials

    plans = [(folder, Evaluation.read(folder)) for folder in (first, second)]
    first_run, second_run = ((plan, read_trials(folder, plan)) for folder, plan in plans)
    comparison = compare_evaluations(first_run, second_run, force)
    show_comparison(Console(), comparison, (first.name, second.name))
    if json is not None:
        json.write_text(comparison.model_dump_json(indent=2) + "\n")


def cancel(run: options.RunFolder) -> None:
    """Cancel all trials that have not ended; a process that runs the job ends by itself."""
    from agent_server.evaluation.job.runner import cancel_job

    waiting, running = cancel_job(run)
    rest = f"; {running} are running and end at their next step" if running else ""
    typer.echo(f"cancelled {waiting} waiting episodes{rest}")


def agent_keys(
    dialect: Annotated[
        str, typer.Argument(help="dialect of the file; without it: the names of all dialects")
    ] = "",
) -> None:
    """List the keys of an agent's file, one a line."""
    from agent_server.agents.config import DIALECTS, key_help

    if dialect:
        options.check_choice("DIALECT", dialect, sorted(DIALECTS))
    typer.echo(key_help(dialect) if dialect else "\n".join(sorted(DIALECTS)))


def export(
    run: options.RunFolder,
    to: Annotated[Path, typer.Option(help="folder to write into; made if need be")],
    format: Annotated[
        str,
        typer.Option(
            "--format",
            help="osworld: its results layout; inspect: Inspect's logs; jsonl: plain JSON lines; "
            "chat: solved trials as examples to train on; "
            "conversations: solved trials whole, with tool calls, for SFT elsewhere; "
            "parquet: a data set of Hugging Face",
        ),
    ] = "osworld",
) -> None:
    """Write the results for other tools."""
    from agent_server.evaluation.export.chat import export_chat
    from agent_server.evaluation.export.conversations import export_conversations
    from agent_server.evaluation.export.inspect_log import export_inspect
    from agent_server.evaluation.export.jsonl import export_jsonl
    from agent_server.evaluation.export.osworld import export_osworld
    from agent_server.evaluation.export.parquet import NoPyArrow, export_parquet
    from agent_server.evaluation.job.plan import Evaluation
    from agent_server.evaluation.job.results import read_trials

    writers = {
        "osworld": export_osworld,
        "inspect": export_inspect,
        "jsonl": export_jsonl,
        "chat": export_chat,
        "conversations": export_conversations,
        "parquet": export_parquet,
    }
    options.check_choice("--format", format, writers)
    evaluation = Evaluation.read(run)
    try:
        for line in writers[format](to, run, evaluation, read_trials(run, evaluation)):
            typer.echo(line)
    except NoPyArrow as error:
        raise typer.BadParameter(str(error), param_hint="--format") from error
