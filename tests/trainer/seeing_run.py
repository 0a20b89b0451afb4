"""A tiny run whose policy reads pictures, and steps as it would have answered them."""

from __future__ import annotations

import base64
import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from agent_server.episodes.seeing_agent import seen_picture
from agent_server.episodes.trajectory import Completion, Step
from agent_server.policy.pictured_prompt import PicturedPrompt
from envs.contract.actions import ActionResult
from envs.contract.observations import Screenshot
from tests.trainer.tiny_run import open_context
from trainer.chat_format import served_format
from trainer.context import Context
from trainer.learner import Learner
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import encode_answer, load_tokenizer


@contextlib.contextmanager
def open_seeing_context(folder: Path, **changes: Any) -> Iterator[Context]:
    """The context of a new run in the folder; see `open_context`."""
    make_tiny_model("qwen3-vl", folder / "model")
    with open_context(folder / "run", **changes) as context:
        context.tokenizer = load_tokenizer(folder / "model")
        context.learner = Learner(folder / "model", context.config.learner_config)
        with contextlib.closing(context.learner):
            yield context


def make_screenshot(colour: str = "red") -> Screenshot:
    """A picture of a size that the model's processor leaves as it is."""
    file = io.BytesIO()
    Image.new("RGB", (96, 64), colour).save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format="png", width=96, height=64, data=data)


def make_seeing_step(
    context: Context, text: str = "click Cart", prompt: str = "link Cart #1"
) -> Step:
    """A step as the policy server would have answered it, with one picture."""
    learner, tokenizer, screenshot = context.learner, context.tokenizer, make_screenshot()
    form = served_format(tokenizer, learner.model_config, learner.pictures)
    pictured = PicturedPrompt(form, [screenshot])
    token_ids = tuple(encode_answer(tokenizer, text))
    completion = Completion(
        text=text,
        prompt_ids=tuple(pictured.expand(tokenizer.encode(prompt, add_special_tokens=False), None)),
        token_ids=token_ids,
        logprobs=(-1.0,) * len(token_ids),
        pictures=(seen_picture(screenshot),),
    )
    return Step(index=0, prompt=prompt, completion=completion, result=ActionResult.success())
