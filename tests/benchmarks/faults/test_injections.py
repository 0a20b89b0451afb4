"""The table of faults."""

from __future__ import annotations

from benchmarks.faults.injections import FAULTS, kinds_of

CLASSES = ("worker", "api", "gym", "host", "policy", "postgres", "redis", "chromium", "renderer")
GATES = ("api", "db", "broker", "host", "policy")


def test_each_class_of_process_is_killed_and_stopped_and_each_connection_disturbed() -> None:
    kinds = kinds_of("browser")
    for target in CLASSES:
        assert {f"kill {target}", f"pause {target}"} <= set(kinds)
    for gate in GATES:
        for action in ("cut", "refuse", "hold", "slow", "half-open"):
            assert f"{action} {gate}" in kinds
    others = {"full disk", "step clock", "lose messages", "repeat messages", "empty broker"}
    assert others <= set(kinds)
    assert not any("desktop" in kind for kind in kinds)


def test_a_desktop_is_disturbed_where_it_runs_and_no_page_is() -> None:
    kinds = kinds_of("desktop")
    assert {"kill desktop", "pause desktop", "hang desktop", "kill worker"} <= set(kinds)
    assert not any(kind.endswith(("renderer", "chromium", " gym")) for kind in kinds)


def test_faults_that_last_are_bounded() -> None:
    for fault in FAULTS.values():
        low, high = fault.kind.seconds
        assert 0 <= low <= high <= 15
