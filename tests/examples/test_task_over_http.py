"""The client of the HTTP API follows a task to its verdict."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent_server.stack.local_stack import Stack, StackConfig
from examples.task_over_http import read_events
from tests.examples.example_process import run_example


def test_events_are_read_whole_and_comments_left_out() -> None:
    lines = [
        ": ping",
        "",
        "event: step",
        "id: 1",
        'data: {"n": 1}',
        "",
        "event: end",
        "data: {}",
        "",
    ]
    assert list(read_events(iter(lines))) == [("step", {"n": 1}), ("end", {})]


@pytest.mark.browser
@pytest.mark.timeout(250)
async def test_it_prints_the_steps_and_the_verdict(tmp_path: Path) -> None:
    async with Stack(StackConfig(run_dir=tmp_path, concurrency=2)):
        stack_file = str(tmp_path / "stack.json")
        output = await asyncio.to_thread(run_example, "task_over_http", "--stack", stack_file)
    assert "  done  -> ok" in output
    assert "scored: score 1.0, success True" in output
