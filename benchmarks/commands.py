"""`deskhand bench PART --json FILE` for each benchmark, and `deskhand bench all`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[Path | None, typer.Option("--json", help="write the figures to this file")]


def register(app: typer.Typer) -> None:
    """Adds `bench` with its subcommands to the program."""
    bench = typer.Typer(help="Measure speed, memory and what faults do.", no_args_is_help=True)
    bench.command()(api)
    bench.command()(browser)
    bench.command()(cluster)
    bench.command()(console)
    bench.command()(desktop)
    bench.command("eval")(evaluation)
    bench.command()(gpu)
    bench.command()(guard)
    bench.command()(gyms)
    bench.command()(models)
    bench.command()(pipeline)
    bench.command()(policy)
    bench.command()(learner)
    bench.command()(scale)
    bench.command()(script)
    bench.command("all")(everything)
    bench.command()(faults)
    bench.command()(soak)
    bench.command()(contract)
    app.add_typer(bench, name="bench")


def api(
    json: Json = None,
    clients: Annotated[int, typer.Option(min=1, help="that read or follow tasks")] = 500,
    episodes: Annotated[int, typer.Option(min=1, help="in flight, a step a second")] = 64,
    consoles: Annotated[int, typer.Option(min=0, help="open pages")] = 20,
    seconds: Annotated[float, typer.Option(min=1, help="how long")] = 60,
) -> None:
    """Reads of many clients on the HTTP API while tasks run and consoles are open; errors."""
    from benchmarks.api import run

    run(json, clients, episodes, consoles, seconds)


def scale(
    json: Json = None,
    hosts: Annotated[int, typer.Option(min=32, help="simulated hosts, one episode each")] = 4096,
    history: Annotated[int, typer.Option(min=0, help="episodes that have ended")] = 200_000,
    seconds: Annotated[float, typer.Option(min=1, help="of heartbeats")] = 60,
    part: Annotated[list[str] | None, typer.Option(help="only this part; may be repeated")] = None,
    think: Annotated[
        float, typer.Option(min=0, help="seconds of a policy's answer where model meets reality")
    ] = 0.3,
    core_hour: Annotated[
        float, typer.Option(min=0, help="price of a processor for an hour, in your currency")
    ] = 0.04,
    plots: Annotated[Path | None, typer.Option(help="folder for the plots of the model")] = None,
) -> None:
    """Dispatch, leases and heartbeats of many hosts on real PostgreSQL and Redis; a model of the
    scheduler, checked against real sessions, for up to 4,096."""
    from benchmarks.scale import PARTS, ModelOptions, run

    unknown = sorted(set(part or ()) - set(PARTS))
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: there are {', '.join(PARTS)}")
    run(json, hosts, history, seconds, part or PARTS, ModelOptions(think, core_hour, plots))


def browser(json: Json = None) -> None:
    """Act + observe, reset, steps/s with 8 sessions, over HTTP on the shop."""
    from benchmarks.browser import run

    run(json)


def cluster(
    json: Json = None,
    logs: Annotated[Path | None, typer.Option(help="keep the logs of the machines here")] = None,
) -> None:
    """A training run with every part on a machine of its own (namespaces; needs root), some of
    which are taken away in mid-run; then an account of everything."""
    from benchmarks.cluster_trial import run

    run(json, logs)


def console(
    json: Json = None,
    sessions: Annotated[int, typer.Option(min=1, help="running tasks on the wall")] = 200,
    seconds: Annotated[float, typer.Option(min=5, help="how long the wall is watched")] = 60,
) -> None:
    """First paint of the console's pages, and a wall of many sessions with a picture a second."""
    from benchmarks.console import run

    run(json, sessions, seconds)


def desktop(
    json: Json = None,
    desktops: Annotated[int, typer.Option(min=1, help="desktops alive at once")] = 16,
    seconds: Annotated[float, typer.Option(min=1, help="how long they are used, seconds")] = 60,
) -> None:
    """Act + picture, tree of Calc, reset, memory, tools of a desktop; many desktops at once."""
    from benchmarks.desktop import run

    run(json, desktops, seconds)


def evaluation(json: Json = None) -> None:
    """Reset + setup + verdict of sixty bundled desktop tasks, without the agent's steps."""
    from benchmarks.eval import run

    run(json)


def gpu(
    json: Json = None,
    part: Annotated[list[str] | None, typer.Option(help="only this part; may be repeated")] = None,
    seconds: Annotated[float, typer.Option(min=1, help="of all parts together")] = 900,
) -> None:
    """On a CUDA device: learners of real shapes, tokens/s and MFU, and swaps of 4B."""
    from benchmarks.gpu import PARTS, run

    unknown = sorted(set(part or ()) - set(PARTS))
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: there are {', '.join(PARTS)}")
    run(json, part or tuple(PARTS), seconds)


