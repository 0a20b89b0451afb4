"""`deskhand gym list|play|audit|new|gallery|generate`: the web gyms."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from agent_server.cli.interrupts import run_until_interrupted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from envs.gyms.server.audit import Auditor
    from envs.gyms.server.audit_rows import Row
    from envs.gyms.server.gym import WebGym

AUDITED = Path("runs/gyms/audit.json")
JOURNAL = Path("runs/gyms/generated.jsonl")
Runs = Annotated[Path, typer.Option(help="folder of all runs")]


def register(app: typer.Typer) -> None:
    """Add the command group `gym`."""
    gym = typer.Typer(help="Play, audit, list and make web gyms.", no_args_is_help=True)
    gym.command(name="list")(list_gyms)
    gym.command()(play)
    gym.command()(audit)
    gym.command()(new)
    gym.command()(gallery)
    gym.command()(generate)
    app.add_typer(gym, name="gym")


def list_gyms(runs: Runs = Path("runs")) -> None:
    """Apps and templates, how hard they are, how often oracle and the last policy solved them."""
    from agent_server.cli.gym_generated import describe_sets
    from agent_server.cli.gym_results import last_audit, last_policy
    from envs.gyms.kit.gym import AppGym
    from envs.gyms.server.registry import web_gyms

    audited, policy = last_audit(AUDITED), last_policy(runs)
    table = Table("gym", Column("template", no_wrap=True), "level", "skills", "oracle", "policy")
    count = 0
    for gym in web_gyms().values():
        for name in gym.templates:
            spec = gym.spec(name) if isinstance(gym, AppGym) else None
            table.add_row(
                gym.name,
                name,
                str(gym.level(name) or ""),
                ", ".join(spec.skills) if spec else "",
                audited.get(f"{gym.name}/{name}", "-"),
                policy.rates.get(f"{gym.name}/{name}", "-"),
            )
            count += 1
    console = Console()
    console.print(table)
    console.print(f"{len(web_gyms())} gyms, {count} templates", highlight=False)
    console.print(describe_sets(), highlight=False)
    if not audited:
        console.print("oracle: not measured here; run: deskhand gym audit", highlight=False)
    if policy.run:
        console.print(f"policy: {policy.run}, after its last phase", highlight=False)


def play(
    gym: Annotated[str, typer.Argument(help="name of a web gym")],
    template: Annotated[str | None, typer.Option(help="default: by the seed")] = None,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    disturb: Annotated[
        float, typer.Option(min=0, max=1, help="strength of the disturbances")
    ] = 0.0,
    port: Annotated[int, typer.Option(help="port of the page on 127.0.0.1; 0: any free one")] = 0,
) -> None:
    """Open an app in your own browser, with a task and its verdict beside it, until Ctrl-C."""
    from envs.gyms.server.play import serve

    try:
        serve(_find_gym(gym).name, template, seed, disturb, port)
    except OSError as error:
        raise typer.BadParameter(f"{port}: {error.strerror}", param_hint="--port") from error


AuditedTemplates = Annotated[
    list[str] | None, typer.Option(help="audit only this template; repeatable")
]
SeedsOfASplit = Annotated[
    int, typer.Option(min=1, help="number of seeds of each split: train, dev and test")
]


def audit(
    gym: Annotated[str | None, typer.Argument(help="one gym; default: all web gyms")] = None,
    generated: Annotated[
        bool,
        typer.Option(
            help="audit generated apps on seeds of their own split; GYM may be a set: gen-train:10"
        ),
    ] = False,
    template: AuditedTemplates = None,
    seeds: SeedsOfASplit = 2,
    disturb: Annotated[
        float, typer.Option(min=0, max=1, help="strength of the disturbances; run only the oracle")
    ] = 0.0,
    splits: Annotated[
        bool, typer.Option(help="report only the instructions and names that the splits share")
    ] = False,
    forks: Annotated[
        bool,
        typer.Option(help="check only that snapshots in mid-episode are restored exactly"),
    ] = False,
    independent: Annotated[
        bool,
        typer.Option(
            help="compare verdicts on episodes that no oracle made with those of a second check"
        ),
    ] = False,
    resume: Annotated[
        bool,
        typer.Option(help="with --generated: leave out apps that runs/gyms/generated.jsonl has"),
    ] = False,
    sessions: Annotated[int, typer.Option(min=1, max=64, help="sessions at once")] = 8,
    json: Annotated[Path | None, typer.Option("--json", help="also write the table here")] = None,
) -> None:
    """The verifier matrix in real Chromium: solved by the oracle, the same twice, and by nothing
    else. Exit code 1 if a check fails."""
    from agent_server.cli.gym_generated import find_generated, write_summary
    from agent_server.cli.gym_results import print_audit, write_audit
    from agent_server.cli.gym_trials import run_trials
    from envs.gyms.server.audit import list_audited_gyms
    from envs.gyms.server.gym import PageOwned

    console = Console()
    chosen = find_generated(gym) if generated else []
    chosen = chosen or ([_find_gym(gym)] if gym else list_audited_gyms())
    if disturb and any(isinstance(gym_to_audit, PageOwned) for gym_to_audit in chosen):
        raise typer.BadParameter(f"the pages of {gym} cannot be disturbed", param_hint="GYM")
    for name in template or ():
        if not any(name in gym_to_audit.templates for gym_to_audit in chosen):
            raise typer.BadParameter(f"no template {name!r}", param_hint="--template")
    if splits:
        if not _print_splits(chosen, template or (), seeds, console):
            raise typer.Exit(1)
        return
    if independent:
        if not run_until_interrupted(
            lambda: run_trials(chosen, template or (), seeds, sessions, json, console), console
        ):
            raise typer.Exit(1)
        return
    play_gym = partial(_play_gym, template=template or (), disturb=disturb, forks=forks)
    keeps = generated and not (template or disturb or forks)
    rows, minutes = run_until_interrupted(
        lambda: _play_gyms(
            chosen, seeds, sessions, play_gym, keeps=keeps, resume=resume, console=console
        ),
        console,
        "The same command with --resume plays the apps that are left." if keeps else "",
    )
    print_audit(rows, console)
    for gym_to_audit in chosen:
        _print_standard(gym_to_audit, console)
    console.print(f"{minutes:.1f} minutes", highlight=False)
    if not disturb and not forks:
        write_audit(AUDITED, rows)
    if json is not None and generated:
        write_summary(json, rows, minutes, disturb)
    elif json is not None:
        write_audit(json, rows, disturb)
    if any(not row.holds for row in rows):
        raise typer.Exit(1)


def _print_splits(
    gyms: Sequence[WebGym], names: Sequence[str], seeds: int, console: Console
) -> bool:
    """Instructions by template and names by kind that occur in more than one split; returns whether
    there are none."""
    from envs.gyms.kit.gym import AppGym
    from envs.gyms.server.audit_splits import compare_instructions, compare_names

    rows = []
    for gym in gyms:
        if isinstance(gym, AppGym):
            for name in gym.templates:
                if not names or name in names:
                    comparison = compare_instructions(gym, name, seeds)
                    rows.append((gym.name, f"instructions of {name}", comparison))
            for kind, comparison in compare_names(gym, seeds).items():
                rows.append((gym.name, kind, comparison))
    table = Table("gym", "what", "different", "shared", "for example")
    for gym_name, what, comparison in rows:
        if comparison.shared or not what.startswith("instructions"):
            example = comparison.shared[0][:60] if comparison.shared else ""
            table.add_row(
                gym_name, what, str(comparison.count), str(len(comparison.shared)), example
            )
    console.print(table)
    worded = [comparison for _, what, comparison in rows if what.startswith("instructions")]
    console.print(
        f"{sum(len(comparison.shared) for comparison in worded)} of "
        f"{sum(comparison.count for comparison in worded)} instructions and "
        f"{sum(len(c.shared) for _, what, c in rows if not what.startswith('instructions'))} names "
        "are shared between splits",
        highlight=False,
    )
    return not any(comparison.shared for _, _, comparison in rows)


async def _play_gyms(
    gyms: Sequence[WebGym],
    seeds: int,
    sessions: int,
    play_gym: Callable[[Auditor, WebGym, Sequence[int]], Awaitable[list[Row]]],
    *,
    keeps: bool,
    resume: bool,
    console: Console,
) -> tuple[list[Row], float]:
    """Rows and minutes, gym by gym. `keeps`: what was played is kept in the journal of generated
    apps; `resume`: what is kept there is not played again."""
    from agent_server.cli.gym_generated import list_seeds
    from agent_server.cli.gym_journal import AuditedGym, AuditJournal
    from agent_server.cli.gym_results import describe_rows
    from envs.gyms.server.audit import Auditor

    journal = AuditJournal(JOURNAL)
    kept = journal.read(seeds) if keeps and resume else {}
    rows: list[Row] = []
    minutes = 0.0
    async with Auditor(sessions) as auditor:
        for gym in gyms:
            part = kept.get(gym.name)
            if part is None:
                began = time.monotonic()
                with console.status(f"{gym.name}: {len(gym.templates)} templates"):
                    played = await play_gym(auditor, gym, list_seeds(gym.name, seeds))
                part = AuditedGym(gym.name, seeds, (time.monotonic() - began) / 60, played)
                if keeps:
                    journal.add(part)
                console.print(f"{gym.name}: {describe_rows(part.rows)}", highlight=False)
            rows += part.rows
            minutes += part.minutes
    return rows, minutes


async def _play_gym(
    auditor: Auditor,
    gym: WebGym,
    seeds: Sequence[int],
    *,
    template: Sequence[str],
    disturb: float,
    forks: bool,
) -> list[Row]:
    from envs.gyms.server.gym import PageOwned

    known = gym.solved_templates if isinstance(gym, PageOwned) else gym.templates
    names = [name for name in known if not template or name in template]
    if isinstance(gym, PageOwned):
        return await auditor.run_pages(gym, names, seeds)
    if forks:
        return await auditor.run_forks(gym, names, seeds)
    if disturb:
        return await auditor.run_disturbed(gym, names, seeds, disturb)
    return await auditor.run_matrix(gym, names, seeds)


def _print_standard(gym: WebGym, console: Console) -> None:
    """How many of a gym's standard tasks have an oracle, where it has standard tasks."""
    from envs.gyms.server.gym import PageOwned

    if isinstance(gym, PageOwned):
        standard = set(gym.standard_templates)
        solved = standard & set(gym.solved_templates)
        console.print(
            f"{len(solved)} of the standard {len(standard)} tasks with an oracle", highlight=False
        )


