"""Samples of prompts and answers as text, as the policy would have read and written them."""

from __future__ import annotations

from collections.abc import Sequence

from agent_server.policy.manifest import PromptFormat
from trainer.context import Context
from trainer.samples import Picture, Sample, text_sample
from trainer.tokenizer import encode_answer, encode_prompt

Size = tuple[int, int]
"""Width and height of a picture as the model reads it, pixels."""


def written_prompt(
    context: Context, form: PromptFormat, prompt: str, sizes: Sequence[Size]
) -> list[int]:
    """Ids of a prompt with pictures of these sizes."""
    config = context.config
    shown = [] if form.picture is None else [form.picture.count_tokens(*size) for size in sizes]
    room = form.room(config.model.max_model_len, config.sampling.max_tokens, shown)
    return encode_prompt(context.tokenizer, prompt, room, form, shown)


def written_sample(
    context: Context,
    form: PromptFormat,
    *,
    prompt: str,
    answer: str,
    pictures: tuple[Picture, ...],
    sizes: Sequence[Size],
    prompt_ce: float,
) -> Sample:
    """A prompt and an answer that the policy has not sampled."""
    return text_sample(
        written_prompt(context, form, prompt, sizes),
        encode_answer(context.tokenizer, answer),
        prompt_ce=prompt_ce,
        pictures=pictures,
    )
