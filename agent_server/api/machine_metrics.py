"""Metrics of what the database knows nothing of: env hosts, and the learner of the run folder.

Guarantees: hosts are asked side by side and not for longer than PROBE_S, so that one that hangs
holds no scrape up; a host without an answer is `up` 0, and its sessions are not there; of the
learner, what its last step wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from prometheus_client import CollectorRegistry, Gauge

from agent_server.run_metrics import REINFORCING, read_metrics

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


def describe_learner(run_dir: Path, registry: CollectorRegistry) -> None:
    """The newest learner step of the run folder; nothing where no run is trained in it."""
    steps = [event for event in read_metrics(run_dir) if _is_learner_step(event)]
    if not steps:
        return
    last, phases = steps[-1], ["phase"]
    count = Gauge("deskhand_learner_steps", "Learner steps of a phase", phases, registry=registry)
    for event in steps:
        count.labels(event["event"]).set(event["step"] + 1)
    age = Gauge("deskhand_learner_age_seconds", "Since its last step", registry=registry)
    age.set(max(0.0, datetime.now(UTC).timestamp() - last["time"]))
    for name, (metric, meaning) in LEARNER.items():
        value = last.get(name)
        if isinstance(value, int | float):
            Gauge(metric, meaning, registry=registry).set(value)


def _is_learner_step(event: dict[str, Any]) -> bool:
    """Lines with a slash in their name are of parts of a step."""
    name: str = event["event"]
    return name.startswith(tuple(REINFORCING)) and "/" not in name
