"""Accounts of outages and shapes of reports, on values that a reader can check."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from benchmarks.cluster.account import (
    EpisodeEnd,
    Outage,
    account_outage,
    compare_shapes,
    find_open,
)
from envs.contract.outcomes import Status

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def moment(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def row(
    name: str,
    status: Status,
    begin: float,
    end: float,
    *,
    root: str = "",
    reason: str | None = None,
) -> EpisodeEnd:
    return EpisodeEnd(
        id=name,
        root_id=root or name,
        phase="reinforce",
        status=status,
        reason=reason,
        lease_owner="worker-1:7:abc",
        started_at=moment(begin),
        finished_at=moment(end),
    )


LOST = row("a", Status.INVALID, 5, 24, reason="host_lost")
AGAIN = row("a2", Status.SCORED, 26, 40, root="a")
KEPT = row("b", Status.TRUNCATED, 8, 30)
LATER = row("c", Status.SCORED, 61.5, 70)


def test_an_outage_is_told_by_what_became_of_its_episodes() -> None:
    outage = Outage("browser-2", "cable", moment(10), frozenset({"a", "b"}), moment(60))
    machine_of = {"a": "browser-2", "a2": "browser-1", "b": "browser-2", "c": "browser-2"}
    account = account_outage(outage, [LOST, KEPT, AGAIN, LATER], machine_of)
    assert (account.away_s, account.held, account.reasons) == (50, 2, {"host_lost": 1})
    assert (account.noticed_s, account.again_s, account.back_s) == (14, 30, 1.5)
    assert account.after_return == 1
    assert account.finds == []


def test_what_was_not_done_again_and_a_machine_that_stays_idle_are_finds() -> None:
    outage = Outage("browser-2", "power", moment(10), frozenset({"a"}), moment(60))
    account = account_outage(outage, [LOST], {"a": "browser-2"})
    assert account.finds == [
        "a was lost with browser-2 and never done again",
        "browser-2 did no episode after its return",
    ]


def test_a_chain_has_one_result() -> None:
    assert find_open([LOST, AGAIN, KEPT]) == []
    assert find_open([LOST]) == ["a has no result: ['invalid host_lost']"]
    twice = row("a3", Status.SCORED, 41, 50, root="a")
    assert find_open([LOST, AGAIN, twice]) == ["a was scored 2 times"]
    assert find_open([row("d", Status.CANCELLED, 0, 1)]) == []


def test_reports_are_compared_by_what_they_tell() -> None:
    report = {"rate": 0.5, "phases": [{"n": 1, "invalid": {"reset": 1}}], "why": None}
    assert (
        compare_shapes(report, {"rate": 1, "phases": [{"n": 2, "invalid": {}}], "why": None}) == []
    )
    other = {"rate": None, "phases": [{"n": 1, "invalid": {}}], "more": 1}
    assert compare_shapes(report, other) == [
        ".more is in one of them only",
        ".rate is number and null",
        ".why is in one of them only",
    ]
    assert compare_shapes({"phases": []}, {"phases": [1]}) == [".phases has 0 and 1 entries"]
