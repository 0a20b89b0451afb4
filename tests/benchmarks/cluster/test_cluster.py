"""Which machine ran an episode, and waits that end with what the machines said."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.cluster.cluster import Cluster, ClusterFailed
from benchmarks.cluster.machine import Site
from benchmarks.cluster.network import Network
from benchmarks.cluster.parts import WORKERS
from tests.machines import make_part


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    """Machines that are off."""
    return Cluster(Site(tmp_path, Network()), [make_part(name, ["true"]) for name in WORKERS])


def test_the_workers_logs_say_which_machine_ran_an_episode(cluster: Cluster) -> None:
    line = (
        "2026-11-24 12:00:00,000 INFO agent_server.worker.hosts [{}]: a session of http://{}:8200\n"
    )
    first, second = (cluster.site.log_of(name) for name in WORKERS)
    first.write_text(
        line.format("e1", "browser-1") + "other things\n" + line.format("e2", "browser-2")
    )
    second.write_text(line.format("e3", "browser-1"))
    machine_of = cluster.hosts_of_episodes()
    assert machine_of == {"e1": "browser-1", "e2": "browser-2", "e3": "browser-1"}


def test_a_wait_that_is_over_says_for_what_and_what_the_machines_said(cluster: Cluster) -> None:
    cluster.site.log_of("worker-2").write_text("no database\n")
    with pytest.raises(
        ClusterFailed, match=r"not within 0 s: an episode\n\n  worker-2: no database"
    ):
        cluster.wait_until(lambda: False, 0, "an episode")


def test_machines_know_each_other_by_name(cluster: Cluster) -> None:
    lines = cluster.site.hosts.read_text().splitlines()
    assert lines == ["127.0.0.1 localhost", "10.77.0.11 worker-1", "10.77.0.12 worker-2"]
