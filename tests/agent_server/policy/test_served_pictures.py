"""A real server that reads pictures: what it samples is what the learner reads, and a swap is
verified on pictures too."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import torch

from agent_server.episodes.agent import Sampling
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME
from agent_server.policy.manifest import MANIFEST
from benchmarks.model_pictures import (
    PICTURES,
    answer_turns,
    compare_with_learner,
    make_screenshot,
    make_turns,
    sample_of,
)
from tests.agent_server.policy.served_policy import Served, serve
from trainer.learner import Learner, LearnerConfig
from trainer.publish import publish_version
from trainer.samples import Picture, text_sample
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer

SWAPS = 8

pytestmark = [pytest.mark.policy, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Learner:
    folder = tmp_path_factory.mktemp("sees") / "model"
    make_tiny_model("qwen2.5-vl", folder)
    return Learner(folder, LearnerConfig(threads=1))


def publish(learner: Learner, folder: Path, version: int, seed: int = 1) -> Path:
    """A version whose probe shows a picture."""
    assert learner.pictures is not None
    tokenizer = load_tokenizer(learner.pictures.folder)
    picture = Picture(base64.b64decode(make_screenshot(seed, (112, 56)).data))
    token = learner.model_config.image_token_id
    ids = encode_prompt(tokenizer, "look")
    ids[3:3] = [token] * learner.pictures.count_tokens(picture)
    probe = text_sample(ids, encode_answer(tokenizer, "click the button"), pictures=(picture,))
    return publish_version(
        folder,
        version=version,
        parent=None,
        phase="test",
        learner=learner,
        tokenizer=tokenizer,
        samples=[probe],
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(
    learner: Learner, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    first = publish(learner, folder, 0)
    async with serve([first], folder / "policy.log", pictures=PICTURES) as served_policy:
        yield served_policy


async def test_the_learner_reads_what_the_server_sampled(served: Served, learner: Learner) -> None:
    answers = await answer_turns(served.engine, served.versions[0])
    assert [len(answer.pictures) for answer in answers] == [
        len(turn.pictures) for turn in make_turns(served.versions[0])
    ]
    assert all(len(answer.token_ids) == len(answer.logprobs) > 0 for answer in answers)
    assert compare_with_learner(learner, answers) < 0.05
    read = sample_of(answers[0])
    other = Picture(base64.b64decode(make_screenshot(99, answers[0].pictures[0].size).data))
    changed = dataclasses.replace(read, pictures=(other,))
    assert learner.logprobs([read]) != learner.logprobs([changed]), "pictures matter"


async def test_a_swap_is_verified_on_pictures(served: Served, learner: Learner) -> None:
    folder = served.versions[0].parent
    torch.manual_seed(3)
    backend: Any = learner.backend
    backend.weights.master_P += 0.02 * torch.randn_like(backend.weights.master_P)
    backend.weights.refresh()
    report = await served.swapper.swap(publish(learner, folder, 1))
    assert report.accepted, report.reason
    assert report.mean_abs_diff < 0.05
    # The probe's picture is another than the one that its logprobs are of.
    forged, other = publish(learner, folder, 2), publish(learner, folder, 3, seed=2)
    (name,) = _probe_pictures(forged)
    (other_name,) = _probe_pictures(other)
    (forged / name).write_bytes((other / other_name).read_bytes())
    report = await served.swapper.swap(forged)
    assert report.mean_abs_diff > 0.001
    assert report.mean_abs_diff > 3 * served.swapper.reports[-2].mean_abs_diff


async def test_nobody_is_refused_for_a_picture_that_a_swap_dropped(
    served: Served, learner: Learner
) -> None:
    """The server's two processes must not differ in which pictures they keep."""
    turn = make_turns(served.versions[0])[0]
    turn = dataclasses.replace(turn, sampling=Sampling(max_tokens=1))
    policy = VllmPolicy(
        served.engine.url,
        SERVED_NAME,
        tokenizer=served.versions[0] / "tokenizer.json",
        key=served.engine.keys.generation,
    )
    swapped = asyncio.Event()

    async def ask_again_and_again() -> None:
        while not swapped.is_set():
            await policy.act(turn)

    async def swap_often() -> None:
        try:
            for version in range(10, 10 + SWAPS):
                folder = publish(learner, served.versions[0].parent, version)
                report = await served.swapper.swap(folder)
                assert report.accepted, report.reason
        finally:
            swapped.set()

    try:
        await asyncio.gather(*(ask_again_and_again() for _ in range(16)), swap_often())
    finally:
        await policy.close()


def _probe_pictures(version: Path) -> list[str]:
    names: list[str] = json.loads((version / MANIFEST).read_bytes())["probes"][0]["pictures"]
    return names
