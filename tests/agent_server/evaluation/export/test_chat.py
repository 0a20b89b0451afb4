"""Solved trials of training tasks become examples; others do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from agent_server.evaluation.export.chat import export_chat
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from tests.agent_server.evaluation.recorded_evaluation import End, record, task


def test_only_solved_trials_of_training_tasks_are_written(tmp_path: Path) -> None:
    ends = {
        ("live", "a", 0): End(),
        ("live", "a", 1): End(score=0.0),
        ("live", "b", 0): End(lost=True),
        ("live", "b", 1): End(score=0.0),
        ("live", "c", 0): End(),
    }
    tasks = [("os", task("a")), ("os", task("b")), ("os", task("c", split="test"))]
    evaluation = record(tmp_path / "run", EvalSpec(policy="live", trials=2), tasks, ends)
    trials = read_trials(tmp_path / "run", evaluation)
    sentences = list(export_chat(tmp_path / "out", tmp_path / "run", evaluation, trials))
    assert sentences[0].startswith("wrote 2 examples")
    assert "left out 1 solved trials" in sentences[1]
    first, second = lines(tmp_path / "out" / "chat.jsonl")
    assert first["messages"] == [
        {"role": "user", "content": "task: </script><b>"},
        {"role": "assistant", "content": "so\nact"},
    ]
    assert (first["task"], first["solved"], second["step"]) == ("a", 0.5, 1)


def lines(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]
