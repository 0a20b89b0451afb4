"""A host that is well, one that hangs and one that is away; a learner's last step."""

from __future__ import annotations

import http.server
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from prometheus_client import CollectorRegistry

from agent_server.api.machine_metrics import PROBE_S, Learner, describe_hosts
from agent_server.run_metrics import METRICS_FILE
from tests.loopback_server import serve


class _Host(http.server.BaseHTTPRequestHandler):
    """Says what `GET /v1/health` of an env host says."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        health = {"status": "ok", "env": "browser", "sessions": 3, "capacity": 16, "reaped": 1}
        self.wfile.write(orjson.dumps(health) if self.path == "/v1/health" else b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not logged."""


@pytest.fixture
def host() -> Iterator[str]:
    with serve(_Host) as url:
        yield url


def write_learner_steps(run_dir: Path) -> None:
    """Two steps of a phase, with the lines around them."""
    step = {"success": 0.5, "loss/total": 0.1, "entropy_mean": 0.4, "grad_norm": 1.5}
    lines = [
        {"time": 1.0, "event": "imitate", "step": 7, "loss/total": 3.0},
        {"time": 2.0, "event": "reinforce-1", "step": 0, **step},
        {"time": time.time() - 60, "event": "reinforce-1", "step": 1, **step, "success": 0.75},
        {"time": time.time(), "event": "reinforce-1/rate", "step": 1, "success": 0.1},
    ]
    run_dir.mkdir(parents=True, exist_ok=True)
    (run_dir / METRICS_FILE).write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))


def test_hosts_say_how_full_they_are_and_who_does_not_is_down(host: str) -> None:
    registry, away = CollectorRegistry(), "http://127.0.0.1:9"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hangs = f"http://127.0.0.1:{silent.getsockname()[1]}"
        since = time.monotonic()
        describe_hosts((host, away, hangs), registry)
        assert time.monotonic() - since < 10 * PROBE_S

    def value(name: str, url: str) -> float | None:
        return registry.get_sample_value(f"deskhand_host_{name}", {"host": url})

    assert [value("up", url) for url in (host, away, hangs)] == [1, 0, 0]
    assert [value(name, host) for name in ("sessions", "capacity", "reaped")] == [3, 16, 1]
    assert value("sessions", away) is None


def test_the_learner_is_told_by_its_last_step(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    write_learner_steps(tmp_path)
    Learner(tmp_path).describe(registry)
    steps = registry.get_sample_value("deskhand_learner_steps", {"phase": "reinforce-1"})
    assert steps == 2
    assert registry.get_sample_value("deskhand_learner_success") == 0.75
    age_s = registry.get_sample_value("deskhand_learner_age_seconds")
    assert age_s is not None
    assert 60 <= age_s < 120


def test_a_folder_without_a_training_run_has_no_learner(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    Learner(tmp_path).describe(registry)
    assert registry.get_sample_value("deskhand_learner_age_seconds") is None


def test_a_learner_is_followed_from_scrape_to_scrape(tmp_path: Path) -> None:
    learner = Learner(tmp_path)

    def steps_and_success() -> list[float | None]:
        registry = CollectorRegistry()
        learner.describe(registry)
        steps = registry.get_sample_value("deskhand_learner_steps", {"phase": "reinforce-1"})
        return [steps, registry.get_sample_value("deskhand_learner_success")]

    assert steps_and_success() == [None, None]
    write_learner_steps(tmp_path)
    assert steps_and_success() == [2, 0.75]
    line = {"time": time.time(), "event": "reinforce-1", "step": 2, "success": 1.0}
    with (tmp_path / METRICS_FILE).open("ab") as file:
        file.write(orjson.dumps(line) + b"\n")
    assert steps_and_success() == [3, 1.0]
    assert steps_and_success() == [3, 1.0]
    (tmp_path / METRICS_FILE).unlink()
    assert steps_and_success() == [None, None]
