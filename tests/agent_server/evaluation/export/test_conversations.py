"""Episodes as conversations: what succeeded, with a result for each call."""

from __future__ import annotations

import json
from pathlib import Path

import orjson

from agent_server.episodes.trajectory import Completion, Step
from agent_server.evaluation.export.conversations import export_conversations, make_conversation
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    Batch,
    Click,
    Done,
    Target,
    Type,
)
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

FAILED = ActionResult.failure(ActionError.NOT_FOUND, "no such thing")


def make_step(index: int, action: Action | None, result: ActionResult, tree: str) -> Step:
    completion = Completion(text="")
    return Step(
        index=index,
        prompt="",
        completion=completion,
        thought=f"thought {index}",
        action=action,
        result=result,
        url="http://shop/",
        tree=tree,
    )


def test_each_call_has_its_result_and_failures_are_left_out() -> None:
    both = Batch(actions=(Click(target=Target(ref=1)), Type(text="blue")))
    steps = [
        make_step(0, both, ActionResult.success(), "first page"),
        make_step(1, Click(target=Target(ref=9)), FAILED, "second page"),
        make_step(2, None, FAILED, "second page"),
        make_step(3, Done(answer="12"), ActionResult.success(), "second page again"),
    ]
    row = make_conversation("Find it", steps)
    roles = [message["role"] for message in row["messages"]]
    assert roles == ["user", "assistant", "tool", "tool", "assistant", "tool"]
    user, first, click, typed, last, ended = row["messages"]
    assert user["content"] == "Task: Find it\n\nurl: http://shop/\nfirst page"
    assert first["content"] == "thought 0"
    functions = [call["function"] for call in first["tool_calls"]]
    assert functions == [
        {"name": "click", "arguments": '{"target":{"ref":1}}'},
        {"name": "type", "arguments": '{"text":"blue"}'},
    ]
    assert (click["content"], click["tool_call_id"]) == ("ok", first["tool_calls"][0]["id"])
    assert typed["content"] == "ok\n\nurl: http://shop/\nsecond page again"
    assert last["tool_calls"][0]["function"]["arguments"] == '{"answer":"12"}'
    assert ended["content"] == "ok"
    declared = {tool["function"]["name"] for tool in json.loads(row["tools"])}
    assert {"click", "type", "done"} <= declared


def test_only_full_scores_are_written(tmp_path: Path) -> None:
    ends = {
        ("oracle", "a", 0): End(),
        ("oracle", "b", 0): End(score=0.5),
        ("oracle", "c", 0): End(lost=True),
    }
    tasks = [("os", task(name)) for name in "abc"]
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    trials = read_trials(tmp_path / "run", evaluation)
    (sentence,) = export_conversations(tmp_path / "out", tmp_path / "run", evaluation, trials)
    assert sentence.startswith("wrote 1 of 3 trials")
    (line,) = (tmp_path / "out" / "conversations.jsonl").read_bytes().splitlines()
    row = orjson.loads(line)
    assert (row["task_id"], row["policy"], row["trial"]) == ("a", "oracle", 0)
    assert row["messages"][0]["content"].startswith("Task: Do <b>a</b>.")
