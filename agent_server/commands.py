"""Commands of this layer: serve, worker, eval, replay, doctor. Bodies import what they need."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from agent_server import asset_commands, gym_commands, task_commands


def register(app: typer.Typer) -> None:
    app.command()(serve)
    app.command()(worker)
    app.command(name="eval")(evaluate)
    app.command()(desktop)
    app.command()(mcp)
    app.command()(replay)
    app.command()(doctor)
    gym_commands.register(app)
    task_commands.register(app)
    asset_commands.register(app)


Model = Annotated[
    Path | None, typer.Option(help="folder of a published policy version; none: oracle only")
]


def serve(
    model: Model = None,
    run: Annotated[Path, typer.Option(help="folder for database, logs, artifacts")] = Path(
        "runs/serve"
    ),
    port: Annotated[int, typer.Option(help="port of the HTTP API on 127.0.0.1")] = 8000,
    workers: Annotated[int, typer.Option(min=1)] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="episodes in flight a worker")] = 16,
) -> None:
    """Serve the HTTP API with its worker, browser and policy server, until Ctrl-C."""
    from agent_server.stack import Stack, StackConfig

    console = Console()

    async def until_stopped() -> None:
        config = StackConfig(
            run_dir=run,
            policy_dir=model,
            workers=workers,
            concurrency=concurrency,
            api_port=port,
        )
        console.print("starting ...")
        async with Stack(config) as stack:
            if stack.swapper is not None and model is not None:
                await stack.swapper.swap(model)
            console.print(f"API: {stack.api_url}/docs", highlight=False)
            console.print(f"key: {stack.settings.api_key}", highlight=False)
            failed = stack.failed
            if failed is not None:
                await failed

    _until_interrupted(until_stopped, console)


def worker() -> None:
    """Run a worker on the settings in DESKHAND_* until stopped."""
    from agent_server.worker import app as celery
    from agent_server.worker_app import run_worker

    run_worker(celery)


def evaluate(
    model: Model = None,
    gym: Annotated[str, typer.Option(help="gym of the tasks")] = "shop",
    template: Annotated[
        list[str] | None, typer.Option(help="task template, repeatable; none: all of the gym")
    ] = None,
    policy: Annotated[str, typer.Option(help="live or oracle")] = "live",
    tasks: Annotated[
        Path | None, typer.Option(help="task files (OSWorld's JSON), a file or a folder")
    ] = None,
    tools: Annotated[str, typer.Option(help="actions allowed: gui, api or both")] = "both",
    desktops: Annotated[int, typer.Option(min=1, help="desktops at once")] = 2,
    episodes: Annotated[
        int | None, typer.Option(min=1, help="fixed denominator (210); of task files: trials (1)")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="which held-out tasks")] = 0,
    temperature: Annotated[float, typer.Option(min=0, max=2)] = 1.0,
    concurrency: Annotated[int, typer.Option(min=1)] = 16,
    run: Annotated[Path, typer.Option(help="run folder")] = Path("runs/eval"),
    json: Annotated[Path | None, typer.Option("--json", help="write the result here")] = None,
) -> None:
    """Evaluate a policy, or the oracle, on held-out tasks of a gym or on task files."""
    from agent_server.evaluate import Evaluation, run_evaluation
    from envs.gyms.registry import get_gym

    if policy not in ("live", "oracle"):
        raise typer.BadParameter("live or oracle", param_hint="--policy")
    if tools not in ("gui", "api", "both"):
        raise typer.BadParameter("gui, api or both", param_hint="--tools")
    if policy == "live" and model is None:
        raise typer.BadParameter("a live policy needs --model FOLDER", param_hint="--model")
    try:
        known = get_gym(gym).templates
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--gym") from error
    for name in template or ():
        if name not in known:
            raise typer.BadParameter(
                f"{gym} has no template {name!r}; there are: {', '.join(known)}",
                param_hint="--template",
            )
    console = Console()
    asked = Evaluation(
        gym=gym,
        templates=tuple(template or ()),
        policy=policy,
        episodes=episodes or (210 if tasks is None else 1),
        seed=seed,
        temperature=temperature,
        concurrency=concurrency,
        tasks=None if tasks is None else str(tasks),
        tools=tools,  # type: ignore[arg-type]
        desktops=desktops,
    )
    _until_interrupted(lambda: run_evaluation(asked, run, model, console, json), console)


Shell = Annotated[bool, typer.Option("--allow-shell", help="let agents run commands in it")]


def desktop(
    port: Annotated[int | None, typer.Option(help="port on 127.0.0.1; default: a free one")] = None,
    allow_shell: Shell = False,
) -> None:
    """One desktop on this machine; prints a URL to watch it and take over, until Ctrl-C."""
    from agent_server.desktop_command import run_desktop

    console = Console()
    _until_interrupted(lambda: run_desktop(console, port, allow_shell), console)


def mcp(
    host: Annotated[
        str | None, typer.Option(help="URL of a host; none: a desktop of its own")
    ] = None,
    allow_shell: Shell = False,
) -> None:
    """Serve a desktop's tools and GUI actions over MCP on stdin and stdout.

    The token of a host comes from DESKHAND_HOST_TOKEN."""
    import os

    from agent_server.mcp import serve, serve_own_desktop

    token = os.environ.get("DESKHAND_HOST_TOKEN") or None
    work = serve_own_desktop(allow_shell) if host is None else serve(host, token)
    _until_interrupted(lambda: work, Console(stderr=True))


def replay(
    run: Annotated[Path, typer.Argument(help="run folder")],
    episode: Annotated[str, typer.Argument(help="id of the episode")],
    html: Annotated[Path | None, typer.Option(help="write a page instead")] = None,
) -> None:
    """Show an episode step by step."""
    from agent_server.replay import load, print_trajectory, render_html

    try:
        trajectory = load(run, episode)
    except KeyError as error:
        raise typer.BadParameter(f"{error.args[0]} in {run}", param_hint="EPISODE") from error
    if html is None:
        print_trajectory(Console(), trajectory)
    else:
        html.write_text(render_html(run, trajectory))
        typer.echo(f"wrote {html}")


def doctor() -> None:
    """Say what is missing on this machine, and how to get it."""
    from agent_server.doctor import diagnose

    findings = diagnose()
    for finding in findings:
        mark = "ok     " if finding.ok else "MISSING"
        typer.echo(f"{mark} {finding.name}: {finding.found}")
        if finding.remedy:
            typer.echo(f"        -> {finding.remedy}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def _until_interrupted(work: Callable[[], Coroutine[Any, Any, None]], console: Console) -> None:
    """Runs a coroutine function; Ctrl-C and SIGTERM stop it cleanly."""

    async def main() -> None:
        task = asyncio.ensure_future(work())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await task

    try:
        asyncio.run(main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        console.print("stopped; everything is shut down")
        raise typer.Exit(130) from None