def guard(
    json: Json = None,
    part: Annotated[
        str, typer.Option(help="test: held out; dev: what rules are tried on")
    ] = "test",
    show: Annotated[bool, typer.Option(help="also list what got through and false alarms")] = False,
) -> None:
    """Pages that give orders, an agent that obeys, and the guard: attacks through, false alarms."""
    from benchmarks.guard_figures import run

    if part not in ("test", "dev"):
        raise typer.BadParameter(f"{part}: there are test, dev")
    run(json, part, show)


def gyms(json: Json = None) -> None:
    """Reset and act + tree in the gyms' apps, and the memory of their server."""
    from benchmarks.gyms import run

    run(json)


def models(json: Json = None) -> None:
    """Learner and server against transformers for tiny models of published families; adapters."""
    from benchmarks.models import run

    run(json)


def pipeline(
    json: Json = None,
    iterations: Annotated[int, typer.Option(min=3, help="learner steps of each run")] = 12,
    part: Annotated[list[str] | None, typer.Option(help="only this part; may be repeated")] = None,
    max_staleness: Annotated[
        int, typer.Option(min=1, help="versions an episode may be behind; above 1: a row apart")
    ] = 1,
    groups: Annotated[int, typer.Option(min=1, help="groups of a learner step")] = 6,
) -> None:
    """Reinforcement in the async pipeline and in the synchronous one: local policy, then remote."""
    from benchmarks.pipeline import PARTS, Work, run

    unknown = sorted(set(part or ()) - set(PARTS))
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: there are {', '.join(PARTS)}")
    run(json, Work(iterations, groups, max_staleness), part or PARTS)


def policy(json: Json = None) -> None:
    """The pause of a verified swap under 32 requests in flight, and the server's throughput."""
    from benchmarks.policy import run

    run(json)


def learner(json: Json = None) -> None:
    """The packed learner beside a plain padded transformers loop, in the same run."""
    from benchmarks.learner import run

    run(json)


def script(
    json: Json = None,
    per_app: Annotated[int, typer.Option(min=1, help="templates of each app, at most")] = 100,
    sessions: Annotated[
        int, typer.Option(min=1, help="browsers at once; more than one slows each step down")
    ] = 1,
) -> None:
    """Scripts made of oracle episodes: milliseconds a step, share that holds on changed sites."""
    from benchmarks.script import run

    run(json, per_app, sessions)


def everything(
    to: Annotated[
        Path, typer.Option(help="folder of the JSON files; docs/figures.md follows the default one")
    ] = Path("docs/results/bench"),
    part: Annotated[
        list[str] | None, typer.Option(help="only this benchmark; may be repeated")
    ] = None,
    allow_changes: Annotated[
        bool, typer.Option("--allow-changes", help="measure though files were changed")
    ] = False,
) -> None:
    """Those of the documentation in turn, two to three hours, and the tables of
    docs/figures.md."""
    from benchmarks.all import PARTS, ChangedFiles, run

    unknown = sorted(set(part or ()) - set(PARTS))
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: there are {', '.join(PARTS)}")
    try:
        failed = run(to, part or PARTS, allow_changes)
    except ChangedFiles as error:
        raise typer.BadParameter(str(error)) from error
    if failed:
        typer.echo(f"failed: {', '.join(failed)}", err=True)
        raise typer.Exit(1)


def faults(
    json: Json = None,
    seed: Annotated[int, typer.Option(help="what is injected, when and where")] = 1,
    injections: Annotated[int, typer.Option(min=1)] = 1000,
    replay: Annotated[
        Path | None, typer.Option(help="play the schedule of this file instead, on a fresh system")
    ] = None,
    minimise: Annotated[
        int, typer.Option(min=0, help="replays to shorten a schedule with a find")
    ] = 0,
    logs: Annotated[Path | None, typer.Option(help="keep the logs of the system here")] = None,
) -> None:
    """Kill, stop and starve every part of a system under load, then account for every episode."""
    from benchmarks.fault_campaign import run, run_replay
    from benchmarks.faults.campaign import CampaignConfig

    config = CampaignConfig(
        seed=seed,
        injections=injections,
        keep=logs,
        publish=_publish,
    )
    if replay is None:
        run(config, json)
    else:
        run_replay(config, replay, minimise)


def _publish(folder: Path) -> list[Path]:
    """Two versions of an untrained policy."""
    from benchmarks.policy import publish_two

    return publish_two(folder)[0]


def soak(
    json: Json = None,
    hours: Annotated[float, typer.Option(min=0.01, help="how long, hours")] = 2.0,
    every: Annotated[float, typer.Option(min=0.1, help="seconds from one task to the next")] = 2.0,
    policy: Annotated[
        bool, typer.Option(help="start a policy server; half of the tasks use it")
    ] = True,
) -> None:
    """Memory, descriptors, files and database of a stack under steady load: do they grow?"""
    from benchmarks.soak import run

    run(json, hours, every, policy)


def contract(
    json: Json = None,
    cases: Annotated[int, typer.Option(min=1, help="requests to make, at least")] = 10_000,
    seed: Annotated[int, typer.Option(help="of the generated requests")] = 1,
) -> None:
    """Schemathesis on all routes of the real API with PostgreSQL: all checks."""
    from benchmarks.contract import run

    run(json, cases, seed)
