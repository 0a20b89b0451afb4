"""The verified swap on a real vLLM server: no request fails, and what does not verify is undone."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import shutil
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import torch
from safetensors.torch import load_file, save_file

from agent_server.agents.config import load_agent
from agent_server.agents.make import Agents, check_agent
from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.runner import run_episode
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME, VllmEngine
from agent_server.policy.manifest import MANIFEST, WEIGHTS, file_sha256, read_manifest
from agent_server.policy.swap import BadVersion, Swapper
from agent_server.stack.supervisor import Child, Supervisor
from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.observations import Observation
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status
from envs.providers.local import free_port
from tasksets.registry import get_gym
from tests.agent_server.toy_env import ToySession, toy_task
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.publish import publish_version
from trainer.samples import text_sample
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

pytestmark = [
    pytest.mark.policy,
    pytest.mark.timeout(400),
    pytest.mark.asyncio(loop_scope="module"),
]
SHAPE = ModelConfig(hidden=128, layers=2, heads=2, kv_heads=1, intermediate=256)
TASK = get_gym("shop").make_task("price", 1)


@dataclasses.dataclass(slots=True)
class Served:
    versions: list[Path]
    swapper: Swapper
    policy: VllmPolicy
    child: Child
    url: str

    async def answer(self, tokens: int = 12) -> tuple[int, int]:
        """Oldest and newest version of an answer's tokens."""
        prompt = "task: look\npage: Home\nlink Cart #1"
        turn = Turn(TASK, Observation(hash=""), prompt, Sampling(max_tokens=tokens))
        said = await self.policy.act(turn)
        assert len(said.logprobs) == len(said.token_ids) > 0
        assert all(logprob <= 0 for logprob in said.logprobs)
        return said.version_min, said.version_max

    async def most_likely(self) -> tuple[int, ...]:
        """What the live weights say without chance: it tells them from others."""
        sampling = Sampling(temperature=0, max_tokens=24)
        said = await self.policy.act(Turn(TASK, Observation(hash=""), "task: look", sampling))
        return said.token_ids


def publish(folder: Path, count: int) -> list[Path]:
    tokenizer = train_tokenizer(get_gym("shop").corpus(0), 800)
    prompt, answer = "task: look\nlink Cart #1", "open the cart\nclick Cart"
    probe = text_sample(encode_prompt(tokenizer, prompt), encode_answer(tokenizer, answer))
    made = []
    for version in range(count):
        model = new_policy(SHAPE, len(tokenizer), seed=version)
        with torch.no_grad():
            model.lm_head.weight.mul_(4.0)
        learner = Learner(model, LearnerConfig(threads=1))
        made.append(
            publish_version(
                folder,
                version=version,
                parent=None,
                phase="test",
                learner=learner,
                tokenizer=tokenizer,
                samples=[probe],
            )
        )
        learner.close()
    return made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    folder = tmp_path_factory.mktemp("policy")
    versions = publish(folder, 3)
    engine = VllmEngine(versions[0], free_port(), threads=2)
    async with Supervisor() as supervisor:
        child = Child(
            "policy", engine.command(), engine.environment(), folder / "log", engine.healthy, 240
        )
        await supervisor.add(child)
        policy = VllmPolicy(engine.url, SERVED_NAME, 30, versions[0] / "tokenizer.json")
        made = Served(versions, Swapper(engine.url), policy, child, engine.url)
        assert (await made.swapper.swap(versions[0])).accepted
        yield made
        await policy.close()


async def test_a_swap_is_verified_and_answers_carry_the_new_version(served: Served) -> None:
    report = await served.swapper.swap(served.versions[1])
    assert (report.accepted, report.version) == (True, 1)
    assert report.mean_abs_diff < 0.03
    assert report.pause_ms > 0
    assert await served.answer() == (1, 1)


async def test_the_server_is_an_endpoint_like_any_other(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        f'dialect = "compact"\nbase_url = "{served.url}/v1"\nmodel = "{SERVED_NAME}"\n'
        "max_tokens = 12\nsend_seed = true\nsystem = ''\ntimeout_s = 60\n"
    )
    spec: Any = load_agent(str(file))
    await check_agent(spec)
    agents, task = Agents(spec), toy_task(1)
    with Recorder(Artifacts(str(tmp_path)), "e1") as recorder:
        result = await run_episode(
            task, ToySession(), agents.make(task), Sampling(seed=1), task.limits, recorder
        )
    await agents.close()
    assert result.status is not Status.INVALID, result.detail
    steps, _ = Artifacts(str(tmp_path)).read_steps("e1", 0)
    used = [step.completion.usage for step in steps]
    assert all(one is not None and one.prompt > 10 and one.completion <= 12 for one in used)
    assert len(steps) == result.steps > 0


async def test_no_request_in_flight_fails_and_spans_are_exact(served: Served) -> None:
    await served.swapper.swap(served.versions[0])
    asked = [asyncio.create_task(served.answer(tokens=200)) for _ in range(16)]
    await asyncio.sleep(0.3)
    assert (await served.swapper.swap(served.versions[1])).accepted
    spans = await asyncio.gather(*asked)
    assert {first for first, _ in spans} <= {0, 1}
    assert all(last in (first, 1) for first, last in spans)
    assert await served.answer() == (1, 1)


