"""What `deskhand bench faults` does: a campaign, or the replay of one schedule."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from agent_server.cli.interrupts import run_until_interrupted
from agent_server.provenance import commit
from benchmarks.fault_figures import (
    append_round,
    make_figures,
    read_rounds,
    rounds_file,
    write_result,
)
from benchmarks.faults.campaign import CampaignConfig, Tell, replay, run_campaign, schedule_of
from benchmarks.faults.minimise import minimise
from benchmarks.faults.rounds import RoundResult
from benchmarks.faults.schedule import Schedule
from benchmarks.result import make_result, show


def run(config: CampaignConfig, json: Path | None) -> None:
    """Play a campaign, print its figures and write them to `json`. Exits with 1 after a find."""
    console = Console(highlight=False, soft_wrap=True)
    store_file = None if json is None else rounds_file(json)
    rounds = [] if store_file is None else read_rounds(store_file, config.seed, commit())
    if rounds:
        console.print(f"going on after round {rounds[-1].round} of {store_file}")
    command = f"deskhand bench faults --seed {config.seed} --injections {config.injections}"

    def store(result: RoundResult) -> None:
        rounds.append(result)
        console.print(_sentence(result))
        if json is not None and store_file is not None:
            append_round(store_file, result)
            write_result(json, rounds, config.seed, command)
            if result.finds:
                schedule = schedule_of(config, result.round, len(result.applied))
                schedule.write(find_file(json, result.round))

    run_until_interrupted(
        lambda: run_campaign(config, list(rounds), store, _teller(console)),
        console,
        "The same command goes on after the last round." if json else "",
    )
    show(make_result(make_figures(rounds)), console)
    if any(result.finds for result in rounds):
        raise SystemExit(1)


def run_replay(config: CampaignConfig, file: Path, tries: int) -> None:
    """Play a schedule again; with `tries`, shorten it and write it beside the file. Exits with 1
    after a find."""
    console = Console(highlight=False, soft_wrap=True)
    schedule, tell = Schedule.read(file), _teller(console)

    async def play() -> RoundResult:
        result = await replay(config, schedule, tell)
        console.print(_sentence(result))
        if not result.finds or not tries:
            return result

        async def shows(shorter: Schedule) -> bool:
            console.print(
                f"{len(shorter.injections)} injections: {[i.kind for i in shorter.injections]}"
            )
            again = await replay(config, shorter, tell)
            console.print(_sentence(again))
            return bool(again.finds)

        shortest = await minimise(schedule, shows, tries)
        place = file.with_name(f"{file.stem}.short.json")
        shortest.write(place)
        console.print(f"{len(shortest.injections)} injections are enough: {place}")
        return result

    if run_until_interrupted(play, console).finds:
        raise SystemExit(1)


def find_file(json: Path, number: int) -> Path:
    """Where the schedule of a round with a find is left."""
    return json.with_name(f"{json.stem}.round-{number}.json")


def _teller(console: Console) -> Tell:
    return lambda text: console.print(f"  {text}")


def _sentence(result: RoundResult) -> str:
    account = result.account
    recoveries = [entry.recovery_s for entry in result.applied if entry.recovery_s is not None]
    lines = [
        f"round {result.round} ({result.profile}): {result.injected_count} injections in "
        f"{result.seconds:.0f} s, {account.submitted} tasks, {account.attempts} attempts, "
        f"{len(account.gave_up)} gave up, longest recovery {max(recoveries, default=0):.1f} s, "
        f"{len(result.finds)} finds"
    ]
    return "\n".join([*lines, *(f"  FIND {text}" for text in result.finds)])
