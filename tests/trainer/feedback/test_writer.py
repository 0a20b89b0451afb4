"""Who writes feedback, and what happens when it cannot."""

from __future__ import annotations

import logging

import pytest

from agent_server.agents.text_model import TextModel, TextModelConfig
from agent_server.episodes.attempt import Attempt
from envs.contract.session import Verdict
from envs.providers.local import free_port
from tests.agent_server.agents.model_server import chat, playing
from tests.trainer.tiny_run import make_step
from trainer.feedback.writer import Writer, is_sentence, make_endpoint_asks
from trainer.feedback_config import FeedbackConfig

ATTEMPT = Attempt(instruction="buy a hat", steps=(make_step(),), reason="step_limit")
VERDICT = Verdict(score=0.0)
BY_RULES = "you ran out of steps"


async def write(url: str, times: int = 1) -> tuple[list[str], Writer]:
    endpoint = TextModelConfig(base_url=url, model="m", patience_s=0.0, timeout_s=5.0)
    model = TextModel(endpoint)
    writer = Writer(FeedbackConfig(writer="endpoint", endpoint=endpoint), make_endpoint_asks(model))
    try:
        return [await writer.write(ATTEMPT, VERDICT) for _ in range(times)], writer
    finally:
        await model.close()


async def test_an_endpoint_reads_the_attempt_and_what_the_checker_found() -> None:
    with playing(chat("You opened the cart,\nbut never paid.")) as server:
        lines, writer = await write(server.url)
    assert (lines, writer.fallbacks) == (["You opened the cart, but never paid."], 0)
    question = server.bodies[0]["messages"][1]["content"]
    assert "task: buy a hat" in question
    assert question.endswith(f"the checker found: {BY_RULES}")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_an_endpoint_that_is_down_is_warned_of_once_and_left_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lines, writer = await write(f"http://127.0.0.1:{free_port()}/v1", times=3)
    assert (lines, writer.fallbacks) == ([BY_RULES] * 3, 3)
    (warning,) = warnings(caplog)
    assert "does not answer, rules write in its place" in warning
    assert "cannot be reached" in warning


async def test_nonsense_is_no_feedback_and_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    with playing(chat("{]}"), chat("   "), chat("#4 = 17")) as server:
        lines, writer = await write(server.url, times=3)
    assert (lines, writer.fallbacks) == ([BY_RULES] * 3, 3)
    (warning,) = warnings(caplog)
    assert "writes no sentence, rules write in its place" in warning


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("The coupon was never entered.", True),
        ("click Cart #1", False),
        ("a b c d e f", False),
        ("1234 5678 9012 one two three", False),
        ("", False),
    ],
)
def test_a_sentence_is_words(text: str, is_one: bool) -> None:
    assert is_sentence(text) is is_one
