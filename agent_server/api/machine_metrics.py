"""Metrics of what the database knows nothing of: env hosts, and the learner of the run folder.

Guarantees: hosts are asked side by side and not for longer than PROBE_S, so that one that hangs
holds no scrape up; a host without an answer is `up` 0, and its sessions are not there; of the
learner, what its last step wrote, and a scrape reads no line that one before it has read.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from prometheus_client import CollectorRegistry, Gauge

from agent_server.run_metrics import REINFORCING, Event, NewEvents

PROBE_S = 1.0
AT_ONCE = 64
LEARNER = {
    "success": ("deskhand_learner_success", "Success of the episodes that it trained on"),
    "loss/total": ("deskhand_learner_loss", "Loss of its last step"),
    "entropy_mean": ("deskhand_learner_entropy", "Of the policy, nats a token"),
    "grad_norm": ("deskhand_learner_grad_norm", "Of its last step"),
}
"""Metric and its help by what a learner step is recorded with."""


def describe_hosts(urls: Sequence[str], registry: CollectorRegistry) -> None:
    """Which env hosts answer, and how many of their sessions are in use."""
    labels = ["host"]
    up = Gauge("deskhand_host_up", "Whether an env host is well", labels, registry=registry)
    used = Gauge("deskhand_host_sessions", "Sessions of a host", labels, registry=registry)
    room = Gauge("deskhand_host_capacity", "Sessions that it has", labels, registry=registry)
    lost = Gauge("deskhand_host_reaped", "Sessions whose lease ended", labels, registry=registry)
    if not urls:
        return
    # One client for all: each would read the system's certificates.
    with (
        httpx.Client(timeout=PROBE_S, trust_env=False) as client,
        ThreadPoolExecutor(min(len(urls), AT_ONCE)) as pool,
    ):
        answers = pool.map(partial(_read_health, client), urls)
        for url, health in zip(urls, answers, strict=True):
            up.labels(url).set(health.get("status") == "ok")
            for gauge, name in ((used, "sessions"), (room, "capacity"), (lost, "reaped")):
                if name in health:
                    gauge.labels(url).set(health[name])


def _read_health(client: httpx.Client, url: str) -> dict[str, Any]:
    """Empty without an answer."""
    try:
        health = client.get(f"{url.rstrip('/')}/v1/health").json()
    except (httpx.HTTPError, ValueError):
        return {}
    return health if isinstance(health, dict) else {}


class Learner:
    """The learner of a run folder, followed from scrape to scrape: each reads what is new."""

    def __init__(self, run_dir: Path) -> None:
        self._new = NewEvents(run_dir)
        # Scrapes run in threads, and two may come at once.
        self._lock = threading.Lock()
        self._steps: dict[str, int] = {}
        """Learner steps so far by phase."""
        self._last: Event | None = None

    def describe(self, registry: CollectorRegistry) -> None:
        """Its newest step; nothing where no run is trained in the folder."""
        with self._lock:
            self._follow()
            last, steps = self._last, dict(self._steps)
        if last is None:
            return
        phases = ["phase"]
        count = Gauge(
            "deskhand_learner_steps", "Learner steps of a phase", phases, registry=registry
        )
        for phase, number in steps.items():
            count.labels(phase).set(number)
        age = Gauge("deskhand_learner_age_seconds", "Since its last step", registry=registry)
        age.set(max(0.0, datetime.now(UTC).timestamp() - last["time"]))
        for name, (metric, meaning) in LEARNER.items():
            value = last.get(name)
            if isinstance(value, int | float):
                Gauge(metric, meaning, registry=registry).set(value)

    def _follow(self) -> None:
        # Piece by piece: the first scrape of an old run has all of it to read.
        while True:
            events, is_other = self._new.read()
            if is_other:
                self._steps, self._last = {}, None
            for event in filter(_is_learner_step, events):
                self._steps[event["event"]] = event["step"] + 1
                self._last = event
            if not events:
                return


def _is_learner_step(event: Event) -> bool:
    """Lines with a slash in their name are of parts of a step."""
    name: str = event["event"]
    return name.startswith(tuple(REINFORCING)) and "/" not in name
