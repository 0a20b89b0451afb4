"""What goes wrong at an endpoint: classed, waited for within the patience, and told without the
key."""

from __future__ import annotations

import json
import time
from email.utils import formatdate
from typing import Any

import pytest

from agent_server.agents.config import load_agent, read_agent
from agent_server.agents.endpoint import EndpointClient, Patience, Unreadable
from agent_server.agents.make import AgentUnusable, check_agent
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.providers.local import free_port
from tests.agent_server.agents.model_server import ModelServer, Said, chat, playing

KEY = "sk-very-secret"
DOWN = Said({"error": "down"}, 500, {"Retry-After": "0"})
BUSY = Said({"error": "busy"}, 429, {"Retry-After": "0"})


def described(url: str, tmp_path: Any, **more: Any) -> Any:
    file = tmp_path / "model.json"
    lines = {"dialect": "openai_tools", "base_url": url, "model": "m", "api_key_env": "A_KEY"}
    file.write_text(json.dumps(lines | more))
    return load_agent(str(file))


def choices(data: dict[str, Any]) -> Any:
    if "choices" not in data:
        raise Unreadable("answered without choices")
    return data["choices"]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)


async def asked(server: ModelServer, tmp_path: Any, patience: Patience, **more: Any) -> Any:
    client = EndpointClient(described(server.url, tmp_path, **more), {})
    try:
        return await client.post_until_read("chat/completions", {"n": 1}, choices, patience)
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("model_reply", "reason", "words"),
    [
        (Said(b"<html>"), InvalidReason.POLICY_UNREADABLE, "no JSON: <html>"),
        (Said([1]), InvalidReason.POLICY_UNREADABLE, "no JSON object"),
        (Said({"object": "error"}), InvalidReason.POLICY_UNREADABLE, "without choices"),
        (Said({"e": 1}, 500), InvalidReason.POLICY_ERROR, "answered 500"),
        (Said({"e": 1}, 529), InvalidReason.POLICY_ERROR, "answered 529"),
        (Said({"e": 1}, 408), InvalidReason.POLICY_ERROR, "answered 408"),
        (Said({"e": 1}, 429, {"Retry-After": "60"}), InvalidReason.POLICY_RATE_LIMIT, "429"),
        (Said({"code": "insufficient_quota"}, 429), InvalidReason.POLICY_DENIED, "quota"),
        (Said({"e": f"bad key {KEY}"}, 401), InvalidReason.POLICY_DENIED, "bad key (the key)"),
        (Said({"e": 1}, 403), InvalidReason.POLICY_DENIED, "answered 403"),
        (Said({"e": "no such model"}, 404), InvalidReason.POLICY_DENIED, "no such model"),
        (Said(b"", 302, {"Location": "/x"}), InvalidReason.POLICY_DENIED, "302"),
        (Said({"e": "too long"}, 400), InvalidReason.POLICY_REFUSED, "too long"),
        (Said({"e": 1}, 422), InvalidReason.POLICY_REFUSED, "answered 422"),
    ],
)
async def test_each_failure_has_its_class_and_keeps_the_key_to_itself(
    tmp_path: Any, model_reply: Said, reason: InvalidReason, words: str
) -> None:
    with playing(model_reply) as server, pytest.raises(EpisodeFault) as fault:
        await asked(server, tmp_path, Patience(0.0))
    assert fault.value.reason is reason
    assert words in fault.value.detail
    assert KEY not in fault.value.detail
    assert len(server.received) == 1


@pytest.mark.parametrize("bad", [DOWN, BUSY, Said(b"<html>", headers={}), Said({"object": "e"})])
async def test_what_passes_is_asked_again_and_the_waiting_is_counted(
    tmp_path: Any, bad: Said
) -> None:
    patience = Patience(30.0)
    with playing(bad, chat("hello")) as server:
        outcome = await asked(server, tmp_path, patience)
    assert outcome[0]["message"]["content"] == "hello"
    assert len(server.received) == 2
    assert 0.4 <= patience.spent_s <= 1.3
    assert patience.left_s == pytest.approx(30.0 - patience.spent_s)


