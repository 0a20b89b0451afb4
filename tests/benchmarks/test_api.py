"""The API's benchmark, with a few clients for a few seconds."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from benchmarks import api, result

pytestmark = [pytest.mark.services, pytest.mark.timeout(120)]


def test_reads_events_and_consoles_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "PAUSE_S", 0.3)
    monkeypatch.setattr(result, "calibrate", dict)
    api.run(tmp_path / "api.json", clients=10, episodes=3, consoles=3, seconds=4)
    figures = orjson.loads((tmp_path / "api.json").read_bytes())["figures"]
    assert figures["api.errors"]["p50"] == 0
    assert figures["api.read_ms"]["n"] >= 8
    assert figures["api.console_ms"]["n"] >= 3
    assert figures["api.events"]["n"] >= 4


def test_errors_are_counted() -> None:
    answers = api.Answers(read_ms=[1.0, 3.0])
    answers.fail("x answered 500")
    answers.fail("x answered 500")
    figures = api.make_figures(answers, 5, 2, 10.0)
    assert (figures["api.errors"]["p50"], figures["api.read_ms"]["n"]) == (2, 2)
    assert "api.console_ms" not in figures
