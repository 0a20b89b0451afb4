"""Opinions of judges: yes, no, or none; never taken from nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_server.agents.judge import EndpointJudge, JudgeConfig, RulesJudge, read_opinion
from agent_server.agents.text_model import TextModelConfig
from agent_server.episodes.attempt import Attempt
from envs.contract.actions import Done
from envs.providers.local import free_port
from tests.agent_server.agents.model_server import chat, playing
from tests.agent_server.episodes.test_attempt import make_step

DONE = make_step(9).model_copy(update={"action": Done()})
ATTEMPT = Attempt(instruction="buy a hat", steps=(make_step(), DONE), reason="done")


@pytest.mark.parametrize(
    ("text", "success"),
    [
        ('{"success": true, "reason": "the order is there"}', True),
        ('```json\n{"success": false, "reason": "x"}\n```', False),
        ('{"success": "true"}', None),
        ('{"success": 1}', None),
        ('{"succes": true}', None),
        ('{"success": false} {"success": true}', None),
        ("yes, it did", None),
        ("", None),
    ],
)
def test_only_one_object_with_true_or_false_is_an_opinion(text: str, success: bool | None) -> None:
    assert read_opinion(text).success is success


@settings(max_examples=50)
@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert read_opinion(text).success in (True, False, None)


@pytest.mark.parametrize(
    ("attempt", "success"),
    [
        (ATTEMPT, True),
        (Attempt(instruction="x", steps=(make_step(),), reason="step_limit"), False),
        (Attempt(instruction="x", steps=(make_step(error="gone"), DONE), reason="done"), False),
        (Attempt(instruction="x", steps=(DONE,), reason="done"), False),
        (Attempt(instruction="x", steps=(DONE,), reason="done", answer="7"), True),
    ],
)
async def test_rules_believe_what_ended_well(attempt: Attempt, success: bool) -> None:
    assert (await RulesJudge().judge(attempt)).success is success


async def judge_at(url: str) -> tuple[bool | None, str]:
    judge = EndpointJudge(TextModelConfig(base_url=url, model="m", patience_s=0.0))
    try:
        opinion = await judge.judge(ATTEMPT)
    finally:
        await judge.close()
    return opinion.success, opinion.reason


async def test_a_model_reads_the_attempt_and_no_verdict() -> None:
    with playing(chat('{"success": false, "reason": "never paid"}')) as server:
        assert await judge_at(server.url) == (False, "never paid")
    question = server.bodies[0]["messages"][1]["content"]
    assert question == ATTEMPT.text()


async def test_an_endpoint_that_is_down_gives_no_opinion() -> None:
    success, reason = await judge_at(f"http://127.0.0.1:{free_port()}/v1")
    assert success is None
    assert "cannot be reached" in reason


def test_a_judge_without_its_endpoint_is_refused() -> None:
    with pytest.raises(ValueError, match="source is endpoint, but there is none"):
        JudgeConfig(source="endpoint")
