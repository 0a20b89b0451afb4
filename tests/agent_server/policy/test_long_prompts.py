"""Long prompts with seeds on a real vLLM server end no engine, together and across a swap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
import pytest
import pytest_asyncio

from agent_server.policy.engine import bearer
from tests.agent_server.policy.served_policy import (
    START_S,
    Served,
    publish_random,
    serve,
)

pytestmark = [
    pytest.mark.policy,
    pytest.mark.timeout(1500),
    pytest.mark.asyncio(loop_scope="module"),
]
PROMPT_TOKENS = 480
"""Thirty blocks of the cache, and nearly one step of the engine."""
IN_FLIGHT = 8
LONG_ANSWER, SHORT_ANSWER = 300, 24


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    async with serve(publish_random(folder, 2), folder / "policy.log") as running:
        yield running


def make_prompt(number: int) -> tuple[int, ...]:
    return (7 + number, *(7 + index % 500 for index in range(PROMPT_TOKENS - 1)))


async def generate(
    served: Served, tokens: int, seeds: Sequence[int], prompts: Sequence[int]
) -> list[Any]:
    """Answers to all prompts at once, each with its seed."""
    headers = bearer(served.engine.keys.generation)

    async def ask(client: httpx.AsyncClient, seed: int, number: int) -> Any:
        params = {
            "max_tokens": tokens,
            "ignore_eos": True,
            "logprobs": 0,
            "detokenize": False,
            "seed": seed,
        }
        body = {"token_ids": make_prompt(number), "sampling_params": params}
        reply = await client.post("/inference/v1/generate", json=body)
        assert reply.status_code == 200, reply.text
        return reply.json()["choices"][0]

    async with httpx.AsyncClient(
        base_url=served.engine.url, headers=headers, timeout=START_S
    ) as client:
        pairs = zip(seeds, prompts, strict=True)
        return await asyncio.gather(*(ask(client, seed, number) for seed, number in pairs))


async def test_seeded_requests_that_share_a_step_of_the_engine_are_answered(
    served: Served,
) -> None:
    numbers = range(IN_FLIGHT)
    answers = await generate(served, SHORT_ANSWER, numbers, numbers)
    assert [len(choice["token_ids"]) for choice in answers] == [SHORT_ANSWER] * IN_FLIGHT
    assert await served.engine.healthy()


async def test_seeded_requests_in_flight_go_through_a_swap(served: Served) -> None:
    seeds, same_prompt = range(IN_FLIGHT), [100] * IN_FLIGHT
    held = asyncio.create_task(generate(served, LONG_ANSWER, seeds, same_prompt))
    await asyncio.sleep(0.3)
    assert (await served.swapper.swap(served.versions[1])).accepted
    after = await generate(served, SHORT_ANSWER, seeds, same_prompt)
    spans = [choice["weight_versions"] for choice in await held]
    assert any(len(versions) == 2 for versions in spans), "no request was in flight in the swap"
    assert all([span["version"] for span in choice["weight_versions"]] == ["1"] for choice in after)