async def test_a_version_whose_probes_do_not_match_is_taken_out_again(served: Served) -> None:
    await served.swapper.swap(served.versions[1])
    manifest = read_manifest(served.versions[2])
    probe = manifest.probes[0]
    wrong = probe.model_copy(update={"logprobs": tuple(x - 0.5 for x in probe.logprobs)})
    file = served.versions[2] / MANIFEST
    file.write_text(manifest.model_copy(update={"probes": (wrong,)}).model_dump_json())
    report = await served.swapper.swap(served.versions[2])
    assert not report.accepted
    assert report.mean_abs_diff == pytest.approx(0.5, abs=0.05)
    assert report.reason.endswith("> 0.05 nats")
    assert await served.answer() == (1, 1), "the old version serves again"


def altered(source: Path, version: int, change: Callable[[torch.Tensor], torch.Tensor]) -> Path:
    """A version whose file is whole, but whose weights are not those of its probes."""
    folder = source.with_name(f"v{version:06d}")
    shutil.copytree(source, folder)
    tensors = {name: change(tensor) for name, tensor in load_file(source / WEIGHTS).items()}
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
    update = {"version": version, "sha256": file_sha256(folder / WEIGHTS)}
    manifest = read_manifest(source).model_copy(update=update)
    (folder / MANIFEST).write_text(manifest.model_dump_json())
    return folder


@pytest.mark.parametrize(
    ("version", "change"),
    [
        (10, lambda tensor: tensor.flip(0).contiguous()),
        (11, lambda tensor: torch.full_like(tensor, float("nan"))),
    ],
    ids=["wrong", "nan"],
)
async def test_weights_that_are_not_those_of_the_probes_are_taken_out_again(
    served: Served, version: int, change: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    await served.swapper.swap(served.versions[1])
    before = await served.most_likely()
    report = await served.swapper.swap(altered(served.versions[1], version, change))
    assert (report.accepted, report.version) == (False, version)
    assert report.reason
    assert await served.answer() == (1, 1)
    assert await served.most_likely() == before
    assert served.swapper.live == served.versions[1]


async def wait_for_tokens(client: httpx.AsyncClient, tokens: int) -> None:
    """Ask for an answer as a stream, and return when its first tokens have come."""
    body = {"model": SERVED_NAME, "prompt": [1, 2, 3], "stream": True, "max_tokens": tokens}
    async with client.stream("POST", "/v1/completions", json=body | {"ignore_eos": True}) as reply:
        async for line in reply.aiter_lines():
            if line.startswith("data:"):
                return


async def spans_across_a_swap(served: Served, tokens: int) -> list[Any]:
    """Weight versions of four answers, with a swap while a fifth, asked for last, is streamed."""
    await served.swapper.swap(served.versions[0])
    params = {"max_tokens": tokens, "ignore_eos": True, "logprobs": 0, "detokenize": False}
    body = {"token_ids": [1, 2, 3], "sampling_params": params}
    async with httpx.AsyncClient(base_url=served.swapper.base_url, timeout=120) as client:
        calls = [
            asyncio.create_task(client.post("/inference/v1/generate", json=body)) for _ in range(4)
        ]
        await wait_for_tokens(client, tokens)
        assert (await served.swapper.swap(served.versions[1])).accepted
        choices = [reply.json()["choices"][0] for reply in await asyncio.gather(*calls)]
    assert all(len(choice["token_ids"]) == tokens for choice in choices)
    return [choice["weight_versions"] for choice in choices]


async def test_each_token_of_an_answer_names_the_weights_that_made_it(served: Served) -> None:
    tokens = 900
    for _ in range(5):
        answers = await spans_across_a_swap(served, tokens)
        if all(len(spans) == 2 for spans in answers):
            break
    else:
        pytest.fail(f"no swap met all answers in mid-way: {answers}")
    for old, new in answers:
        assert (old["version"], new["version"]) == ("0", "1")
        assert (old["start"], new["end"]) == (0, tokens)
        assert 0 < old["end"] == new["start"] < tokens


async def test_truncated_weights_never_reach_the_server(served: Served) -> None:
    weights = served.versions[2] / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    before = await served.answer()
    with pytest.raises(BadVersion, match="truncated"):
        await served.swapper.swap(served.versions[2])
    assert await served.answer() == before


async def test_a_server_that_died_is_a_typed_fault_and_comes_back_as_it_was(served: Served) -> None:
    served.child.on_restart = served.swapper.restore
    assert served.child.pid is not None
    os.kill(served.child.pid, signal.SIGKILL)
    with pytest.raises(EpisodeFault) as fault:
        await served.answer()
    assert fault.value.reason in (InvalidReason.POLICY_ERROR, InvalidReason.POLICY_TIMEOUT)
    async with asyncio.timeout(240):
        while True:
            try:
                assert await served.answer() == (1, 1)
                return
            except (EpisodeFault, AssertionError):
                await asyncio.sleep(1)
