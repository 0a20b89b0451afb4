"""The metrics say what is there, and dashboard and alerts ask for nothing else."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.quotas import Quota, Use
from agent_server.store.store import Store
from agent_server.store.tables import Episode, PolicyVersion, utcnow
from agent_server.store.workers import Offer
from envs.contract.outcomes import InvalidReason
from tests.agent_server.api.test_machine_metrics import write_learner_steps
from tests.agent_server.store.test_queries import SOLVED, finish, invalid

KEY = "test-key"
MONITORING = Path(__file__).parents[3] / "vm_images" / "monitoring"
NAME = re.compile(r"deskhand_[a-z_]+")


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    keyed = settings.model_copy(update={"api_key": KEY})
    keyed = keyed.model_copy(update={"host_urls": ("http://127.0.0.1:9",)})
    write_learner_steps(keyed.run_dir)
    with TestClient(create_app(keyed), headers={"x-api-key": KEY}) as opened:
        with Store.open(keyed) as store:
            fill(store)
        yield opened


def fill(store: Store) -> None:
    waiting_since = utcnow() - timedelta(seconds=100)
    for key in ("solved", "lost", "waits"):
        row = Episode(id=key, run_id="api", purpose="api", task={}, created_at=waiting_since)
        store.episodes.create([row])
    finish(store, "solved", SOLVED)
    finish(store, "lost", invalid(InvalidReason.POLICY_DENIED))
    store.workers.report("well", Offer(("browser",), (), 4), None)
    store.workers.report("full", Offer((), (), 4), "the disk is full")
    store.keys.create("ci", "run", quota=Quota(steps=9))
    store.quotas.charge("ci", Use(steps=3))
    for version, status in ((1, "live"), (2, "rejected")):
        fields = {"run_id": "api", "path": "p", "sha256": "s", "status": status}
        store.runs.add_version(PolicyVersion(version=version, pause_ms=90.0, **fields))


def samples_of(client: TestClient) -> dict[tuple[str, ...], float]:
    """Values by name and labels, in the order of the labels' names."""
    text = client.get("/v1/metrics").text
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_each_metric_says_what_is_there(client: TestClient) -> None:
    samples = samples_of(client)
    assert samples["deskhand_episodes", "api", "policy_denied", "invalid"] == 1
    assert samples["deskhand_env_steps", "api"] == 3
    assert samples["deskhand_dead_letters",] == 1
    assert 100 <= samples["deskhand_oldest_wait_seconds",] < 200
    assert samples["deskhand_workers", "well"] == samples["deskhand_workers", "unwell"] == 1
    assert samples["deskhand_policy_version",] == 1
    assert samples["deskhand_policy_versions", "rejected"] == 1
    assert samples["deskhand_swap_pause_milliseconds",] == 90
    assert samples["deskhand_key_used", "ci", "steps"] == 3
    assert samples["deskhand_key_limit", "ci", "steps"] == 9
    assert ("deskhand_key_limit", "ci", "tokens") not in samples


def test_dashboard_and_alerts_ask_for_what_there_is(client: TestClient) -> None:
    # Of a host that answers nothing only `up` has a value; HELP lines name the others.
    known = set(NAME.findall(client.get("/v1/metrics").text))
    for name in ("alerts.yml", "grafana.json"):
        names = set(NAME.findall((MONITORING / name).read_text()))
        assert names
        assert names <= known, name


def test_an_alert_says_what_to_read() -> None:
    sections = re.findall(
        r"^## (.*)$", (MONITORING.parents[1] / "docs/howto/operate.md").read_text(), re.M
    )
    (group,) = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]:
        assert rule["annotations"]["runbook"] in sections, rule["alert"]


def test_panels_stand_side_by_side() -> None:
    panels = json.loads((MONITORING / "grafana.json").read_text())["panels"]
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len(panels) == len({panel["id"] for panel in panels})


def test_prometheus_takes_the_rules_and_the_configuration(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("no promtool: apt-get install prometheus")
    for name in ("alerts.yml", "prometheus.yml"):
        shutil.copy(MONITORING / name, tmp_path)
    key = tmp_path / "key"
    key.write_text("x")
    config = tmp_path / "prometheus.yml"
    config.write_text(config.read_text().replace("/etc/prometheus/deskhand.key", str(key)))
    checked = subprocess.run(
        [promtool, "check", "config", str(config)], capture_output=True, text=True, timeout=60
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "10 rules found" in checked.stdout
