"""The command of the policy server, and what is missing for it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from agent_server.policy.engine import (
    EngineMissing,
    PolicyKeys,
    VllmEngine,
    engine_python,
    socket_folder,
    warm_up,
)
from envs.contract.outcomes import EpisodeFault, InvalidReason


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


def test_sockets_of_a_killed_server_do_not_stay_in_tmp(tmp_path: Path) -> None:
    short, long = Path(tempfile.mkdtemp(prefix="run-")), tmp_path / ("x" * 80)
    try:
        for run_dir in (short, long):
            (run_dir / "sockets").mkdir(parents=True)
            (run_dir / "sockets" / "of a run before").touch()
            with socket_folder(run_dir) as folder:
                assert (folder.parent == run_dir) == (run_dir is short)
                assert list(folder.iterdir()) == []
                environment = VllmEngine(tmp_path, 8123, sockets=folder).environment()
                assert environment["VLLM_RPC_BASE_PATH"] == str(folder)
                (folder / "left").touch()
            assert not folder.exists()
    finally:
        shutil.rmtree(short)


def test_each_server_has_a_guard_and_keys_of_its_own_that_no_command_line_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", str(tmp_path))
    engine, other = (VllmEngine(tmp_path, port) for port in (8123, 8124))
    environment, command = engine.environment(), engine.command()
    assert command[command.index("--middleware") + 1] == "policy_guard.PolicyGuard"
    assert (Path(environment["PYTHONPATH"]) / "policy_guard.py").is_file()
    keys = [engine.keys.generation, engine.keys.control, other.keys.generation, other.keys.control]
    assert len(set(keys)) == 4
    assert [environment[f"DESKHAND_POLICY_{name}"] for name in ("KEY", "CONTROL_KEY")] == keys[:2]
    assert not [part for part in command for key in keys if key in part]
    assert not [key for key in keys if key in repr(engine)]


def test_the_user_s_keys_are_taken_where_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKHAND_POLICY_KEY", "mine")
    monkeypatch.delenv("DESKHAND_POLICY_CONTROL_KEY", raising=False)
    keys = PolicyKeys.from_env()
    assert keys.generation == "mine"
    assert keys.control not in ("", "mine")


def test_a_missing_environment_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", str(tmp_path / "nothing"))
    with pytest.raises(EngineMissing, match="make setup"):
        engine_python()


async def test_a_refused_key_is_a_denial_that_does_not_show_the_key() -> None:
    async def refuse(request: web.Request) -> web.Response:
        return web.json_response({"error": "no"}, status=401)

    app = web.Application()
    app.router.add_post("/inference/v1/generate", refuse)
    async with TestServer(app) as server:
        with pytest.raises(EpisodeFault) as fault:
            await warm_up(str(server.make_url("")).rstrip("/"), "s3cret")
    assert fault.value.reason is InvalidReason.POLICY_DENIED
    assert "s3cret" not in str(fault.value)
