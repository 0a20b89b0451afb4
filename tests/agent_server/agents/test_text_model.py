"""A model that is asked for text over HTTP."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agent_server.agents.text_model import TextModel, TextModelConfig
from envs.contract.outcomes import EpisodeFault, InvalidReason
from tests.agent_server.agents.model_server import Said, chat, playing


async def ask(url: str, **more: object) -> str:
    config = TextModelConfig.model_validate(
        {"base_url": url, "model": "m", "patience_s": 0.0} | more
    )
    model = TextModel(config)
    try:
        return await model.ask("be brief", "why?")
    finally:
        await model.close()


async def test_the_question_and_the_settings_are_sent() -> None:
    with playing(chat("Because.")) as server:
        assert await ask(server.url, max_tokens=7) == "Because."
    body = server.bodies[0]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("m", 7, 0.0)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == "why?"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Said({"choices": []}), InvalidReason.POLICY_UNREADABLE),
        (Said({"choices": [{"message": {"content": [1]}}]}), InvalidReason.POLICY_UNREADABLE),
        (Said({"e": 1}, 500), InvalidReason.POLICY_ERROR),
    ],
)
async def test_what_is_no_answer_is_a_fault(reply: Said, reason: InvalidReason) -> None:
    with playing(reply) as server, pytest.raises(EpisodeFault) as fault:
        await ask(server.url)
    assert fault.value.reason is reason


def test_an_address_that_is_no_url_is_refused() -> None:
    with pytest.raises(ValidationError, match="http"):
        TextModelConfig(base_url="example.org", model="m")
