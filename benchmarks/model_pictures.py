"""Pictures in prompts of tiny models: a server's logprobs beside the learner's.

The pictures are of noise and of plain shades, of several sizes, one and two in a prompt; answers
are sampled by the server, and the learner reads the ids that came back.
"""

from __future__ import annotations

import asyncio
import base64
import io
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.trajectory import Completion
from agent_server.policy.client import VllmPolicy
from agent_server.policy.engine import SERVED_NAME, VllmEngine
from agent_server.policy.manifest import read_prompt_format
from agent_server.policy.pictured_prompt import fit_picture
from envs.contract.observations import Observation, Screenshot
from envs.contract.task import Task
from trainer.learner import Learner
from trainer.samples import Picture, Sample

PICTURES = 2
"""In a prompt at most."""
ANSWER_TOKENS = 16
SIZES = ((160, 224), (96, 64), (320, 200), (224, 224))
TASK = Task(id="bench", instruction="Click on Save")


def make_screenshot(seed: int, size: tuple[int, int]) -> Screenshot:
    """Noise over a shade: every patch differs."""
    rng = np.random.default_rng(seed)
    width, height = size
    noise = rng.integers(0, 128, (height, width, 3)) + rng.integers(0, 128, 3)
    file = io.BytesIO()
    Image.fromarray(noise.astype(np.uint8)).save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format="png", width=width, height=height, data=data)


def make_turns(version: Path) -> list[Turn]:
    """Prompts with one and two pictures."""
    form = read_prompt_format(version).picture
    assert form is not None, f"{version} reads no pictures"
    shots = [fit_picture(make_screenshot(seed, size), form) for seed, size in enumerate(SIZES)]
    shown = [(shot,) for shot in shots] + list(pairwise(shots))
    sampling = Sampling(max_tokens=ANSWER_TOKENS, seed=1)
    return [
        Turn(TASK, Observation(hash=""), f"task: look at {place}", sampling, pictures)
        for place, pictures in enumerate(shown)
    ]


async def answer_turns(engine: VllmEngine, version: Path) -> list[Completion]:
    """The server's answers, asked for at once."""
    policy = VllmPolicy(
        engine.url,
        SERVED_NAME,
        tokenizer=version / "tokenizer.json",
        key=engine.keys.generation,
    )
    try:
        return await asyncio.gather(*(policy.act(turn) for turn in make_turns(version)))
    finally:
        await policy.close()


def sample_of(completion: Completion) -> Sample:
    """The answer as the learner reads it."""
    return Sample(
        completion.prompt_ids,
        completion.token_ids,
        logprobs=completion.logprobs,
        pictures=tuple(Picture(picture.data) for picture in completion.pictures),
    )


def compare_with_learner(learner: Learner, completions: list[Completion]) -> float:
    """The mean difference of logprobs, nats."""
    own = learner.logprobs([sample_of(completion) for completion in completions])
    gaps = [
        abs(ours - theirs)
        for logprobs, completion in zip(own, completions, strict=True)
        for ours, theirs in zip(logprobs, completion.logprobs, strict=True)
    ]
    return sum(gaps) / len(gaps)