async def test_a_server_that_stays_down_is_asked_five_times(tmp_path: Any) -> None:
    with playing(DOWN) as server, pytest.raises(EpisodeFault, match="answered 500"):
        await asked(server, tmp_path, Patience(100.0))
    assert len(server.received) == 5


async def test_a_rate_limit_is_waited_for_as_long_as_the_patience_lasts(tmp_path: Any) -> None:
    patience = Patience(1.2)
    with playing(BUSY) as server, pytest.raises(EpisodeFault) as fault:
        await asked(server, tmp_path, patience)
    assert fault.value.reason is InvalidReason.POLICY_RATE_LIMIT
    assert len(server.received) == 3, "at once, after 0.5 s, after 1 s"


async def test_retry_after_may_be_a_date_and_holds_for_all_episodes_of_the_process(
    tmp_path: Any,
) -> None:
    later = formatdate(time.time() + 3, usegmt=True)
    with playing(Said({}, 429, {"Retry-After": later}), chat("hello")) as server:
        client = EndpointClient(described(server.url, tmp_path), {})
        with pytest.raises(EpisodeFault):
            await client.post_until_read("x", {}, choices, Patience(0.0))
        started = time.monotonic()
        await client.post_until_read("x", {}, choices, Patience(10.0))
        await client.close()
    assert len(server.received) == 2
    assert time.monotonic() - started < 5


async def test_no_answer_in_time_is_a_timeout_and_no_connection_an_error(tmp_path: Any) -> None:
    with playing(Said(hangs=True)) as server, pytest.raises(EpisodeFault) as fault:
        await asked(server, tmp_path, Patience(9.0), timeout_s=0.3)
    assert fault.value.reason is InvalidReason.POLICY_TIMEOUT
    assert len(server.received) == 1
    nobody = ModelServer((), f"http://127.0.0.1:{free_port()}")
    with pytest.raises(EpisodeFault) as fault:
        await asked(nobody, tmp_path, Patience(0.0))
    assert fault.value.reason is InvalidReason.POLICY_ERROR
    assert nobody.url in fault.value.detail


async def test_the_key_goes_where_the_api_wants_it(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(chat("ok")) as server:
        await asked(server, tmp_path, Patience(0.0), headers={"X-Title": "a test"})
    headers = server.received[0][1]
    assert (headers["Authorization"], headers["X-Title"]) == (f"Bearer {KEY}", "a test")
    monkeypatch.delenv("A_KEY")
    with playing(chat("ok")) as server, pytest.raises(EpisodeFault, match="A_KEY is not set"):
        await asked(server, tmp_path, Patience(0.0))
    assert not server.received


async def test_the_check_asks_once_in_the_agents_own_dialect(tmp_path: Any) -> None:
    with playing(chat("done")) as server:
        await check_agent(described(server.url, tmp_path))
    (body,) = server.bodies
    assert {"model", "max_tokens", "messages", "tools"} == body.keys()
    with (
        playing(Said({"error": "no such model"}, 404)) as server,
        pytest.raises(AgentUnusable, match="no such model"),
    ):
        await check_agent(described(server.url, tmp_path))
    with pytest.raises(ValueError, match="cannot read"):
        read_agent(tmp_path / "missing.json")


async def test_a_refusal_says_that_no_key_was_sent(tmp_path: Any) -> None:
    with (
        playing(Said({"error": "who are you"}, 401)) as server,
        pytest.raises(EpisodeFault, match=r"no key was sent: .* names no api_key_env"),
    ):
        await asked(server, tmp_path, Patience(0.0), api_key_env=None)


async def test_a_server_that_is_not_there_is_told_in_words(tmp_path: Any) -> None:
    agent = described(f"http://127.0.0.1:{free_port()}/v1", tmp_path)
    with pytest.raises(AgentUnusable, match="cannot be reached: Cannot connect to host 127"):
        await check_agent(agent)
