"""A real vLLM server with its supervisor, swapper and client: what tests of swaps share."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import torch
from safetensors.torch import load_file, save_file
from transformers import Qwen3Config, Qwen3ForCausalLM

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.trajectory import Completion
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME, VllmEngine, bearer, warm_up
from agent_server.policy.manifest import MANIFEST, file_sha256, parse_manifest
from agent_server.policy.swap import Swapper
from agent_server.stack.supervisor import Child, Supervisor
from envs.contract.observations import Observation
from envs.providers.local import free_port
from tasksets.registry import get_gym
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.publish import publish_version
from trainer.samples import text_sample
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

START_S = 600.0
"""A server starts in half a minute, on a machine with other things to do in several."""
ANSWER_S = 60
PROMPT_TOKENS = 480
"""Thirty blocks of the cache, and nearly one step of the engine."""
SHAPE = ModelConfig(hidden=128, layers=2, heads=2, kv_heads=1, intermediate=256)
CONFIG = LearnerConfig(threads=1)
TASK = get_gym("shop").make_task("price", 1)
OBSERVATION = Observation(hash="")


@dataclasses.dataclass(slots=True)
class Served:
    """The versions that were published, and the server that began with the first of them."""

    versions: list[Path]
    swapper: Swapper
    policy: VllmPolicy
    child: Child
    engine: VllmEngine

    async def answer(self, tokens: int = 12) -> Completion:
        """An answer with logprobs of all its tokens."""
        prompt = "task: look\npage: Home\nlink Cart #1"
        completion = await self.policy.act(
            Turn(TASK, OBSERVATION, prompt, Sampling(max_tokens=tokens))
        )
        assert len(completion.logprobs) == len(completion.token_ids) > 0
        assert all(logprob <= 0 for logprob in completion.logprobs)
        return completion

    async def answer_versions(self, tokens: int = 12) -> tuple[int, int]:
        """Oldest and newest version of an answer's tokens."""
        completion = await self.answer(tokens)
        return completion.version_min, completion.version_max

    async def most_likely(self) -> tuple[int, ...]:
        """What the live weights answer without chance: it tells them from others."""
        sampling = Sampling(temperature=0, max_tokens=24)
        completion = await self.policy.act(Turn(TASK, OBSERVATION, "task: look", sampling))
        return completion.token_ids


@contextlib.asynccontextmanager
async def serve(versions: list[Path], log: Path, **options: Any) -> AsyncIterator[Served]:
    """A server with the first version, swapped in and verified; `options` are the engine's."""
    engine = VllmEngine(versions[0], free_port(), threads=2, **options)
    async with Supervisor() as supervisor:
        command, environment = engine.command(), engine.environment()
        child = Child("policy", command, environment, log, engine.healthy, START_S)
        await supervisor.add(child)
        await warm_up(engine.url, engine.keys.generation)
        tokenizer, key = versions[0] / "tokenizer.json", engine.keys.generation
        policy = VllmPolicy(engine.url, SERVED_NAME, ANSWER_S, tokenizer, key)
        swapper = Swapper(engine.url, engine.keys.control)
        child.on_restart = swapper.restore
        report = await swapper.swap(versions[0])
        assert report.accepted, report.reason
        yield Served(versions, swapper, policy, child, engine)
        await policy.close()


def publish_random(
    folder: Path,
    count: int,
    config: LearnerConfig = CONFIG,
    tied: bool = False,
    attention: float = 1.0,
) -> list[Path]:
    """Versions with different random weights; `tied`: one matrix for embedding and head;
    `attention`: how much more than usual what was read before decides."""
    tokenizer = train_tokenizer(get_gym("shop").corpus(0), 800)
    prompt, answer = "task: look\nlink Cart #1", "open the cart\nclick Cart"
    probe = text_sample(encode_prompt(tokenizer, prompt), encode_answer(tokenizer, answer))
    folders = []
    for version in range(count):
        model = new_policy(SHAPE, len(tokenizer), seed=version)
        if tied:
            shape = {**model.config.to_dict(), "tie_word_embeddings": True}
            torch.manual_seed(version)
            model = Qwen3ForCausalLM(Qwen3Config.from_dict(shape)).float()
        with torch.no_grad():
            model.lm_head.weight.mul_(2.0)
            for layer in model.model.layers:
                layer.self_attn.o_proj.weight.mul_(attention)
        learner = Learner(model, config)
        folders.append(
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
    return folders


def alter_weights(
    source: Path, version: int, change: Callable[[torch.Tensor], torch.Tensor]
) -> Path:
    """A version whose file is whole, but whose weights are not those of its probes."""
    folder = source.with_name(f"v{version:06d}")
    shutil.copytree(source, folder)
    manifest = parse_manifest(source)
    file = folder / manifest.weights
    tensors = {name: change(tensor) for name, tensor in load_file(file).items()}
    save_file(tensors, file, metadata={"format": "pt"})
    update = {"version": version, "sha256": file_sha256(file)}
    (folder / MANIFEST).write_text(manifest.model_copy(update=update).model_dump_json())
    return folder


def make_prompt(number: int) -> tuple[int, ...]:
    return (7 + number, *(7 + index % 500 for index in range(PROMPT_TOKENS - 1)))


async def generate_long(
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
    headers = bearer(served.engine.keys.generation)
    async with httpx.AsyncClient(
        base_url=served.engine.url, headers=headers, timeout=120
    ) as client:
        calls = [
            asyncio.create_task(client.post("/inference/v1/generate", json=body)) for _ in range(4)
        ]
        await wait_for_tokens(client, tokens)
        assert (await served.swapper.swap(served.versions[1])).accepted
        choices = [reply.json()["choices"][0] for reply in await asyncio.gather(*calls)]
    assert all(len(choice["token_ids"]) == tokens for choice in choices)
    return [choice["weight_versions"] for choice in choices]


SWAPPER_THAT_STOPS = """
import json, os, sys, time, urllib.request
for path, body in json.load(sys.stdin):
    request = urllib.request.Request(os.environ["URL"] + path, json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", "Bearer " + os.environ["KEY"])
    urllib.request.urlopen(request, timeout=60).read()
print("begun", flush=True)
time.sleep(600)
"""
"""A trainer's process in the middle of a swap. The bodies of pause and the like are not read."""


async def kill_a_swapper_after(served: Served, calls: list[tuple[str, Any]]) -> None:
    """Another process begins a swap with these calls and is killed."""
    swapper = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        SWAPPER_THAT_STOPS,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={"URL": served.engine.url, "KEY": served.engine.keys.control},
    )
    assert swapper.stdin is not None
    assert swapper.stdout is not None
    swapper.stdin.write(json.dumps(calls).encode())
    swapper.stdin.close()
    try:
        assert await asyncio.wait_for(swapper.stdout.readline(), 120) == b"begun\n"
    finally:
        swapper.kill()
        await swapper.wait()
