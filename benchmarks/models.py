"""`deskhand bench models`: tiny models of published families, with random weights.

`models.<family>.parity`: the learner's logprobs against transformers' own forward in fp32, the
largest difference. `models.<family>.serve_parity`: a vLLM server's against the learner's in bf16,
the mean difference; `serve_parity_image` the same for answers to prompts with pictures.
`models.lora.*`: adapters that take turns in a live server while requests are
always in flight: the time of a verified swap, and requests that did not come back whole.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText

from agent_server.episodes.agent import Sampling, Turn
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME
from agent_server.policy.swap import Swapper
from benchmarks.figures import Figure, number, percentiles
from benchmarks.model_pictures import PICTURES, answer_turns, compare_with_learner
from benchmarks.policy import RequestLoad
from benchmarks.policy_server import MAX_MODEL_LEN, open_policy_server
from benchmarks.result import report
from envs.contract.observations import Observation
from tasksets.registry import get_gym
from trainer.learner import Learner, LearnerConfig
from trainer.lora import LoraConfig
from trainer.publish import publish_version
from trainer.samples import Sample, text_sample
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer

TEXT_FAMILIES = ("qwen3", "qwen3-tied")
SEEING_FAMILIES = ("qwen2.5-vl", "qwen3-vl", "glm-4.1v")
LORA = LoraConfig(rank=8, alpha=16.0)
IN_FLIGHT = 16
SWAPS = 20
ANSWER_TOKENS = 64


def run(json: Path | None) -> None:
    """Measures, prints the figures and writes them to `json`."""
    console = Console()
    with console.status("five families and an adapter, a server each: about ten minutes"):
        figures = asyncio.run(measure())
    report(figures, console, json)


async def measure() -> dict[str, Figure]:
    """Figures of each family, and of adapters."""
    figures: dict[str, Figure] = {}
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as name:
        for family in (*TEXT_FAMILIES, *SEEING_FAMILIES):
            folder = Path(name) / family
            make_tiny_model(family, folder / "model")
            parity = await asyncio.to_thread(measure_parity, folder / "model")
            figures[f"models.{family}.parity"] = {"p50": round(parity, 8), "unit": "nats"}
            served = await measure_serving(folder, family in SEEING_FAMILIES)
            for part, gap in served.items():
                figures[f"models.{family}.{part}"] = {"p50": round(gap, 5), "unit": "nats"}
        figures |= await measure_adapters(Path(name) / "lora")
    return figures


def make_samples(folder: Path) -> list[Sample]:
    """Lines of the shop's pages as prompts and answers in the model's own template."""
    tokenizer = load_tokenizer(folder)
    lines = get_gym("shop").corpus(0)
    return [
        text_sample(
            encode_prompt(tokenizer, "\n".join(lines[at : at + 6]), 400),
            encode_answer(tokenizer, lines[at + 6])[:64],
        )
        for at in range(0, 28, 7)
    ]


def measure_parity(folder: Path) -> float:
    """The largest difference between logprobs of learner and model, fp32, nats."""
    samples = make_samples(folder)
    sees = hasattr(AutoConfig.from_pretrained(folder), "vision_config")
    auto: Any = AutoModelForImageTextToText if sees else AutoModelForCausalLM
    model = auto.from_pretrained(folder, dtype=torch.float32)
    learner = Learner(folder, LearnerConfig(dtype="float32", backend="transformers"))
    try:
        own = learner.logprobs(samples)
    finally:
        learner.close()
    largest = 0.0
    for sample, logprobs in zip(samples, own, strict=True):
        ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
        with torch.no_grad():
            logs = torch.log_softmax(model(input_ids=ids).logits[0], -1)
        start = len(sample.prompt_ids)
        expected = logs[start - 1 : -1].gather(1, ids[0, start:, None])[:, 0]
        largest = max(largest, float((expected - torch.tensor(logprobs)).abs().max()))
    return largest


async def measure_serving(folder: Path, sees: bool) -> dict[str, float]:
    """Mean differences between logprobs of a live server and of the learner, bf16, nats."""
    learner = Learner(folder / "model", LearnerConfig())
    try:
        version = await asyncio.to_thread(publish, learner, folder, 0)
        async with open_policy_server(version, pictures=PICTURES if sees else 0) as engine:
            swap = await Swapper(engine.url, engine.keys.control).swap(version)
            gaps = {"serve_parity": swap.mean_abs_diff}
            if sees:
                answers = await answer_turns(engine, version)
                gap = await asyncio.to_thread(compare_with_learner, learner, answers)
                gaps["serve_parity_image"] = gap
            return gaps
    finally:
        learner.close()


def publish(learner: Learner, folder: Path, version: int, base: Path | None = None) -> Path:
    """A version of the model in `folder`."""
    return publish_version(
        folder / "policy",
        version=version,
        parent=None,
        phase="bench",
        learner=learner,
        tokenizer=load_tokenizer(folder / "model"),
        samples=make_samples(folder / "model"),
        max_model_len=MAX_MODEL_LEN,
        base=base,
    )


def publish_adapters(folder: Path) -> list[Path]:
    """A base, and two adapters of it with random matrices."""
    make_tiny_model("qwen3", folder / "model")
    learner = Learner(folder / "model", LearnerConfig(lora=LORA))
    backend: Any = learner.backend
    start = backend.weights.master_P.clone()
    versions: list[Path] = []
    for version, size in enumerate((0.0, 0.3, 0.3)):
        torch.manual_seed(version)
        backend.weights.master_P.copy_(start + size * torch.randn_like(start))
        backend.weights.refresh()
        versions.append(publish(learner, folder, version, versions[0] if versions else None))
    learner.close()
    return versions


async def measure_adapters(folder: Path) -> dict[str, Figure]:
    """Swaps of two adapters in turn, with requests always in flight."""
    versions = await asyncio.to_thread(publish_adapters, folder)
    gym = get_gym("shop")
    task, sampling = gym.make_task(gym.templates[0], 1), Sampling(max_tokens=ANSWER_TOKENS)
    turns = [Turn(task, Observation(hash=""), line, sampling) for line in gym.corpus(0)[:40]]
    async with open_policy_server(versions[0], LORA.rank) as engine:
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
        swap_ms, differences = [], []
        for index in range(SWAPS):
            done = load.done
            while load.done < done + IN_FLIGHT:
                await asyncio.sleep(0.02)
            began = time.perf_counter()
            swap = await swapper.swap(versions[1 + index % 2])
            swap_ms.append((time.perf_counter() - began) * 1000)
            differences.append(swap.mean_abs_diff)
            load.failed += not swap.accepted
        load.is_stopped = True
        await asyncio.gather(*streams)
        await policy.close()
    return {
        "models.lora.swap_ms": percentiles(swap_ms, "ms"),
        "models.lora.failed": number(load.failed, "requests and swaps"),
        "models.lora.requests": number(load.done, "requests"),
        "models.lora.serve_parity": percentiles(differences, "nats"),
    }
