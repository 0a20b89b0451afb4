"""OSWorld's commands on a real desktop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import orjson
import pytest

from envs.host.osworld import CALLS
from envs.providers.local import free_port
from tests.envs.desktop_box import Box, desktop_box

desktop = pytest.mark.desktop
FORWARDED = 9222
"""Where OSWorld's tasks find DevTools."""


@pytest.fixture(scope="module")
def served_port() -> int:
    """Of this machine: what a program of the box serves on FORWARDED is to be found there."""
    return free_port()


@pytest.fixture(scope="module")
def box(served_port: int) -> Iterator[Box]:
    with desktop_box("--allow-shell", "--forward", f"{served_port}={FORWARDED}") as started:
        yield started


@pytest.fixture(scope="module")
def open_box() -> Iterator[Box]:
    """No token, no shell."""
    with desktop_box("--no-token") as started:
        yield started


@pytest.fixture
async def http(box: Box) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {box.token}"}
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(box.url, headers=headers, timeout=timeout) as session:
        yield session


async def post(http: aiohttp.ClientSession, path: str, body: Any) -> tuple[int, Any]:
    async with http.post(path, json=body) as reply:
        content = await reply.read()
        return reply.status, orjson.loads(content) if content[:1] in b"{[" else content.decode()


async def run(http: aiohttp.ClientSession, script: str, **more: Any) -> Any:
    status, reply = await post(http, "/run_bash_script", {"script": script, **more})
    assert status == 200
    return reply


@desktop
async def test_commands_need_a_host_that_allows_a_shell(open_box: Box) -> None:
    shell = [path for call in CALLS if call.shell for path in call.paths]
    assert len(shell) == 7
    async with aiohttp.ClientSession(open_box.url) as http:
        for path in shell:
            status, reply = await post(http, path, {"command": ["touch", "/home/user/ran"]})
            assert status == 403
            assert "--allow-shell" in reply["error"]
        async with http.get("/screenshot") as reply:
            assert reply.status == 200
    assert not (open_box.home / "ran").exists()


@desktop
async def test_a_command_that_fails_is_answered(http: aiohttp.ClientSession) -> None:
    status, reply = await post(http, "/execute", {"command": "echo out; exit 7", "shell": True})
    assert (status, reply["returncode"], reply["output"]) == (200, 7, "out\n")
    for path in ("/execute", "/setup/execute", "/setup/launch"):
        for command in (["no-such-program"], "open 'quote", []):
            status, reply = await post(http, path, {"command": command})
            assert (status, reply["status"], bool(reply["message"])) == (500, "error", True)
    status, reply = await post(http, "/execute", {"shell": True})
    assert status == 400
    assert "command" in reply["message"]


@desktop
async def test_debian_s_python_has_pyautogui_as_osworld_s_has(http: aiohttp.ClientSession) -> None:
    for command in (
        ["python3", "-c", "import pyautogui; print(pyautogui.size().width)"],
        "python3 -c 'import pyautogui; print(pyautogui.size().width)'",
    ):
        _, reply = await post(http, "/execute", {"command": command})
        assert (reply["output"], reply["returncode"]) == ("1280\n", 0), reply


@desktop
async def test_a_script_is_killed_at_its_time(http: aiohttp.ClientSession, box: Box) -> None:
    reply = await run(http, "sleep 543 & echo $! > ~/pid; sleep 543", timeout=0.5)
    assert (reply["status"], reply["returncode"]) == ("error", -1)
    assert "timed out after 0.5" in reply["error"]
    reply = await run(http, "pgrep -fx 'sleep 543' || echo none")
    assert reply["output"] == "none\n"


@desktop
async def test_a_working_folder_that_is_not_there_is_named(http: aiohttp.ClientSession) -> None:
    reply = await run(http, "pwd", working_dir="~/Documents")
    assert reply["output"] == "/home/user/Documents\n"
    reply = await run(http, "pwd", working_dir="/nowhere")
    assert "/nowhere" in reply["error"]


@desktop
async def test_verification_waits_for_what_must_come_true(http: aiohttp.ClientSession) -> None:
    body: dict[str, Any] = {
        "command": "rm -f ~/late; (sleep 0.3; touch ~/late) >/dev/null 2>&1 &",
        "shell": True,
        "verification": {"command_success": "test -e ~/late"},
        "check_interval": 0.1,
    }
    status, reply = await post(http, "/setup/execute_with_verification", body)
    assert (status, reply["status"], reply["verification"]) == (200, "success", "passed")
    body |= {"verification": {"window_exists": "No such window"}, "max_wait_time": 0.3}
    status, reply = await post(http, "/execute_with_verification", body)
    assert (status, reply["status"]) == (200, "verification_failed")


@desktop
async def test_a_forwarded_port_leads_into_the_box(
    http: aiohttp.ClientSession, box: Box, served_port: int
) -> None:
    await run(http, f"echo hello >~/page && cd ~ && (setsid python3 -m http.server {FORWARDED} &)")
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(aiohttp.ClientError):
                async with http.get(f"http://127.0.0.1:{served_port}/page") as reply:
                    assert await reply.text() == "hello\n"
                    return
            await asyncio.sleep(0.1)