def new(
    name: Annotated[str, typer.Argument(help="lower-case name of the new gym")],
) -> None:
    """Make a working app with one template, and its test, in this checkout."""
    from envs.gyms.server.new import BadName, make

    try:
        paths = make(name)
    except BadName as error:
        raise typer.BadParameter(str(error), param_hint="NAME") from error
    for path in paths:
        typer.echo(path)
    typer.echo(f"now: deskhand gym audit {name}; deskhand gym play {name}")


def gallery(
    out: Annotated[Path, typer.Option(help="the page to write")] = Path("runs/gyms/gallery.html"),
    gym: Annotated[str | None, typer.Option(help="one gym; default: all of the kit's")] = None,
    page: Annotated[str, typer.Option(help="size, such as 390x844 of a phone")] = "1024x768",
) -> None:
    """One page of screenshots: layouts and themes, real applications, families, widgets."""
    from agent_server.cli.gallery import list_widgets, write_gallery
    from envs.browser.page_size import parse_page_size

    console = Console()
    chosen = [_find_gym(gym).name] if gym else None
    try:
        size = parse_page_size(page)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--page") from error
    with console.status("taking pictures"):
        sections = asyncio.run(write_gallery(out, chosen, size))
    roles, *shares = zip(*list_widgets(sections), strict=True)
    table = Table("share of the pages with", *roles)
    for section, row in zip(sections, shares, strict=True):
        table.add_row(section.title, *row)
    console.print(table)
    count = sum(len(section.pictures) for section in sections)
    console.print(f"{count} pictures: {out}", highlight=False)


def generate(
    to: Annotated[Path, typer.Option(help="the folder, one folder an app in it")],
    count: Annotated[int, typer.Option(min=1, max=9000)] = 200,
    first: Annotated[
        int, typer.Option(min=0, help="number of the first app; each number is another app")
    ] = 1000,
    family: Annotated[
        str | None, typer.Option(help="family of markup of all apps; default: drawn")
    ] = None,
) -> None:
    """Make apps from their numbers: a schema to read and change, and some tasks of each."""
    from agent_server.cli.gym_generated import write_apps

    write_apps(to, count, first, family, Console())


def _find_gym(gym_name: str) -> WebGym:
    """Raises BadParameter with the known names."""
    from envs.gyms.server.registry import get_web_gym

    try:
        return get_web_gym(gym_name)
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="GYM") from error
