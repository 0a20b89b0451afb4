"""A dead adapter is told from a live one, however little it does, and noise is not taken for it."""

from __future__ import annotations

import random

import pytest

from agent_server.policy.adapter_effect import measure_effect


def differences(size: float, share: float, noise: float, count: int = 200) -> list[list[float]]:
    rng = random.Random(0)
    trained = [rng.gauss(0, size) for _ in range(count)]
    return [trained, [share * value + rng.gauss(0, noise) for value in trained]]


@pytest.mark.parametrize("size", [0.5, 0.02])
def test_a_live_adapter_shows_all_of_its_effect_and_a_dead_one_none(size: float) -> None:
    trained, served = differences(size, 1.0, 0.01)
    assert measure_effect(trained, served).share == pytest.approx(1.0, abs=0.1)
    assert not measure_effect(trained, served).is_dead
    trained, served = differences(size, 0.0, 0.01)
    assert measure_effect(trained, served).is_dead
    assert measure_effect(trained, [0.0] * len(trained)).is_dead


def test_an_adapter_that_does_less_than_two_engines_differ_is_not_judged() -> None:
    trained, served = differences(0.001, 0.0, 0.01)
    assert not measure_effect(trained, served).is_dead
    assert not measure_effect([0.0, 0.0], [0.1, -0.1]).is_dead, "an untrained one does nothing"
