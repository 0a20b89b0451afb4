"""The scripted policy server, asked by the real policy client."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from agent_server.episodes.agent import Sampling, Turn
from agent_server.policy.client import VllmPolicy
from benchmarks.faults.script_server import create_app, digest_of, write_script
from envs.contract.observations import Observation
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.providers.local import free_port


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    write_script(tmp_path / "script.json", {"task: buy\nbutton Buy #1": "buy\nclick Buy #1"})
    port = free_port()
    app = create_app(tmp_path / "script.json")
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(60)


def turn(prompt: str) -> Turn:
    return Turn(Task(id="t", instruction="buy"), Observation(hash=""), prompt, Sampling())


async def test_a_prompt_gets_what_the_script_says_and_an_unknown_one_a_fault(url: str) -> None:
    policy = VllmPolicy(url, "policy", timeout_s=60)
    try:
        answer = await policy.act(turn("task: buy\nbutton Buy #1"))
        assert answer.text == "buy\nclick Buy #1"
        with pytest.raises(EpisodeFault) as fault:
            await policy.act(turn("task: buy\nbutton Sell #1"))
        assert fault.value.reason is InvalidReason.POLICY_ERROR
    finally:
        await policy.close()


def test_a_page_is_known_whatever_space_the_disk_has_left() -> None:
    pages = [f"text 3 items\ntext Free space: {free} GiB (Total: 252 GiB)" for free in (67.5, 66.1)]
    assert digest_of(pages[0]) == digest_of(pages[1])
    assert digest_of(pages[0]) != digest_of(pages[0].replace("3 items", "4 items"))
