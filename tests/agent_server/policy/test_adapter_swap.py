"""Adapters on a real vLLM server: verified before anyone gets them, and none fails in flight."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import torch
from safetensors.torch import load_file, save_file

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.trajectory import Completion
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME, VllmEngine, bearer, warm_up
from agent_server.policy.manifest import (
    ADAPTER_WEIGHTS,
    MANIFEST,
    BadVersion,
    file_sha256,
    parse_manifest,
)
from agent_server.policy.swap import Swapper
from agent_server.stack.supervisor import Child, Supervisor
from envs.contract.observations import Observation
from envs.providers.local import free_port
from tasksets.registry import get_gym
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
START_S = 600.0
CONFIG = LearnerConfig(threads=1, lora=LoraConfig(rank=4, alpha=8.0))
SMALL = 0.012
"""Deviation of the adapters' entries: they change logprobs by less than the tolerance."""
TASK = get_gym("shop").make_task("price", 1)
OBSERVATION = Observation(hash="")


@dataclasses.dataclass(slots=True)
class Served:
    versions: list[Path]
    swapper: Swapper
    policy: VllmPolicy
    engine: VllmEngine

    async def answer(self, tokens: int = 12) -> Completion:
        turn = Turn(TASK, OBSERVATION, "task: look\nlink Cart #1", Sampling(max_tokens=tokens))
        return await self.policy.act(turn)

    async def live_version(self) -> tuple[int, int]:
        answer = await self.answer()
        assert len(answer.logprobs) == len(answer.token_ids) > 0
        return answer.version_min, answer.version_max


def publish(folder: Path) -> list[Path]:
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
    versions = publish(folder)
    engine = VllmEngine(versions[0], free_port(), threads=2, lora_rank=4)
    async with Supervisor() as supervisor:
        command, environment = engine.command(), engine.environment()
        log = folder / "log"
        await supervisor.add(Child("policy", command, environment, log, engine.healthy, START_S))
        await warm_up(engine.url, engine.keys.generation)
        tokenizer, key = versions[0] / "tokenizer.json", engine.keys.generation
        policy = VllmPolicy(engine.url, SERVED_NAME, 60, tokenizer, key)
        made = Served(versions, Swapper(engine.url, engine.keys.control), policy, engine)
        report = await made.swapper.swap(versions[0])
        assert report.accepted, report.reason
        yield made
        await policy.close()


def altered(source: Path, version: int, change: Callable[[torch.Tensor], torch.Tensor]) -> Path:
    """An adapter whose file is whole, but whose matrices are not those of its probes."""
    folder = source.with_name(f"v{version:06d}")
    shutil.copytree(source, folder)
    tensors = {name: change(x) for name, x in load_file(source / ADAPTER_WEIGHTS).items()}
    save_file(tensors, folder / ADAPTER_WEIGHTS, metadata={"format": "pt"})
    update = {"version": version, "sha256": file_sha256(folder / ADAPTER_WEIGHTS)}
    manifest = parse_manifest(source).model_copy(update=update)
    (folder / MANIFEST).write_text(manifest.model_dump_json())
    return folder


async def test_an_adapter_is_verified_and_answers_carry_its_version(served: Served) -> None:
    assert await served.live_version() == (0, 0), "the base"
    for number in (1, 2, 3):
        report = await served.swapper.swap(served.versions[number])
        assert report.accepted, report.reason
        assert report.mean_abs_diff < 0.03
        assert await served.live_version() == (number, number)


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
    assert await served.live_version() == (2, 2)


async def test_an_adapter_that_does_nothing_is_refused_however_small(served: Served) -> None:
    await served.swapper.swap(served.versions[2])
    dead = altered(served.versions[3], 30, lambda x: torch.zeros_like(x))
    report = await served.swapper.swap(dead)
    assert not report.accepted
    assert report.mean_abs_diff < served.swapper.tolerance, "by that alone it would be accepted"
    assert report.reason.startswith("the adapter does nothing on the server")
    assert await served.live_version() == (2, 2)


async def test_a_wrong_or_broken_adapter_is_never_live(served: Served) -> None:
    await served.swapper.swap(served.versions[2])
    wrong = altered(served.versions[1], 31, lambda x: x.flip(0).contiguous())
    report = await served.swapper.swap(wrong)
    assert (report.accepted, report.version) == (False, 31)
    assert report.reason.endswith("> 0.05 nats") or "does nothing" in report.reason
    cut = altered(served.versions[1], 32, lambda x: x[:, :-1].contiguous())
    report = await served.swapper.swap(cut)
    assert not report.accepted, "vLLM loads matrices of other shapes: the probes notice"
    assert await served.live_version() == (2, 2)


async def test_an_adapter_of_another_base_is_refused_before_the_server_is_touched(
    served: Served,
) -> None:
    foreign = altered(served.versions[1], 33, lambda x: x)
    data = json.loads((foreign / MANIFEST).read_bytes())
    data["base"]["sha256"] = "0" * 64
    (foreign / MANIFEST).write_text(json.dumps(data))
    with pytest.raises(BadVersion, match="v000033 is an adapter of another base"):
        await served.swapper.swap(foreign)


async def test_a_restarted_server_gets_the_live_adapter_again(served: Served) -> None:
    assert (await served.swapper.swap(served.versions[1])).accepted
    base = await Swapper(served.engine.url, served.engine.keys.control).swap(served.versions[0])
    assert base.accepted, "as after a restart, the server has the base alone"
    assert await served.live_version() == (0, 0)
    await served.swapper.restore()
    assert await served.live_version() == (1, 1)
