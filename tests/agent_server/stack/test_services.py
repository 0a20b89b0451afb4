"""A trainer on services of others: what it refuses, and what it waits for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import uvicorn

from agent_server.policy.inside.policy_guard import PolicyGuard, Receive, Scope, Send
from agent_server.settings import Settings
from agent_server.stack import services as module
from agent_server.stack.local_stack import RunBusy, run_lock
from agent_server.stack.services import Services, ServicesUnusable
from envs.providers.local import free_port


def settings(run_dir: Path) -> Settings:
    return Settings(run_dir=run_dir, policy_urls=(f"http://127.0.0.1:{free_port()}",))


def test_services_without_a_policy_server_are_refused_by_the_variable(tmp_path: Path) -> None:
    with pytest.raises(ServicesUnusable, match="DESKHAND_POLICY_URLS"):
        Services(Settings(run_dir=tmp_path), 0.05)


async def test_a_policy_server_that_does_not_come_ends_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POLICY_START_S", 0.3)
    monkeypatch.setattr(module, "WATCH_S", 0.05)
    with pytest.raises(ServicesUnusable, match=r"did not answer within 0\.3 s"):
        async with Services(settings(tmp_path), 0.05):
            pass
    with run_lock(tmp_path):
        pass


async def engine(scope: Scope, receive: Receive, send: Send) -> None:
    """What stands behind the guard: it answers 200."""
    if scope["type"] == "lifespan":
        return
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"is_paused": true}'})


@pytest.mark.parametrize("variable", ["DESKHAND_POLICY_KEY", "DESKHAND_POLICY_CONTROL_KEY"])
async def test_a_key_that_is_refused_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    keys = {"DESKHAND_POLICY_KEY": "generation", "DESKHAND_POLICY_CONTROL_KEY": "control"}
    for name, key in keys.items():
        monkeypatch.setenv(name, key)
    guard, port = PolicyGuard(engine), free_port()
    mine = keys | {variable: "another"}
    server = uvicorn.Server(
        uvicorn.Config(guard, port=port, log_level="warning", ws="none", lifespan="off")
    )
    serving = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(60):
            while not server.started:
                await asyncio.sleep(0.01)
            services = Services(
                Settings(
                    run_dir=tmp_path,
                    policy_urls=(f"http://127.0.0.1:{port}",),
                    policy_key=mine["DESKHAND_POLICY_KEY"],
                    policy_control_key=mine["DESKHAND_POLICY_CONTROL_KEY"],
                ),
                0.05,
            )
            with pytest.raises(ServicesUnusable, match=f"^{variable}:"):
                async with services:
                    pass
    finally:
        server.should_exit = True
        await serving


async def test_one_trainer_at_a_time_has_the_run_folder(tmp_path: Path) -> None:
    with run_lock(tmp_path), pytest.raises(RunBusy, match=str(tmp_path)):
        async with Services(settings(tmp_path), 0.05):
            pass
