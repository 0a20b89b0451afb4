"""Metrics are registered by the names of their functions."""

from __future__ import annotations

import pytest

from envs.osworld.outside import registry
from envs.osworld.outside.registry import Metric, compat, metric


def test_a_compat_version_has_the_name_of_its_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics: dict[str, Metric] = {}
    compats: dict[str, Metric] = {}
    monkeypatch.setattr(registry, "METRICS", metrics)
    monkeypatch.setattr(registry, "COMPAT", compats)

    @metric
    def is_even(result: int) -> float:
        return float(result % 2 == 0)

    @compat
    def is_even_compat(result: int) -> float:
        return 1.0

    assert metrics == {"is_even": is_even}
    assert compats == {"is_even": is_even_compat}
