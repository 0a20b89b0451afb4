"""A byte-level BPE trained on the gyms' own text, with words kept copyable; and the ids of prompts
and answers, whatever model's tokenizer it is.

Guarantees of our own: decoding gives the encoded text back; a word after a blank always has the
same ids, wherever it occurs; a line break is a token of its own; a ref (` #12`) is one token up to
`MAX_REF`; digits are single tokens, so that prices can be copied piece by piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from agent_server.policy.manifest import PromptFormat
from agent_server.policy.renaming import Pieces
from trainer.chat_format import prompt_format
from trainer.model_files import AS_DATA

PAD, USER, ASSISTANT, END = "<|pad|>", "<|user|>", "<|assistant|>", "<|end|>"
MAX_REF = 80
"""Largest number of an element that is one token."""
MAX_PIECES = 2000
"""Of each kind, for large vocabularies."""
_SPLIT = r" #\d+|\n| ?[\p{L}]+| ?\d| ?[^\s\p{L}\d]+|\s"
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}<|assistant|>{{ message['content'] }}<|end|>"
    "{% else %}<|user|>{{ message['content'] }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def train_tokenizer(texts: Iterable[str], vocab_size: int) -> PreTrainedTokenizerFast:
    """Trains on texts (pages, instructions, answers) and wraps the result for transformers."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    # Refs are taught as text, often enough that each one up to MAX_REF merges into one token.
    refs = [f" #{number}" for number in range(1, MAX_REF + 1)] * 4000
    tokenizer.train_from_iterator(
        [*texts, "".join(refs)],
        trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=[PAD, USER, ASSISTANT, END],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[USER, ASSISTANT],
        clean_up_tokenization_spaces=False,
        model_max_length=1_000_000,
    )
    wrapped.chat_template = CHAT_TEMPLATE
    return wrapped


def load_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    """The tokenizer of a model's folder, literally as its tokenizer.json says."""
    tokenizer: PreTrainedTokenizerFast = PreTrainedTokenizerFast.from_pretrained(
        str(folder), **AS_DATA
    )
    return tokenizer


def encode_prompt(
    tokenizer: PreTrainedTokenizerFast,
    prompt: str,
    room: int | None = None,
    form: PromptFormat | None = None,
    pictures: Sequence[int] = (),
) -> list[int]:
    """Ids of one user message with the generation prompt: what the server feeds its engine. Of the
    text the last `room` tokens are left, see `PromptFormat.room`. `pictures`: tokens of each that
    stands before the text; they need the published `form`."""
    form = prompt_format(tokenizer) if form is None else form
    return form.wrap(_encode_text(tokenizer, prompt), room, pictures)


def encode_answer(tokenizer: PreTrainedTokenizerFast, answer: str) -> list[int]:
    """Ids of an answer up to and with the end token, as the engine would have sampled it."""
    return [*_encode_text(tokenizer, answer), prompt_format(tokenizer).ends[0]]


def _encode_text(tokenizer: PreTrainedTokenizerFast, text: str) -> list[int]:
    """Text is data: a page that contains <|assistant|> is encoded letter by letter."""
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
    return ids


def word_pieces(tokenizer: PreTrainedTokenizerFast) -> Pieces:
    """Tokens of which names are made, the commonest first."""
    ids = tokenizer.get_vocab()
    texts = [str(tokenizer.decode(ids[token])) for token in sorted(ids, key=ids.__getitem__)]
    starts = [text[1:] for text in texts if re.fullmatch(" [A-Z][a-z]{0,4}", text)]
    others = [text for text in texts if re.fullmatch("[a-z]{2,5}", text)]
    return Pieces(tuple(starts[:MAX_PIECES]), tuple(others[:MAX_PIECES]))
