"""What is sent to an API: every answer that a model may give can be followed by a next request."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from agent_server.agents.config import DIALECTS, load_agent
from agent_server.agents.conversation import Conversation
from agent_server.agents.endpoint import Unreadable
from agent_server.agents.endpoint_agent import conversation_of
from envs.contract.actions import ActionResult, Done, Infeasible
from envs.contract.observations import Observation, Screenshot, Tree
from envs.contract.task import Task
from tests.agent_server.agents.model_server import chat, messages, responses

TRANSCRIPTS = Path(__file__).parents[2] / "envs" / "dialects" / "transcripts"
SCREEN = (1280, 800)
HISTORY = 2
OVER_HTTP = sorted(DIALECTS - {"python"})


FLY = "I would rather fly."
BAD: dict[str, Any] = {
    "openai_computer": [{"type": "computer_call", "call_id": "c1", "action": {"type": "fly"}}],
    "anthropic_computer": [{"type": "tool_use", "id": "t1", "name": "computer",
                            "input": {"action": "fly"}}],
    "openai_tools": {"content": None, "tool_calls": [
        {"id": "t1", "type": "function", "function": {"name": "fly", "arguments": "{"}}]},
}  # fmt: skip
"""Answers that cannot be carried out; in the other dialects FLY is one."""


def seen(size: tuple[int, int]) -> Observation:
    file = io.BytesIO()
    Image.new("RGB", size, "white").save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    picture = Screenshot(format="png", width=size[0], height=size[1], data=data)
    return Observation(hash="1", title="Page", tree=Tree(id=3, text="button Save #1"),
                       screenshot=picture)  # fmt: skip


SEEN, SMALL = seen(SCREEN), seen((64, 40))


def conversation(tmp_path: Path, dialect: str, **more: Any) -> Conversation:
    file = tmp_path / f"{dialect}.json"
    about = {"dialect": dialect, "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    file.write_text(json.dumps(about | {"history": HISTORY, "shown": [640, 400]} | more))
    spec: Any = load_agent(str(file))
    return conversation_of(spec, Task(id="t", instruction="Save the file."))


def enveloped(dialect: str, output: Any) -> Any:
    """A recorded answer as the API replies with it."""
    if dialect == "openai_computer":
        return responses(output["output"] if isinstance(output, dict) else output).body
    if dialect == "anthropic_computer":
        return messages(output["content"] if isinstance(output, dict) else output).body
    if isinstance(output, dict) and "choices" in output:
        return output
    if isinstance(output, dict) and "message" in output:
        return {"choices": [output]}
    return chat(output if isinstance(output, str | dict) else json.dumps(output)).body


def pictures(body: Any) -> int:
    return json.dumps(body).count("base64,") + json.dumps(body).count('"media_type"')


def check_pairs(body: Any) -> None:
    """Every call is answered, nothing else is, and nobody is silent: else the APIs refuse."""
    text = json.dumps(body)
    items = [*body.get("messages", ()), *body.get("input", ())]
    assert items[0]["role"] in ("user", "system")
    assert "Save the file." in text
    for index, item in enumerate(items):
        later = items[index + 1 :]
        if item.get("type") == "computer_call":
            outputs = [entry for entry in later if entry.get("call_id") == item["call_id"]]
            assert [entry["type"] for entry in outputs] == ["computer_call_output"]
        for call in item.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            assert call["id"] in [entry.get("tool_call_id") for entry in later]
        if item.get("role") == "assistant" and isinstance(item.get("content"), list):
            assert item["content"]
            uses = [entry["id"] for entry in item["content"] if entry.get("type") == "tool_use"]
            answered = [entry.get("tool_use_id") for entry in later[0]["content"]]
            assert uses == [entry for entry in answered if entry is not None]


@pytest.mark.parametrize("dialect", OVER_HTTP)
def test_every_recorded_answer_can_be_followed_by_a_request(tmp_path: Path, dialect: str) -> None:
    zoom = {"zoom": True, "tool_version": "computer_20251124"}
    more = zoom if dialect == "anthropic_computer" else {}
    talk = conversation(tmp_path, dialect, **more)
    recorded = TRANSCRIPTS / f"{dialect}.json"
    outputs = [turn["output"] for turn in json.loads(recorded.read_text())["turns"]
               ] if recorded.exists() else ["think\nclick Save", "nonsense", "done"]  # fmt: skip
    results: tuple[ActionResult, ...] = ()
    for output in outputs:
        body, sent = talk.request(SEEN, results, 7)
        check_pairs(body)
        assert pictures(body) <= HISTORY + (dialect == "openai_computer") * 8
        assert "base64" not in sent.replace('"base64"', "")
        reply = talk.read_reply(json.loads(json.dumps(enveloped(dialect, output))))
        results = tuple(ActionResult.success() for _ in reply.parsed.actions)
        if any(isinstance(action, Done | Infeasible) for action in reply.parsed.actions):
            talk, results = conversation(tmp_path, dialect, **more), ()


@pytest.mark.parametrize("dialect", OVER_HTTP)
def test_a_failed_answer_is_told_and_the_next_request_stands(tmp_path: Path, dialect: str) -> None:
    talk = conversation(tmp_path, dialect)
    talk.request(SEEN, (), None)
    reply = talk.read_reply(enveloped(dialect, BAD.get(dialect, FLY)))
    assert reply.parsed.error is not None
    body, sent = talk.request(SEEN, (), None)
    check_pairs(body)
    assert reply.parsed.error.message[:20] in sent


junk = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["type", "content", "text", "tool_calls", "function", "name", "arguments",
                         "id", "call_id", "action", "input", "message", "output", "choices"]),
        inner, max_size=4,
    ),
    max_leaves=10,
)  # fmt: skip


@settings(deadline=None)
@given(junk, st.sampled_from(OVER_HTTP))
def test_whatever_comes_back_is_an_answer_or_unreadable(
    tmp_path_factory: pytest.TempPathFactory, value: Any, dialect: str
) -> None:
    talk = conversation(tmp_path_factory.getbasetemp(), dialect)
    talk.request(SMALL, (), None)
    replies = [{"choices": [{"message": value}]}, {"output": value}, {"content": value}, value]
    for data in replies:
        try:
            reply = talk.read_reply(data if isinstance(data, dict) else {"choices": data})
        except Unreadable:
            continue
        assert (reply.parsed.error is None) == bool(reply.parsed.actions)
        ended = any(isinstance(entry, Done | Infeasible) for entry in reply.parsed.actions)
        if not ended:
            results = [ActionResult.success() for _ in reply.parsed.actions]
            check_pairs(talk.request(SMALL, results, 1)[0])
            continue
        talk = conversation(tmp_path_factory.getbasetemp(), dialect)
        talk.request(SMALL, (), None)


def test_parts_of_an_answer_that_are_no_objects_are_not_sent_back(tmp_path: Path) -> None:
    talk = conversation(tmp_path, "openai_tools")
    talk.request(SMALL, (), None)
    talk.read_reply({"choices": [{"message": {"content": [None]}}]})
    body, _ = talk.request(SMALL, (), None)
    check_pairs(body)
    assert [item["content"] for item in body["messages"] if item["role"] == "assistant"] == [""]


def test_a_call_with_safety_checks_is_answered_only_if_they_are_acknowledged(
    tmp_path: Path,
) -> None:
    check = {"id": "sc_1", "code": "malicious", "message": "Looks like a trap."}
    output_items = [{"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "computer_call", "call_id": "c1", "pending_safety_checks": [check],
             "action": {"type": "click", "x": 1, "y": 1}}]  # fmt: skip
    for acknowledge in (True, False):
        talk = conversation(tmp_path, "openai_computer", acknowledge=acknowledge)
        talk.request(SMALL, (), None)
        reply = talk.read_reply(responses(output_items).body)
        assert (reply.parsed.error is None) == acknowledge
        body, sent = talk.request(SMALL, [ActionResult.success()] * acknowledge, None)
        kinds = [item.get("type", item.get("role")) for item in body["input"]]
        if acknowledge:
            assert kinds == ["user", "reasoning", "computer_call", "computer_call_output"]
            assert body["input"][-1]["acknowledged_safety_checks"] == [check]
        else:
            assert kinds == ["user", "user"]
            assert "not acknowledged" in sent


def test_points_are_scaled_and_refs_belong_to_the_tree_that_was_shown(tmp_path: Path) -> None:
    talk = conversation(tmp_path, "openai_tools")
    talk.request(SEEN, (), None)
    calls = [
        {"id": "a", "function": {"name": "click", "arguments": '{"target": {"x": 10, "y": 20}}'}},
        {"id": "b", "function": {"name": "click", "arguments": '{"target": {"ref": 1}}'}},
    ]
    reply = talk.read_reply(chat({"content": None, "tool_calls": calls}).body)
    point, element = (action.target for action in reply.parsed.actions)  # type: ignore[union-attr]
    assert (point.x, point.y) == (20, 40)  # type: ignore[union-attr]
    assert (element.ref, element.tree) == (1, 3)  # type: ignore[union-attr]
    assert reply.usage is not None
    assert (reply.usage.prompt, reply.usage.completion) == (100, 20)


def test_what_is_not_observed_is_not_sent_and_what_is_in_the_file_is(tmp_path: Path) -> None:
    more = {"observe": ["tree"], "temperature": 0, "body": {"reasoning_effort": "low"},
            "max_tokens_key": "max_completion_tokens", "send_seed": True,
            "system": "Do: {instruction}"}  # fmt: skip
    body, _ = conversation(tmp_path, "openai_tools", **more).request(SEEN, (), 7)
    assert pictures(body) == 0
    assert not {"zoom", "mark"} & {tool["function"]["name"] for tool in body["tools"]}
    assert "button Save #1" in json.dumps(body)
    assert (body["temperature"], body["seed"], body["reasoning_effort"]) == (0, 7, "low")
    assert body["max_completion_tokens"] == 4096
    assert body["messages"][0] == {"role": "system", "content": "Do: Save the file."}
    assert "Save the file." not in json.dumps(body["messages"][1:])
    bare, _ = conversation(tmp_path, "openai_tools", observe=["screenshot"]).request(SEEN, (), 7)
    assert "temperature" not in bare
    assert "button Save" not in json.dumps(bare["messages"])


def test_tasks_without_tools_or_hands_offer_none(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text('{"dialect": "openai_tools", "base_url": "http://h/v1", "model": "m"}')
    spec: Any = load_agent(str(file))

    def offered(**more: Any) -> tuple[set[str], str]:
        body, _ = conversation_of(spec, Task(id="t", instruction="i", **more)).request(SEEN, (), 1)
        names = {tool["function"]["name"] for tool in body["tools"]}
        return names, body["messages"][0]["content"]

    gui, _ = offered(tools="gui", env="desktop")
    assert "tool" not in gui
    assert {"click", "window", "launch"} <= gui
    api, prompt = offered(tools="api")
    assert api == {"tool", "wait", "note", "done", "infeasible"}
    assert "browser.find_text(text)" in prompt


@pytest.mark.parametrize("dialect", OVER_HTTP)
def test_what_the_user_adds_is_in_every_later_request(tmp_path: Path, dialect: str) -> None:
    talk = conversation(tmp_path, dialect)
    talk.request(SEEN, (), None)
    talk.follow_ups.append("only blue ones")
    for turn in range(HISTORY + 3):
        answer = json.dumps(BAD.get(dialect, FLY)).replace('"c1"', f'"c{turn}"')
        talk.read_reply(enveloped(dialect, json.loads(answer)))
        body, recorded = talk.request(SEEN, (), None)
        check_pairs(body)
        assert json.dumps(body).count("only blue ones") == 1
        assert ("only blue ones" in recorded) >= (turn == 0)


def test_what_the_user_adds_before_the_first_answer_follows_the_task(tmp_path: Path) -> None:
    for dialect in OVER_HTTP:
        talk = conversation(tmp_path, dialect)
        talk.follow_ups.append("only blue ones")
        text = json.dumps(talk.request(SEEN, (), None)[0])
        assert text.index("Save the file.") < text.index("only blue ones")
