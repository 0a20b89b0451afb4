"""The export in JSON lines has every planned trial and every step."""

from __future__ import annotations

from pathlib import Path

import orjson

from agent_server.evaluation.export.jsonl import export_jsonl
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from tests.agent_server.evaluation.recorded_evaluation import End, record, task


def lines(path: Path) -> list[dict[str, object]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def test_lost_trials_are_lines_too_and_steps_have_no_token_ids(tmp_path: Path) -> None:
    ends = {("oracle", "a", 0): End(tokens=3), ("oracle", "b", 0): End(lost=True)}
    tasks = [("os", task(name)) for name in ("a", "b")]
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    trials = read_trials(tmp_path / "run", evaluation)
    (sentence,) = export_jsonl(tmp_path / "out", tmp_path / "run", evaluation, trials)
    assert sentence.startswith("wrote 2 trials and ")
    episodes = lines(tmp_path / "out" / "episodes.jsonl")
    assert [row["task_id"] for row in episodes] == ["a", "b"]
    steps = lines(tmp_path / "out" / "steps.jsonl")
    assert steps[0]["task_id"] == "a"
    assert "token_ids" not in steps[0]["completion"]  # type: ignore[operator]
    assert (tmp_path / "out" / "evaluation.json").is_file()
