"""OSWorld's layout and plain JSON lines, read back as their readers do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from pydantic import TypeAdapter

from agent_server.agents.config import AgentSpec
from agent_server.evaluation.export.jsonl import export_jsonl
from agent_server.evaluation.export.osworld import export_osworld, file_name
from agent_server.evaluation.job.plan import EvalSpec, Evaluation
from agent_server.evaluation.job.results import read_trials
from envs.contract.actions import Wait
from envs.contract.outcomes import EndReason
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

TASKS = [("mail", task("box/m1")), ("files", task("f1"))]
ENDS = {
    ("oracle", "box/m1", 0): End(pictures=True, actions=(Wait(ms=1), Wait(ms=2))),
    ("oracle", "box/m1", 1): End(score=0.25, reason=EndReason.STEP_LIMIT),
    ("oracle", "f1", 0): End(lost=True),
}


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    return record(tmp_path / "run", EvalSpec(policy="oracle", trials=2), TASKS, ENDS)


def test_osworld_s_layout(tmp_path: Path, evaluation: Evaluation) -> None:
    run = tmp_path / "run"
    notes = list(export_osworld(tmp_path / "to", run, evaluation, read_trials(run, evaluation)))
    assert [line.partition(";")[2] for line in notes] == [
        " 1 without a verdict, which OSWorld's scripts leave out"
    ] * 2
    base = tmp_path / "to" / "deskhand" / "a11y_tree" / "oracle"
    folder = base / "mail" / "box_m1"
    assert float((folder / "result.txt").read_text()) == 1.0
    lines = [json.loads(line) for line in (folder / "traj.jsonl").read_text().splitlines()]
    assert [line["step_num"] for line in lines] == [1, 2, 3]
    assert [line["done"] for line in lines] == [False, False, True]
    assert [line["reward"] for line in lines] == [0, 0, 1.0]
    assert lines[0]["action"] == {"type": "wait", "ms": 1}
    for line in lines:
        with Image.open(folder / line["screenshot_file"]) as picture:
            assert (picture.format, picture.size) == ("PNG", (64, 48))
    assert not (base / "files" / "f1" / "result.txt").exists(), "no score was measured"
    args = json.loads((base / "args.json").read_text())
    assert (args["model"], args["action_space"]) == ("oracle", "deskhand")
    assert args["deskhand"]["denominator"] == 2
    assert args["deskhand"]["success_rate"] == 0.5
    assert args["deskhand"]["without_verdict"] == ["f1"]
    second = base.with_name("oracle-trial2")
    assert float((second / "mail" / "box_m1" / "result.txt").read_text()) == 0.25


@pytest.mark.parametrize(
    ("fields", "folder"),
    [
        ({"dialect": "uitars"}, "deskhand/screenshot"),
        ({"dialect": "anthropic_computer", "observe": ["screenshot", "tree"]},
         "deskhand/screenshot_a11y_tree"),
        ({"dialect": "compact"}, "deskhand/a11y_tree"),
        ({"dialect": "osworld", "action_space": "computer_13"},
         "computer_13/screenshot_a11y_tree"),
    ],
)  # fmt: skip
def test_the_layout_says_what_the_agent_sees_and_how_it_acts(
    tmp_path: Path, fields: dict[str, object], folder: str
) -> None:
    endpoint = {"name": "mine", "base_url": "http://127.0.0.1:1", "model": "m", **fields}
    agent = TypeAdapter(AgentSpec).validate_python(endpoint)
    spec = EvalSpec(policy="mine", agent=agent, controls=True)
    ends = {("mine", "box/m1", 0): End(), ("noop", "box/m1", 0): End(score=0.0)}
    run, to = tmp_path / "run", tmp_path / "to"
    evaluation = record(run, spec, TASKS[:1], ends)
    list(export_osworld(to, run, evaluation, read_trials(run, evaluation)))
    args = json.loads((to / folder / "mine" / "args.json").read_text())
    assert f"{args['action_space']}/{args['observation_type']}" == folder
    assert (to / "deskhand" / "a11y_tree" / "noop" / "args.json").exists()


@pytest.mark.parametrize(
    ("text", "name"),
    [("shop/cart@1", "shop_cart@1"), ("..", "_"), ("../../x", "__.._x"), ("a b", "a_b")],
)
def test_names_lead_nowhere_else(text: str, name: str) -> None:
    assert file_name(text) == name


def test_json_lines(tmp_path: Path, evaluation: Evaluation) -> None:
    run, to = tmp_path / "run", tmp_path / "to"
    list(export_jsonl(to, run, evaluation, read_trials(run, evaluation)))
    episodes = [json.loads(line) for line in (to / "episodes.jsonl").read_text().splitlines()]
    assert [(episode["task_id"], episode["trial"], episode["score"]) for episode in episodes] == [
        ("box/m1", 0, 1.0), ("f1", 0, None), ("box/m1", 1, 0.25), ("f1", 1, None),
    ]  # fmt: skip
    assert [episode["outcome"] for episode in episodes] == [
        "done", "lost: stale", "step_limit", "not run yet",
    ]  # fmt: skip
    steps = [json.loads(line) for line in (to / "steps.jsonl").read_text().splitlines()]
    assert [step["index"] for step in steps if step["trial"] == 1] == [0, 1]
    assert "token_ids" not in steps[0]["completion"]
    assert Evaluation.read(to) == evaluation
