"""Recorded answers of each kind drive a browser that the API lends, to the model's own end."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from agent_server.stack.local_stack import Stack, StackConfig
from deskhand import Client
from tests.agent_server.agents.model_server import messages, playing, responses
from tests.envs.browser.site import serving
from tests.examples.example_process import ROOT, run_example

TRANSCRIPTS = ROOT / "tests" / "agent_server" / "agents" / "transcripts"


def read_transcript(name: str) -> dict[str, Any]:
    transcript: dict[str, Any] = json.loads((TRANSCRIPTS / f"{name}.json").read_text())
    return transcript


async def check_the_other_loop(site: str, stack: Path) -> None:
    """OpenAI's, on the same stack: starting another one would take longer than all of it."""
    recorded = read_transcript("openai_computer")
    replies = [responses(answer) for answer in recorded["answers"]]
    with playing(*replies) as model:
        arguments = ["Say hello.", "--model", "m", "--url", f"{site}/conformance"]
        arguments += ["--base-url", model.url, "--stack", str(stack)]
        output = await asyncio.to_thread(run_example, "openai_computer_use", *arguments)
    lines = output.splitlines()
    assert lines[-1] == recorded["answer"]
    assert [line.partition(" -> ")[2] for line in lines[:-1]] == [
        "[True, True, True]",
        "[]",
        "[True, True, True, True]",
    ]
    _, headers, first = model.received[0]
    assert headers["Authorization"] == "Bearer of-the-other-model"
    assert first["tools"] == [{"type": "computer"}]
    outputs = [item for item in model.bodies[-1]["input"] if "call_id" in item]
    assert [item["type"] for item in outputs] == ["computer_call", "computer_call_output"] * 3
    (message,) = (item for item in model.bodies[2]["input"][-1:] if item.get("role") == "user")
    assert "lies outside the picture" in json.dumps(message)


@pytest.mark.browser
@pytest.mark.timeout(250)
async def test_the_loop_does_what_the_model_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-the-model")
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-other-model")
    recorded = read_transcript("anthropic_computer")
    replies = [messages(answer) for answer in recorded["answers"]]
    arguments = ["Say hello.", "--model", "m", "--shown", "512", "384"]
    with serving() as site, playing(*replies) as model:
        arguments += ["--url", f"{site}/conformance", "--base-url", model.url]
        async with Stack(StackConfig(run_dir=tmp_path, concurrency=2, sites=(site,))) as stack:
            arguments += ["--stack", str(tmp_path / "stack.json")]
            output = await asyncio.to_thread(run_example, "computer_use", *arguments)
            await check_the_other_loop(site, tmp_path / "stack.json")
            with contextlib.closing(Client(stack.api_url, stack.settings.api_key)) as client:
                assert await asyncio.to_thread(client.list_sessions) == []
    lines = output.splitlines()
    assert lines[-1] == recorded["answer"]
    assert [line.partition(" -> ")[2] for line in lines[:-1]] == [
        "[True]",
        "[True, True, True]",
        "[]",
        "[True, True, True]",
    ]
    assert len(model.received) == len(replies)
    _, headers, first = model.received[0]
    assert headers["x-api-key"] == "of-the-model"
    assert first["tools"][0]["display_width_px"] == 512
    (result,) = model.bodies[3]["messages"][-1]["content"]
    assert (result["tool_use_id"], result["is_error"]) == ("toolu_5", True)
    assert "lies outside the picture" in json.dumps(result)
