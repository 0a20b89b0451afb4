"""The command of the policy server, and what is missing for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.engine import EngineMissing, VllmEngine, engine_python, healthy
from envs.providers.local import free_port


def test_the_server_binds_to_loopback_and_swaps_are_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", str(tmp_path))
    engine = VllmEngine(tmp_path / "v1", 8123, threads=3)
    command = engine.command()
    assert command[0] == str(tmp_path)
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert command[command.index("--model") + 1] == str(tmp_path / "v1")
    assert engine.url == "http://127.0.0.1:8123"
    environment = engine.environment()
    assert (environment["VLLM_SERVER_DEV_MODE"], environment["OMP_NUM_THREADS"]) == ("1", "3")


def test_a_missing_environment_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", str(tmp_path / "nothing"))
    with pytest.raises(EngineMissing, match="make setup"):
        engine_python()


async def test_nobody_listens_is_not_healthy() -> None:
    assert not await healthy(f"http://127.0.0.1:{free_port()}")
