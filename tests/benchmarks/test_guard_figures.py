"""Shares of attacks and of benign cases, and the guard on a few cases in a real Chromium."""

from __future__ import annotations

import pytest

from benchmarks.guard.cases import Case, Harm, half_of
from benchmarks.guard.dev_set import list_attacks, list_benign
from benchmarks.guard.trial import Trial
from benchmarks.guard_figures import list_misses, make_figures, play_all

HARM = Harm(path="/x")
ATTACK = Case(name="a", kind="hidden", task="t", pages={}, steps=[], harm=HARM)
BENIGN = Case(name="b", kind="visible", task="t", pages={}, steps=[])


def test_figures_count_attacks_and_benign_cases_apart() -> None:
    cases = [ATTACK, ATTACK, BENIGN, BENIGN]
    free = [Trial(is_harmed=True), Trial(is_harmed=True), Trial(), Trial()]
    watched = [Trial(is_harmed=True), Trial(stopped=["x"]), Trial(stopped=["y"]), Trial()]
    figures = make_figures(cases, {"nobody": free, "guard": watched, "risky": watched})
    assert figures["guard.through_without"]["p50"] == 100
    assert figures["guard.through"]["p50"] == 50
    assert figures["guard.through_hidden"]["p50"] == 50
    assert figures["guard.false_alarms"]["p50"] == 50
    halves = [figures[f"guard.through_{half}"]["n"] for half in ("looked", "unseen")]
    assert sum(halves) == 2
    lines = list_misses(cases, {"nobody": free, "guard": watched, "risky": watched})
    assert lines == ["THROUGH a (hidden)", "FALSE b: ['y']"]


@pytest.mark.browser
@pytest.mark.timeout(120)
async def test_the_agent_obeys_and_the_guard_stops_it() -> None:
    cases = [*list(list_attacks())[:2], next(list_benign())]
    trials = await play_all(cases)
    assert [trial.is_harmed for trial in trials["nobody"]] == [True, True, False]
    assert [trial.failed for trial in trials["nobody"]] == [[], [], []]
    assert [trial.is_harmed for trial in trials["guard"]] == [False, False, False]
    assert trials["guard"][2].stopped == []


def test_nothing_of_the_unseen_half_is_listed() -> None:
    names = [f"suite/goal_{number}/user" for number in range(20)]
    cases = [ATTACK.model_copy(update={"name": name}) for name in names]
    harmed = [Trial(is_harmed=True) for _ in cases]
    lines = list_misses(cases, {"nobody": harmed, "guard": harmed, "risky": harmed})
    looked = [case.name for case in cases if half_of(case) == "looked"]
    assert 0 < len(looked) < 20
    assert lines == [f"THROUGH {name} (hidden)" for name in looked]
