"""The prompt format of a model, from its own chat template.

The template is rendered around placeholders once; what stands before, between and after them is
tokenised, special tokens included. Text of messages is tokenised apart and put between, so that
nothing a page says can become a role or an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from transformers import PreTrainedTokenizerFast

from agent_server.policy.manifest import PromptFormat
from trainer.picture_format import picture_format
from trainer.pictures import PictureReader

_MESSAGE, _ANSWER, _NEXT = "deskhandmessage", "deskhandanswer", "deskhandnext"
_OPTIONS: dict[str, Any] = {"enable_thinking": False}
"""Answers are short: families that can reason at length are told not to."""


class TemplateUnusable(ValueError):
    """A chat template without a fixed beginning and end of a message; one sentence."""


@lru_cache(maxsize=8)
def prompt_format(tokenizer: PreTrainedTokenizerFast) -> PromptFormat:
    """The format of a tokenizer's chat template. Raises TemplateUnusable."""
    if not tokenizer.chat_template:
        raise TemplateUnusable(f"{_name(tokenizer)} has no chat template")
    question = {"role": "user", "content": _MESSAGE}
    dialogue = [
        question,
        {"role": "assistant", "content": _ANSWER},
        {"role": "user", "content": _NEXT},
    ]
    prefix, suffix = _split(tokenizer, _render(tokenizer, [question], prompt=True), _MESSAGE)
    _, rest = _split(tokenizer, _render(tokenizer, dialogue, prompt=False), _ANSWER)
    after_answer, _ = _split(tokenizer, rest, _NEXT)
    return PromptFormat(
        prefix=tuple(_encode(tokenizer, prefix)),
        suffix=tuple(_encode(tokenizer, suffix)),
        ends=(_find_end(tokenizer, after_answer),),
    )


def served_format(
    tokenizer: PreTrainedTokenizerFast, model_config: Any, reader: PictureReader | None = None
) -> PromptFormat:
    """The same, with all tokens that end an answer by the tokenizer or the model's config, and how
    pictures are shown where the model has a `reader` of them. Raises PictureFormatUnusable."""
    own = prompt_format(tokenizer)
    text_config = model_config.get_text_config()
    named = [tokenizer.eos_token_id, *_eos_ids(model_config), *_eos_ids(text_config)]
    ends = dict.fromkeys((*own.ends, *(token for token in named if token is not None)))
    picture = None if reader is None else picture_format(tokenizer, model_config, reader)
    return own.model_copy(update={"ends": tuple(ends), "picture": picture})


def _eos_ids(config: Any) -> Sequence[int | None]:
    tokens = getattr(config, "eos_token_id", None)
    return tokens if isinstance(tokens, list) else [tokens]


def _render(
    tokenizer: PreTrainedTokenizerFast, messages: list[dict[str, str]], prompt: bool
) -> str:
    text = tokenizer.apply_chat_template(
        messages, tokenize=False, add_generation_prompt=prompt, **_OPTIONS
    )
    assert isinstance(text, str)
    return text


def _split(tokenizer: PreTrainedTokenizerFast, text: str, content: str) -> tuple[str, str]:
    if text.count(content) != 1:
        raise TemplateUnusable(
            f"the chat template of {_name(tokenizer)} does not show the text of a message once "
            "and unchanged"
        )
    before, _, after = text.partition(content)
    return before, after


def _find_end(tokenizer: PreTrainedTokenizerFast, after_answer: str) -> int:
    """The first special token behind an answer: what a model has learnt to write there."""
    special = {token for token, added in tokenizer.added_tokens_decoder.items() if added.special}
    for token in _encode(tokenizer, after_answer):
        if token in special:
            return token
    if tokenizer.eos_token_id is None:
        raise TemplateUnusable(f"{_name(tokenizer)} has no token that ends an answer")
    assert isinstance(tokenizer.eos_token_id, int)
    return tokenizer.eos_token_id


def _encode(tokenizer: PreTrainedTokenizerFast, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False)
    return ids


def _name(tokenizer: PreTrainedTokenizerFast) -> str:
    return tokenizer.name_or_path or "the tokenizer"
