"""Adapters on a real vLLM server: verified before anyone gets them, and none fails in flight."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import torch

from agent_server.policy.engine import bearer
from agent_server.policy.manifest import (
    MANIFEST,
    BadVersion,
)
from agent_server.policy.swap import Swapper
from tests.agent_server.policy.served_policy import Served, alter_weights, serve
from trainer.learner import Learner, LearnerConfig
from trainer.lora import LoraConfig
from trainer.publish import publish_version
from trainer.samples import text_sample
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer

pytestmark = [
    pytest.mark.policy,
    pytest.mark.timeout(1500),
    pytest.mark.asyncio(loop_scope="module"),
]
CONFIG = LearnerConfig(threads=1, lora=LoraConfig(rank=4, alpha=8.0))
SMALL = 0.012
"""Deviation of the adapters' entries: they change logprobs by less than the tolerance."""


def publish_adapters(folder: Path) -> list[Path]:
    """A base, and adapters of it that say other things; the last does little."""
    make_tiny_model("qwen3", folder / "model")
    tokenizer = load_tokenizer(folder / "model")
    learner = Learner(folder / "model", CONFIG)
    text = "open the cart and click the button " * 4
    probe = text_sample(encode_prompt(tokenizer, text), encode_answer(tokenizer, "click Cart"))
    versions: list[Path] = []
    backend: Any = learner.backend
    start = backend.weights.master_P.clone()
    for version, size in enumerate((0.0, 0.3, 0.3, SMALL)):
        torch.manual_seed(version)
        backend.weights.master_P.copy_(start + size * torch.randn_like(start))
        backend.weights.refresh()
        versions.append(
            publish_version(
                folder / "policy",
                version=version,
                parent=None,
                phase="test",
                learner=learner,
                tokenizer=tokenizer,
                samples=[probe],
                max_model_len=1024,
                base=versions[0] if versions else None,
            )
        )
    learner.close()
    return versions


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    folder = tmp_path_factory.mktemp("adapters")
    async with serve(publish_adapters(folder), folder / "log", lora_rank=4) as served_policy:
        yield served_policy


async def test_an_adapter_is_verified_and_answers_carry_its_version(served: Served) -> None:
    assert await served.answer_versions() == (0, 0), "the base"
    for number in (1, 2, 3):
        report = await served.swapper.swap(served.versions[number])
        assert report.accepted, report.reason
        assert report.mean_abs_diff < 0.03
        assert await served.answer_versions() == (number, number)


async def test_requests_in_flight_end_with_the_adapter_that_they_began_with(
    served: Served,
) -> None:
    await served.swapper.swap(served.versions[1])
    headers = bearer(served.engine.keys.generation)
    body = {"prompt": [1, 2, 3], "stream": True, "max_tokens": 300, "ignore_eos": True}
    async with (
        httpx.AsyncClient(base_url=served.engine.url, headers=headers, timeout=120) as client,
        client.stream("POST", "/v1/completions", json=body) as stream,
    ):
        lines = stream.aiter_lines()
        await anext(lines)
        others = [asyncio.create_task(served.answer(tokens=200)) for _ in range(8)]
        for number in (2, 1, 2):
            assert (await served.swapper.swap(served.versions[number])).accepted
        events = [line async for line in lines if line.startswith("data:")]
    assert stream.headers["x-deskhand-version"] == "1"
    assert events[-1] == "data: [DONE]"
    assert not [line for line in events if "error" in line]
    answers = await asyncio.gather(*others)
    assert all(answer.version_min == answer.version_max in (1, 2) for answer in answers)
    assert await served.answer_versions() == (2, 2)


async def test_an_adapter_that_does_nothing_is_refused_however_small(served: Served) -> None:
    await served.swapper.swap(served.versions[2])
    dead = alter_weights(served.versions[3], 30, lambda x: torch.zeros_like(x))
    report = await served.swapper.swap(dead)
    assert not report.accepted
    assert report.mean_abs_diff < served.swapper.tolerance, "by that alone it would be accepted"
    assert report.reason.startswith("the adapter does nothing on the server")
    assert await served.answer_versions() == (2, 2)


async def test_a_wrong_or_broken_adapter_is_never_live(served: Served) -> None:
    await served.swapper.swap(served.versions[2])
    wrong = alter_weights(served.versions[1], 31, lambda x: x.flip(0).contiguous())
    report = await served.swapper.swap(wrong)
    assert (report.accepted, report.version) == (False, 31)
    assert report.reason.endswith("> 0.05 nats") or "does nothing" in report.reason
    cut = alter_weights(served.versions[1], 32, lambda x: x[:, :-1].contiguous())
    report = await served.swapper.swap(cut)
    assert not report.accepted, "vLLM loads matrices of other shapes: the probes notice"
    assert await served.answer_versions() == (2, 2)


async def test_an_adapter_of_another_base_is_refused_before_the_server_is_touched(
    served: Served,
) -> None:
    foreign = alter_weights(served.versions[1], 33, lambda x: x)
    data = json.loads((foreign / MANIFEST).read_bytes())
    data["base"]["sha256"] = "0" * 64
    (foreign / MANIFEST).write_text(json.dumps(data))
    with pytest.raises(BadVersion, match="v000033 is an adapter of another base"):
        await served.swapper.swap(foreign)


async def test_a_restarted_server_gets_the_live_adapter_again(served: Served) -> None:
    assert (await served.swapper.swap(served.versions[1])).accepted
    base = await Swapper(served.engine.url, served.engine.keys.control).swap(served.versions[0])
    assert base.accepted, "as after a restart, the server has the base alone"
    assert await served.answer_versions() == (0, 0)
    await served.swapper.restore()
    assert await served.answer_versions() == (1, 1)
