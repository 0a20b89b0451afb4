"""Swaps over two real vLLM servers: a version serves on both of them, or on none."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from agent_server.episodes.agent import Sampling, Turn
from agent_server.policy.manifest import MANIFEST, read_manifest
from agent_server.policy.shared_policy import SharedPolicy
from agent_server.policy.swap import BadVersion, SwapFailed, SwapReport
from agent_server.policy.swap_all import SwapperOfAll
from tests.agent_server.policy.served_policy import (
    OBSERVATION,
    START_S,
    TASK,
    Served,
    publish_random,
    serve,
)

pytestmark = [
    pytest.mark.policy,
    pytest.mark.timeout(1500),
    pytest.mark.asyncio(loop_scope="module"),
]

Pair = tuple[Served, Served]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    folder = tmp_path_factory.mktemp("policies")
    versions = publish_random(folder, 3)
    async with (
        serve(versions, folder / "a.log") as first,
        serve(versions, folder / "b.log") as second,
    ):
        yield first, second


async def get_versions(pair: Pair) -> list[tuple[int, int]]:
    return [await served.answer_versions() for served in pair]


async def test_a_version_serves_on_all_servers(pair: Pair) -> None:
    swapper = SwapperOfAll([served.swapper for served in pair])
    report = await swapper.swap(pair[0].versions[1])
    assert (report.accepted, report.version, report.reason) == (True, 1, "")
    assert report.pause_ms == max(served.swapper.reports[-1].pause_ms for served in pair)
    assert await get_versions(pair) == [(1, 1), (1, 1)]


async def test_a_version_that_a_single_server_refuses_serves_on_none(pair: Pair) -> None:
    swapper = SwapperOfAll([served.swapper for served in pair])
    await swapper.swap(pair[0].versions[0])
    before = await pair[0].most_likely()
    refused = make_doubtful(pair[0].versions[2])
    pair[1].swapper.tolerance = 0.02
    report = await swapper.swap(refused)
    pair[1].swapper.tolerance = 0.05
    assert (report.accepted, report.version) == (False, 2)
    assert report.reason.startswith(f"{pair[1].engine.url}: mean |logprob difference|")
    assert await get_versions(pair) == [(0, 0), (0, 0)]
    assert [await served.most_likely() for served in pair] == [before, before]


def make_doubtful(folder: Path) -> Path:
    """Says of its probes what differs by 0.03 nats from what a server computes."""
    manifest = read_manifest(folder)
    probe = manifest.probes[0]
    shifted = probe.model_copy(update={"logprobs": tuple(x - 0.03 for x in probe.logprobs)})
    update = {"probes": (shifted,)}
    (folder / MANIFEST).write_text(manifest.model_copy(update=update).model_dump_json())
    return folder


async def test_a_damaged_version_touches_no_server(pair: Pair, tmp_path: Path) -> None:
    swapper = SwapperOfAll([served.swapper for served in pair])
    counts = [len(served.swapper.reports) for served in pair]
    with pytest.raises(BadVersion):
        await swapper.swap(tmp_path)
    assert [len(served.swapper.reports) for served in pair] == counts


async def test_a_server_that_dies_in_a_swap_takes_the_version_from_all(pair: Pair) -> None:
    swapper = SwapperOfAll([served.swapper for served in pair])
    policy = SharedPolicy([served.policy for served in pair])
    await swapper.swap(pair[0].versions[0])
    async with pair[1].swapper._lock:  # as if it were slow
        swap = asyncio.create_task(swapper.swap(pair[0].versions[1]))
        async with asyncio.timeout(START_S):
            while await pair[0].answer_versions() != (1, 1):
                await asyncio.sleep(0.1)
        assert pair[1].child.pid is not None
        os.kill(pair[1].child.pid, signal.SIGKILL)
    with pytest.raises(SwapFailed, match=pair[1].engine.url):
        await swap
    assert await pair[0].answer_versions() == (0, 0)
    turn = Turn(TASK, OBSERVATION, "task: look", Sampling(max_tokens=8))
    answers = await asyncio.gather(*(policy.act(turn) for _ in range(8)))
    assert {answer.version_max for answer in answers} == {0}, "the other server answers all"


async def test_while_a_server_is_away_no_other_is_touched_and_then_all_follow(pair: Pair) -> None:
    swapper = SwapperOfAll([served.swapper for served in pair])
    swaps = len(pair[0].swapper.reports)
    async with asyncio.timeout(START_S):
        while (report := await try_swap(swapper, pair[0].versions[1])) is None:
            assert len(pair[0].swapper.reports) == swaps
            await asyncio.sleep(1)
    assert report.accepted, report.reason
    assert await get_versions(pair) == [(1, 1), (1, 1)]


async def try_swap(swapper: SwapperOfAll, folder: Path) -> SwapReport | None:
    """None while a server is away."""
    try:
        return await swapper.swap(folder)
    except SwapFailed as error:
        assert "no server was touched" in str(error)  # noqa: PT017 - others are a fault
        return None
