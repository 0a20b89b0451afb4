"""Rounds on disk, and the figures of a campaign made from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from benchmarks.faults.rounds import RoundResult
from benchmarks.figures import Figure, number, percentiles, quantile
from benchmarks.result import make_result
from envs.io.atomic_write import write_whole


def rounds_file(json: Path) -> Path:
    """Where the rounds of a campaign are kept."""
    return json.with_name(f"{json.stem}.rounds.jsonl")


def read_rounds(path: Path, seed: int, commit: str) -> list[RoundResult]:
    """The rounds of this seed on this commit, in order; half a line at the end does not count."""
    if not path.exists():
        return []
    rounds = []
    for line in path.read_bytes().splitlines():
        try:
            result = RoundResult.model_validate_json(line)
        except ValidationError:
            continue
        if (result.seed, result.commit) == (seed, commit):
            rounds.append(result)
    return rounds


def append_round(path: Path, result: RoundResult) -> None:
    """Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(result.model_dump_json().encode() + b"\n")


def make_figures(rounds: Sequence[RoundResult]) -> dict[str, Figure]:
    """The figures that documents quote."""
    applied = [entry for result in rounds for entry in result.applied if not entry.skipped]
    recoveries = [entry.recovery_s for entry in applied if entry.recovery_s is not None]
    accounts = [result.account for result in rounds]
    figures: dict[str, Figure] = {
        "faults.injected": number(len(applied), "injections"),
        "faults.kinds": number(len({entry.kind for entry in applied}), "kinds"),
        "faults.lost": number(sum(len(a.lost) for a in accounts), "episodes"),
        "faults.double": number(sum(len(a.double) for a in accounts), "episodes"),
        "faults.wrong": number(
            sum(len(a.wrong) for a in accounts) + sum(bool(entry.breach) for entry in applied),
            "episodes or swaps",
        ),
        "faults.gave_up": number(sum(len(a.gave_up) for a in accounts), "episodes"),
        "faults.not_recovered": number(len(applied) - len(recoveries), "injections"),
        "faults.stuck_rounds": number(sum(bool(r.trouble) for r in rounds), "rounds"),
        "faults.plain_500": number(sum(r.plain_500 for r in rounds), "answers"),
        "faults.submitted": number(sum(a.submitted for a in accounts), "episodes"),
        "faults.attempts": number(sum(a.attempts for a in accounts), "attempts"),
        "faults.minutes": number(sum(r.seconds for r in rounds) / 60, "min"),
    }
    if recoveries:
        figures["faults.recovery_s"] = percentiles(recoveries, "s")
        figures["faults.recovery_max_s"] = number(max(recoveries), "s")
    return figures


def write_result(path: Path, rounds: Sequence[RoundResult], seed: int, command: str) -> None:
    """The JSON of a campaign: its figures, and what they were made of. Raises OSError."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    for result in rounds:
        for entry in result.applied:
            if not entry.skipped and entry.recovery_s is not None:
                by_kind[entry.kind].append(entry.recovery_s)
    reasons = sum((Counter(result.account.reasons) for result in rounds), Counter[str]())
    restarts = sum((Counter(result.restarts) for result in rounds), Counter[str]())
    skipped = sum(bool(entry.skipped) for result in rounds for entry in result.applied)
    content: dict[str, Any] = {
        **make_result(make_figures(rounds)),
        "commit": rounds[-1].commit if rounds else "",
        "command": command,
        "seed": seed,
        "rounds": dict(Counter(result.profile for result in rounds)),
        "recovery_by_kind": {
            kind: {
                "n": len(values),
                "p50": round(quantile(values, 0.5), 2),
                "p95": round(quantile(values, 0.95), 2),
                "max": max(values),
            }
            for kind, values in sorted(by_kind.items())
        },
        "reasons_of_invalid_attempts": dict(sorted(reasons.items())),
        "restarts": dict(sorted(restarts.items())),
        "not_applied": skipped,
        "finds": [f"round {r.round}: {text}" for r in rounds for text in r.finds],
        "gave_up": [f"round {r.round}: {text}" for r in rounds for text in r.account.gave_up],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [orjson.dumps(content, option=orjson.OPT_INDENT_2), b"\n"])
