"""`deskhand bench policy`: the pause of a verified swap under load, and the server's throughput.

Two versions of a 4-million-parameter policy with different random weights take turns in a live
vLLM server while 32 requests are always in flight. A request counts as failed if it does not come
back with all its tokens; a swap counts only if its verification passed.
"""

from __future__ import annotations

import asyncio
import dataclasses
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from rich.console import Console

from agent_server.episodes.agent import Sampling, Turn
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME
from agent_server.policy.swap import Swapper, SwapReport
from benchmarks.figures import Figure, number, percentiles
from benchmarks.policy_server import open_policy_server
from benchmarks.result import report
from envs.contract.observations import Observation
from envs.contract.outcomes import EpisodeFault
from tasksets.registry import get_gym
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.publish import publish_version
from trainer.samples import text_sample
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

IN_FLIGHT = 32
SWAPS = 24
THROUGHPUT_S = 12.0
PROMPT_LINES = 24
ANSWER_TOKENS = 16


@dataclasses.dataclass(slots=True)
class RequestLoad:
    """Streams of requests that never pause, and counts of their results."""

    policy: VllmPolicy
    turns: list[Turn]
    done: int = 0
    tokens: int = 0
    failed: int = 0
    is_stopped: bool = False

    async def run(self, offset: int) -> None:
        """One stream: a request after the other until the load is stopped."""
        while not self.is_stopped:
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
    """Measures, prints the figures and writes them to `json`."""
    console = Console()
    with console.status(f"{SWAPS} swaps under {IN_FLIGHT} requests: about two minutes"):
        figures = asyncio.run(measure())
    report(figures, console, json)


async def measure() -> dict[str, Figure]:
    """Starts a policy server, measures throughput, then swaps under the same load."""
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as name:
        folder = Path(name)
        versions, turns = await asyncio.to_thread(publish_two, folder)
        started = time.perf_counter()
        async with open_policy_server(versions[0]) as engine:
            start_s = time.perf_counter() - started
            swapper = Swapper(engine.url, engine.keys.control)
            await swapper.swap(versions[0])
            policy = VllmPolicy(
                engine.url,
                SERVED_NAME,
                tokenizer=versions[0] / "tokenizer.json",
                key=engine.keys.generation,
            )
            load = RequestLoad(policy, turns)
            streams = [asyncio.create_task(load.run(index)) for index in range(IN_FLIGHT)]
            throughput = await _measure_throughput(load)
            failed_before = load.failed
            swaps = await _swap_in_turns(swapper, versions)
            load.is_stopped = True
            # Requests that were in flight in the last swap count too.
            await asyncio.gather(*streams)
            await policy.close()
    accepted = [swap for swap in swaps if swap.accepted]
    return {
        "policy.swap_pause_ms": percentiles([swap.pause_ms for swap in accepted], "ms"),
        "policy.swap_failed_requests": number(load.failed - failed_before, "requests"),
        "policy.swaps_verified": number(len(accepted), "swaps"),
        "policy.swap_logprob_diff": percentiles([swap.mean_abs_diff for swap in swaps], "nats"),
        **throughput,
        "policy.start_s": number(start_s, "s"),
    }


async def _measure_throughput(load: RequestLoad) -> dict[str, Figure]:
    await asyncio.sleep(3)  # until all streams have a request in flight
    done, tokens, began = load.done, load.tokens, time.perf_counter()
    await asyncio.sleep(THROUGHPUT_S)
    seconds = time.perf_counter() - began
    return {
        "policy.requests_per_s": number((load.done - done) / seconds, "1/s"),
        "policy.tokens_per_s": number((load.tokens - tokens) / seconds, "1/s"),
    }


async def _swap_in_turns(swapper: Swapper, versions: Sequence[Path]) -> list[SwapReport]:
    reports = []
    for index in range(SWAPS):
        reports.append(await swapper.swap(versions[(index + 1) % 2]))
        await asyncio.sleep(0.3)
    return reports


def publish_two(folder: Path) -> tuple[list[Path], list[Turn]]:
    """Two versions with different random weights, and turns with pages of the shop."""
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
        # Logits of untrained weights are nearly equal: larger ones make the versions differ.
        with torch.no_grad():
            model.lm_head.weight.mul_(10.0)
        learner = Learner(model, LearnerConfig())
        versions.append(
            publish_version(
                folder,
                version=version,
                parent=None,
                phase="bench",
                learner=learner,
                tokenizer=tokenizer,
                samples=[probe],
            )
        )
        learner.close()
    task = gym.make_task(gym.templates[0], 1)
    sampling = Sampling(temperature=1.0, max_tokens=ANSWER_TOKENS)
    return versions, [Turn(task, Observation(hash=""), prompt, sampling) for prompt in prompts]
