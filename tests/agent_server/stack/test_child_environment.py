"""Children get the secrets that they need, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.settings import Settings
from agent_server.stack.child_environment import (
    api_environment,
    engine_environment,
    worker_environment,
)

SETTINGS = Settings(
    host_token="of-hosts",
    api_key="of-the-api",
    policy_key="of-answers",
    policy_control_key="of-swaps",
)


def secrets_in(environment: dict[str, str]) -> set[str]:
    return {value for value in environment.values() if value.startswith("of-")}


def test_worker_and_api_share_no_secret() -> None:
    assert secrets_in(worker_environment(SETTINGS)) == {"of-hosts", "of-answers"}
    lending_none = SETTINGS.model_copy(update={"max_sessions": 0})
    assert secrets_in(api_environment(lending_none)) == {"of-the-api"}


def test_an_api_that_lends_sessions_gets_the_token_of_their_hosts() -> None:
    assert secrets_in(api_environment(SETTINGS)) == {"of-the-api", "of-hosts"}


def test_the_worker_gets_the_key_that_its_agent_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = tmp_path / "agent.toml"
    agent.write_text(
        'dialect = "compact"\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\napi_key_env = "A_KEY"\n'
    )
    monkeypatch.setenv("A_KEY", "of-the-model")
    monkeypatch.setenv("ANOTHER_KEY", "of-others")
    settings = SETTINGS.model_copy(update={"agent": agent})
    assert "A_KEY" not in worker_environment(SETTINGS)
    assert worker_environment(settings)["A_KEY"] == "of-the-model"
    assert "ANOTHER_KEY" not in worker_environment(settings)
    assert "A_KEY" not in api_environment(settings)


def test_keys_of_a_store_go_to_who_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of-the-store")
    stored = SETTINGS.model_copy(update={"artifacts_url": "s3://bucket/runs"})
    for make in (worker_environment, api_environment):
        assert "AWS_SECRET_ACCESS_KEY" not in make(SETTINGS)
        assert make(stored)["AWS_SECRET_ACCESS_KEY"] == "of-the-store"


def test_the_policy_server_gets_its_devices_and_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    monkeypatch.setenv("HF_TOKEN", "of-the-hub")
    environment = engine_environment({"OMP_NUM_THREADS": "2"})
    assert environment["CUDA_VISIBLE_DEVICES"] == "0"
    assert environment["OMP_NUM_THREADS"] == "2"
    assert "HF_TOKEN" not in environment
