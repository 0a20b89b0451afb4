"""What each machine of a cluster is given, and what it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.cluster.parts import (
    BROWSERS,
    WORKERS,
    make_secrets,
    make_services,
    make_trainer,
)
from trainer.config import TrainConfig


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return make_secrets(tmp_path_factory.mktemp("operator") / "made")


def test_each_machine_has_the_secrets_of_its_part_and_the_runs_that_it_needs(
    secrets: dict[str, bytes],
) -> None:
    config = TrainConfig()
    parts = {part.name: part for part in make_services(secrets, config)}
    for name in BROWSERS:
        assert set(parts[name].files) == {"host_public_key", "gym_token"}
        assert parts[name].runs == "none"
    assert {name for name, part in parts.items() if part.runs == "write"} == {*WORKERS, "api"}
    assert parts["policy"].runs == "read"
    trainer = make_trainer(secrets, config, [])
    holders = {p.name for p in (*parts.values(), trainer) if "policy_control_key" in p.files}
    assert holders == {"policy", "trainer"}
    for part in (*parts.values(), trainer):
        text = " ".join([*part.command, *part.environment.values()])
        assert not any(secret.decode() in text for secret in secrets.values()), part.name


def test_secrets_are_new_each_time(tmp_path: Path, secrets: dict[str, bytes]) -> None:
    again = make_secrets(tmp_path)
    assert again.keys() == secrets.keys()
    assert again["policy_key"] != secrets["policy_key"]
