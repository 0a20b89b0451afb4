"""The commands of this layer. Their bodies import what they need."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.console import Console

from agent_server.cli import (
    asset_commands,
    backup_commands,
    dead_letter_commands,
    gym_commands,
    key_commands,
    profile_commands,
    script_commands,
    task_commands,
)
from agent_server.cli import evaluation_commands as eval_commands
from agent_server.cli.evaluation_options import check_provider, parse_screen
from agent_server.cli.interrupts import run_until_interrupted
from envs.contract.approval import Mode


def register(app: typer.Typer) -> None:
    """Add all commands of this layer."""
    app.command()(serve)
    app.command()(worker)
    app.command()(desktop)
    app.command()(mcp)
    app.command()(replay)
    app.command()(doctor)
    app.command()(run)
    app.command("open")(open_)
    app.command()(prune)
    eval_commands.register(app)
    gym_commands.register(app)
    task_commands.register(app)
    asset_commands.register(app)
    key_commands.register(app)
    profile_commands.register(app)
    dead_letter_commands.register(app)
    backup_commands.register(app)
    script_commands.register(app)


Model = Annotated[
    Path | None, typer.Option(help="folder of a published policy version; none: agents or oracle")
]


SecretsFile = Annotated[
    Path | None,
    typer.Option(
        "--secrets", help="file of secrets that tasks may name (docs/howto/tasks.md), mode 600"
    ),
]


ProfileKeys = Annotated[
    Path | None,
    typer.Option(
        help="file of the keys that saved log-in state is encrypted with (`deskhand profiles key`)"
    ),
]


EnvelopeFile = Annotated[
    Path | None,
    typer.Option(
        help="file of `deskhand eval envelope`: the model of --model is stopped where it leaves "
        "what it was evaluated in"
    ),
]
EndpointModel = Annotated[
    str | None, typer.Option(metavar="NAME", help="name of the model at --endpoint")
]
ApproveOption = Annotated[
    str | None,
    typer.Option(
        help="actions that wait for you, here: never, risky, all. None: risky ones with "
        "--allow. Without a terminal the answer is no"
    ),
]
AgentOption = Annotated[
    str | None, typer.Option(help="file of an agent (docs/agents.md), or a policy's name")
]
WebhooksFile = Annotated[
    Path | None,
    typer.Option(help="file of who is told when a task ends (docs/howto/tasks.md), mode 600"),
]
ProfileOption = Annotated[
    str | None, typer.Option(help="saved log-in state that the browser begins with")
]
SaveProfile = Annotated[
    bool, typer.Option("--save-profile", help="save it again, or make it, when it is done")
]
InputFiles = Annotated[
    list[Path] | None,
    typer.Option(
        help="that the agent may upload, or finds in the desktop's home folder; may be repeated"
    ),
]


def serve(
    model: Model = None,
    run: Annotated[Path, typer.Option(help="folder for database, logs, artifacts")] = Path(
        "runs/serve"
    ),
    port: Annotated[int, typer.Option(help="port of the HTTP API on 127.0.0.1")] = 8000,
    workers: Annotated[int, typer.Option(min=1)] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="episodes in flight a worker")] = 16,
    desktops: Annotated[int, typer.Option(min=0, help="desktops, one episode each at once")] = 0,
    provider: Annotated[
        str, typer.Option(help="of desktops: box (bubblewrap, here), docker or qemu")
    ] = "box",
    image: Annotated[
        str,
        typer.Option(
            help="of --provider docker (default deskhand/desktop), or the disk image for qemu"
        ),
    ] = "",
    screen: Annotated[
        str | None, typer.Option(metavar="WxH", help="of boxes; default: 1280x720")
    ] = None,
    agent: Annotated[
        list[Path] | None,
        typer.Option(
            help="file of an agent that tasks and evaluations name; may be repeated; the first "
            "carries out tasks that name none, unless a model is served"
        ),
    ] = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="an OpenAI-compatible endpoint, up to and with /v1, that carries out tasks which "
            "name no agent; its key is OPENAI_API_KEY, if that is set",
        ),
    ] = None,
    endpoint_model: EndpointModel = None,
    secrets: SecretsFile = None,
    profile_keys: ProfileKeys = None,
    envelope: EnvelopeFile = None,
    webhooks: WebhooksFile = None,
    sessions: Annotated[
        int,
        typer.Option(
            min=0, max=1024, help="browsers and desktops lent to callers' own agents at once"
        ),
    ] = 8,
    drain: Annotated[
        float, typer.Option(min=0, help="seconds that what runs may go on at the end")
    ] = 0.0,
) -> None:
    """Serve the HTTP API with its worker, browser, desktops and policy server, until Ctrl-C."""
    from agent_server.cli.serve_command import make_config, serve_until_stopped

    if screen is not None and provider != "box":
        raise typer.BadParameter("the image says how large its screen is", param_hint="--screen")
    if (endpoint is None) != (endpoint_model is None):
        raise typer.BadParameter("--endpoint and --endpoint-model go together")
    config = make_config(
        endpoint=None if endpoint is None else (endpoint, endpoint_model or ""),
        run_dir=run,
        policy_dir=model,
        workers=workers,
        concurrency=concurrency,
        api_port=port,
        desktops=desktops,
        desktop_provider=check_provider(provider, image),
        desktop_image=image,
        screen=parse_screen(screen),
        agents=tuple(agent or ()),
        secrets=secrets,
        profile_keys=profile_keys,
        envelope=envelope,
        webhooks=webhooks,
        sessions=sessions,
        drain_s=drain,
    )
    console = Console()
    run_until_interrupted(lambda: serve_until_stopped(config, console), console)


def run(
    instruction: Annotated[str, typer.Argument(help="what is to be done, in words")],
    url: Annotated[str | None, typer.Option(help="page to start on")] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            help="domain that the browser may reach, with those below it, e.g. shop.example; may "
            "be repeated. None: only the site of --url, which is then one of this machine"
        ),
    ] = None,
    agent: AgentOption = None,
    model: Model = None,
    desktop: Annotated[
        bool, typer.Option("--desktop", help="on a desktop instead of a browser")
    ] = False,
    schema: Annotated[
        Path | None, typer.Option(help="file with a JSON Schema that the answer has to fit")
    ] = None,
    secrets: SecretsFile = None,
    secret: Annotated[
        list[str] | None,
        typer.Option(help="name of a secret that the agent may use; may be repeated"),
    ] = None,
    approve: ApproveOption = None,
    profile: ProfileOption = None,
    save_profile: SaveProfile = False,
    profile_keys: ProfileKeys = None,
    file: InputFiles = None,
    max_steps: Annotated[int, typer.Option(min=1, max=1000, help="of the agent")] = 30,
    max_seconds: Annotated[float, typer.Option(min=1, max=86_400, help="a guard")] = 900.0,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="of all prompts and answers; none: no limit")
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(min=0, help="at the prices of the agent's file; none: no limit"),
    ] = None,
    folder: Annotated[
        Path, typer.Option("--run", help="folder for database, logs, artifacts")
    ] = Path("runs/shell"),
) -> None:
    """Carry out one task, and watch it step by step. Exit code 1 if the agent did not finish it."""
    from agent_server.cli.run_command import ShellTask, run_task

    if agent is None and model is None:
        raise typer.BadParameter("say who carries it out: --agent FILE or --model DIR")
    if url is None and not desktop:
        raise typer.BadParameter("say where it begins: --url URL, or --desktop")
    if approve not in (None, *get_args(Mode)):
        raise typer.BadParameter(f"{approve}: there are never, risky, all", param_hint="--approve")
    task = ShellTask(
        instruction=instruction,
        url=url,
        allow=tuple(allow or ()),
        agent=agent,
        model=model,
        desktop=desktop,
        max_steps=max_steps,
        max_seconds=max_seconds,
        max_tokens=max_tokens,
        max_cost=max_cost,
        run_dir=folder,
        schema=schema,
        secrets_file=secrets,
        secrets=tuple(secret or ()),
        approve=cast("Mode | None", approve),
        files=tuple(file or ()),
        profile=profile,
        save_profile=save_profile,
        profile_keys=profile_keys,
    )
    console = Console()
    if not run_until_interrupted(lambda: run_task(task, console), console):
        raise typer.Exit(1)


def open_(
    run_dir: Annotated[
        Path, typer.Option("--run", help="run folder of what serves: `serve`, a training run, ...")
    ] = Path("runs/serve"),
    show: Annotated[bool, typer.Option("--url", help="only print the address")] = False,
) -> None:
    """Open the console of a running server in a browser, signed in."""
    import webbrowser

    from agent_server.stack.stack_file import read_stack_file

    running = read_stack_file(run_dir)
    if running is None or running.api_url is None:
        raise typer.BadParameter(
            f"nothing serves in {run_dir}: start it with `deskhand serve`, or name another run "
            "folder",
            param_hint="--run",
        )
    # What stands behind # is not sent to the server, nor written into a log.
    url = f"{running.api_url}/console/sign-in#{running.api_key}"
    if show or not webbrowser.open(url):
        typer.echo(url)


def worker() -> None:
    """Run a worker on the settings in DESKHAND_* until stopped."""
    from agent_server.worker.celery_app import app as celery
    from agent_server.worker.process import run_worker

    run_worker(celery)


Shell = Annotated[bool, typer.Option("--allow-shell", help="let agents run commands in it")]


def desktop(
    port: Annotated[int | None, typer.Option(help="port on 127.0.0.1; default: a free one")] = None,
    allow_shell: Shell = False,
) -> None:
    """One desktop on this machine; prints URLs to watch it and to take over, until Ctrl-C."""
    from agent_server.cli.desktop_command import run_desktop

    console = Console()
    run_until_interrupted(lambda: run_desktop(console, port, allow_shell), console)


def mcp(
    host: Annotated[
        str | None, typer.Option(help="URL of a host; none: a desktop of its own")
    ] = None,
    allow_shell: Shell = False,
    tools: Annotated[
        list[str] | None,
        typer.Option(
            help="group of the desktop's tools to offer, repeatable: files, calc, writer, ... or "
            "all; default: files, and shell with --allow-shell"
        ),
    ] = None,
) -> None:
    """Serve a desktop's tools and GUI actions over MCP on stdin and stdout.

    The token of a host comes from DESKHAND_HOST_TOKEN."""
    from agent_server.adapters.mcp import serve, serve_own_desktop
    from agent_server.adapters.mcp_bridge import DEFAULT_GROUPS, UnknownGroup
    from envs.io.settings import EnvSettings

    token = EnvSettings.from_env().host_token or None
    groups = tools or DEFAULT_GROUPS
    work = serve_own_desktop(allow_shell, groups) if host is None else serve(host, token, groups)
    try:
        run_until_interrupted(lambda: work, Console(stderr=True))
    except UnknownGroup as error:
        raise typer.BadParameter(str(error), param_hint="--tools") from error


def replay(
    run: Annotated[Path, typer.Argument(help="run folder")],
    episode: Annotated[str, typer.Argument(help="id of the episode")],
    html: Annotated[Path | None, typer.Option(help="write a page instead")] = None,
) -> None:
    """Show an episode step by step."""
    from agent_server.cli.replay import load, print_trajectory, render_html

    try:
        trajectory = load(run, episode)
    except KeyError as error:
        raise typer.BadParameter(f"{error.args[0]} in {run}", param_hint="EPISODE") from error
    if html is None:
        print_trajectory(Console(), trajectory)
    else:
        html.write_text(render_html(run, trajectory))
        typer.echo(f"wrote {html}")


def prune(
    run: Annotated[Path | None, typer.Argument(help="run folder; none: DESKHAND_RUN_DIR")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="remove it; else it is only listed")] = False,
    days: Annotated[
        float | None, typer.Option(min=0, help="keep younger ones; none: DESKHAND_KEEP_DAYS")
    ] = None,
    versions: Annotated[
        int | None,
        typer.Option(min=2, help="policy versions to keep; none: DESKHAND_KEEP_VERSIONS"),
    ] = None,
) -> None:
    """List what need not be kept and how large it is; with --yes remove it, also while it runs.

    Results of evaluations are kept, and all that a run in progress refers to."""
    from agent_server.settings import Settings
    from agent_server.stack.prune import prune as prune_run
    from agent_server.store.store import Store

    options = {"run_dir": run, "keep_days": days, "keep_versions": versions}
    changes = {name: value for name, value in options.items() if value is not None}
    settings = Settings(**(Settings.from_env().model_dump() | changes))
    if settings.database.startswith("sqlite") and not Path(settings.database[10:]).exists():
        raise typer.BadParameter(f"{settings.run_dir} has no database", param_hint="RUN")
    with Store.open(settings) as store:
        lines = prune_run(settings, store, yes)
    for line in lines:
        detail = f"  ({line.detail})" if line.detail else ""
        typer.echo(f"{line.count:8d} {line.kind}, {line.size / 2**20:.1f} MB{detail}")
    if not yes:
        typer.echo("nothing was removed; --yes removes it")


def doctor() -> None:
    """List what is missing on this machine, and how to install it."""
    from agent_server.cli.doctor import diagnose

    findings = diagnose()
    for finding in findings:
        mark = "ok     " if finding.ok else "MISSING"
        typer.echo(f"{mark} {finding.name}: {finding.status}")
        if finding.remedy:
            typer.echo(f"        -> {finding.remedy}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)
