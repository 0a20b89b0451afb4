"""`deskhand bench policy`: the pause of a verified swap under load, and the server's throughput.

Two versions of a 4-million-parameter policy with different random weights take turns in a live
vLLM server while 32 requests are always in flight. A request counts as failed if it does not come
back with all its tokens; a swap counts only if its verification passed.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import tempfile
import time
from pathlib import Path

import torch
from rich.console import Console

from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME, VllmEngine, warm_up
from agent_server.policy.policy import Sampling, Turn
from agent_server.policy.swap import Swapper
from agent_server.supervisor import Child, Supervisor
from benchmarks.result import Figure, plain, result, sampled, show, write
from envs.gyms.registry import get_gym
from envs.observations import Observation
from envs.outcomes import EpisodeFault
from envs.providers.local import free_port
from trainer.context import publish_version
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.samples import text_sample
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

IN_FLIGHT = 32
SWAPS = 24
THROUGHPUT_S = 12.0
PROMPT_LINES = 24
ANSWER_TOKENS = 16


@dataclasses.dataclass(slots=True)
class _Load:
    """Requests that are always in flight, and what became of them."""

    policy: VllmPolicy
    turns: list[Turn]
    done: int = 0
    tokens: int = 0
    failed: int = 0
    stop: bool = False

    async def run(self, offset: int) -> None:
        while not self.stop:
            try:
                answer = await self.policy.act(self.turns[offset % len(self.turns)])
            except EpisodeFault:
                self.failed += 1
                continue
            offset += IN_FLIGHT
            self.done += 1
            self.tokens += len(answer.token_ids)
            self.failed += not answer.token_ids


def run(json: Path | None) -> None:
    console = Console()
    with console.status(f"{SWAPS} swaps under {IN_FLIGHT} requests: about two minutes"):
        measured = result(asyncio.run(_measure()))
    show(measured, console)
    if json is not None:
        write(json, measured)


async def _measure() -> dict[str, Figure]:
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as name:
        folder = Path(name)
        versions, turns = await asyncio.to_thread(_publish_two, folder)
        engine = VllmEngine(versions[0], free_port(), threads=os.cpu_count() or 2)
        child = Child(
            "policy", engine.command(), engine.environment(), folder / "policy.log",
            engine.healthy, ready_s=240,
        )  # fmt: skip
        async with Supervisor() as supervisor:
            started = time.perf_counter()
            await supervisor.add(child)
            await warm_up(engine.url)
            start_s = time.perf_counter() - started
            swapper = Swapper(engine.url)
            await swapper.swap(versions[0])
            policy = VllmPolicy(engine.url, SERVED_NAME, tokenizer=versions[0] / "tokenizer.json")
            load = _Load(policy, turns)
            streams = [asyncio.create_task(load.run(index)) for index in range(IN_FLIGHT)]
            await asyncio.sleep(3)
            done, tokens, began = load.done, load.tokens, time.perf_counter()
            await asyncio.sleep(THROUGHPUT_S)
            seconds = time.perf_counter() - began
            requests_per_s, tokens_per_s = (
                (load.done - done) / seconds,
                (load.tokens - tokens) / seconds,
            )
            failed_before = load.failed
            reports = []
            for index in range(SWAPS):
                reports.append(await swapper.swap(versions[(index + 1) % 2]))
                await asyncio.sleep(0.3)
            load.stop = True
            await asyncio.gather(*streams)
            await policy.close()
    accepted = [report for report in reports if report.accepted]
    return {
        "policy.swap_pause_ms": sampled([report.pause_ms for report in accepted], "ms"),
        "policy.swap_failed_requests": plain(load.failed - failed_before, "requests"),
        "policy.swaps_verified": plain(len(accepted), "swaps"),
        "policy.swap_logprob_diff": sampled([r.mean_abs_diff for r in reports], "nats"),
        "policy.requests_per_s": plain(requests_per_s, "1/s"),
        "policy.tokens_per_s": plain(tokens_per_s, "1/s"),
        "policy.start_s": plain(start_s, "s"),
    }


def _publish_two(folder: Path) -> tuple[list[Path], list[Turn]]:
    gym = get_gym("shop")
    corpus = gym.corpus(0)
    tokenizer = train_tokenizer(corpus, 1536)
    prompts = [
        "\n".join(corpus[at : at + PROMPT_LINES])
        for at in range(0, len(corpus) - PROMPT_LINES, PROMPT_LINES)
    ]
    probe = text_sample(encode_prompt(tokenizer, prompts[0]), encode_answer(tokenizer, corpus[0]))
    versions = []
    for version in range(2):
        model = new_policy(ModelConfig(copy_init=False), len(tokenizer), seed=version)
        with torch.no_grad():
            model.lm_head.weight.mul_(10.0)
        learner = Learner(model, LearnerConfig())
        versions.append(
            publish_version(folder, version, None, "bench", learner, tokenizer, [probe])
        )
        learner.close()
    task = gym.make_task(gym.templates[0], 1)
    sampling = Sampling(temperature=1.0, max_tokens=ANSWER_TOKENS)
    return versions, [Turn(task, Observation(hash=""), prompt, sampling) for prompt in prompts]
