"""Rounds on disk, and what is made of them."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.fault_figures import append_round, make_figures, read_rounds, write_result
from benchmarks.faults.accounts import Account
from benchmarks.faults.rounds import Applied, RoundResult


def result(number: int, commit: str = "c1", **fields: object) -> RoundResult:
    applied = [
        Applied(number=0, kind="kill worker", progress=1, seconds=0, recovery_s=2.0),
        Applied(number=1, kind="cut db", progress=2, seconds=0, recovery_s=4.0),
        Applied(number=2, kind="kill gym", progress=3, seconds=0, skipped="no gym runs"),
    ]
    values = {"applied": applied, "account": Account(submitted=5, attempts=7)} | fields
    return RoundResult.model_validate(
        {"seed": 1, "round": number, "profile": "browser", "commit": commit, "seconds": 60} | values
    )


def test_rounds_of_another_seed_or_commit_and_half_a_line_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "faults.rounds.jsonl"
    append_round(path, result(0))
    append_round(path, result(1, "c2"))
    append_round(path, result(2))
    with path.open("ab") as file:
        file.write(b'{"seed": 1, "rou')
    assert [entry.round for entry in read_rounds(path, 1, "c1")] == [0, 2]
    assert read_rounds(path, 2, "c1") == []


def test_figures_count_what_was_applied_and_what_was_lost() -> None:
    never = Applied(number=0, kind="hang gym", progress=1, seconds=0)
    bad = Account(submitted=1, attempts=1, lost=["x"], wrong=["y", "z"])
    rounds = [result(0), result(1, applied=[never], account=bad, trouble="no progress")]
    figures = make_figures(rounds)
    assert figures["faults.injected"]["p50"] == 3
    assert figures["faults.recovery_s"] == {"p50": 3.0, "p95": 3.9, "n": 2, "unit": "s"}
    assert figures["faults.lost"]["p50"] == 1
    assert figures["faults.wrong"]["p50"] == 2
    assert figures["faults.double"]["p50"] == 0
    assert figures["faults.not_recovered"]["p50"] == 1
    assert figures["faults.stuck_rounds"]["p50"] == 1
    assert rounds[0].finds == []
    assert len(rounds[1].finds) == 5


def test_the_result_names_its_commit_and_each_kind(tmp_path: Path) -> None:
    write_result(tmp_path / "faults.json", [result(0)], 1, "deskhand bench faults")
    content = json.loads((tmp_path / "faults.json").read_text())
    assert content["commit"] == "c1"
    assert content["recovery_by_kind"]["cut db"] == {"n": 1, "p50": 4.0, "p95": 4.0, "max": 4.0}
    assert content["not_applied"] == 1
