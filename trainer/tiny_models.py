"""Tiny models with random weights in the format of a real family, for tests and trials.

Guarantees: class names, weight names, tokenizer layout, special tokens and processor files are the
family's; only sizes and values are not. The same seed gives the same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
    GenerationConfig,
    PreTrainedTokenizerFast,
)

from trainer.initial_weights import draw_weights

HEAD_DIM = 32
"""Of every family's decoder: the smallest that is served; M-RoPE sections add up to half."""
MAX_POSITIONS = 4096
_CORPUS = (
    "click the button and type the name of the order into the field then press enter to save it",
    "open the cart, choose the cheapest item, set the quantity to 3 and check out with the coupon",
    "scroll down to the table of invoices from 2024-05-17 and download the file report.pdf",
    '{"action": "left_click", "coordinate": [120, 348], "text": "hello world"}',
    "Action: click(start_box='(120,348)')",
    "Action: click(start_box='(52,7)')",
    "did: Action: click(start_box='(5,761)')",
    "Action: type(content='hello')",
    "Action: finished()",
    "did: Action: finished(content='7')",
    "What is on the screen? A window with a menu, a list of mails and a search box at the top.",
)
QWEN_TOKENS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|vision_pad|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
GLM_TOKENS = (
    "<|endoftext|>",
    "[gMASK]",
    "<sop>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|observation|>",
    "<|begin_of_image|>",
    "<|end_of_image|>",
    "<|image|>",
    "<|begin_of_video|>",
    "<|end_of_video|>",
    "<|video|>",
)
_PARTS = (
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}{% if part['type'] == 'text' %}{{ part['text'] }}"
    "{% else %}IMAGE{% endif %}{% endfor %}{% endif %}"
)
QWEN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    + _PARTS.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>")
    + "<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
GLM_TEMPLATE = (
    "[gMASK]<sop>{% for message in messages %}<|{{ message['role'] }}|>\n"
    + _PARTS.replace("IMAGE", "<|begin_of_image|><|image|><|end_of_image|>")
    + "{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TinySizes:
    """Of the decoder, and of the vision tower where there is one."""

    hidden: int = 128
    layers: int = 2
    heads: int = 4
    kv_heads: int = 2
    inner: int = 192
    vocab: int = 600
    """tokens at most; embeddings have rows up to the next multiple of 64, as real ones do"""
    vision_hidden: int = 64
    vision_layers: int = 2
    vision_heads: int = 2

    @property
    def vision(self) -> dict[str, Any]:
        """The vision tower's part of a config."""
        return {
            "depth": self.vision_layers,
            "hidden_size": self.vision_hidden,
            "num_heads": self.vision_heads,
            "intermediate_size": self.vision_hidden * 3 // 2,
            "out_hidden_size": self.hidden,
        }


SIZES = TinySizes()
MakeConfig = Callable[[PreTrainedTokenizerFast, TinySizes], Any]
"""tokenizer, and the sizes -> config"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """How the tiny model of one family is made."""

    special_tokens: tuple[str, ...]
    template: str
    end: str
    make_config: MakeConfig
    image_processor: dict[str, Any] | None = None
    processor: str = ""


def make_tiny_model(
    family: str,
    folder: Path,
    seed: int = 0,
    sizes: TinySizes = SIZES,
    corpus: Iterable[str] = (),
    *,
    to_learn: bool = False,
) -> None:
    """Writes the model, its tokenizer and, for a family that sees, its processor's settings. The
    tokenizer is trained on a few sentences and the `corpus`. `to_learn`: weights from which a model
    of this size learns (`trainer/initial_weights.py`), not those that the family begins with.

    Raises ValueError for an unknown family, FileExistsError where the folder has a model."""
    if family not in FAMILIES:
        raise ValueError(f"there is no family {family!r}; there are: {', '.join(FAMILIES)}")
    if (folder / "config.json").exists():
        raise FileExistsError(f"{folder} has a model already; name another folder")
    layout = FAMILIES[family]
    tokenizer = make_tokenizer(layout, sizes.vocab, corpus)
    config = layout.make_config(tokenizer, sizes)
    auto: Any = (
        AutoModelForCausalLM if layout.image_processor is None else AutoModelForImageTextToText
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = auto.from_config(config)
    if to_learn:
        draw_weights(model, seed)
    model.to(torch.bfloat16)
    model.generation_config = GenerationConfig(
        eos_token_id=[_id(tokenizer, layout.end)], pad_token_id=tokenizer.pad_token_id
    )
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    if layout.image_processor is not None:
        settings = layout.image_processor | {"processor_class": layout.processor}
        for name in ("preprocessor_config.json", "video_preprocessor_config.json"):
            (folder / name).write_bytes(orjson.dumps(settings, option=orjson.OPT_INDENT_2))


def make_tokenizer(
    layout: Family, vocab: int = SIZES.vocab, corpus: Iterable[str] = ()
) -> PreTrainedTokenizerFast:
    """A byte-level BPE with the family's special tokens and a short chat template. Digits are
    tokens of their own, as in the real families: coordinates are written with them."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        [*_CORPUS, *corpus],
        trainers.BpeTrainer(
            vocab_size=vocab - len(layout.special_tokens),
            initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
            show_progress=False,
        ),
    )
    # Special tokens follow the vocabulary, as in the real families.
    tokenizer.add_special_tokens(list(layout.special_tokens))
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=layout.end,
        pad_token=layout.special_tokens[0],
        additional_special_tokens=list(layout.special_tokens),
        clean_up_tokenization_spaces=False,
        model_max_length=MAX_POSITIONS,
    )
    wrapped.chat_template = layout.template
    return wrapped


def _id(tokenizer: PreTrainedTokenizerFast, token: str) -> int:
    token_id = tokenizer.convert_tokens_to_ids(token)
    assert isinstance(token_id, int)
    return token_id


def _decoder(tokenizer: PreTrainedTokenizerFast, sizes: TinySizes) -> dict[str, Any]:
    return {
        "vocab_size": -(-len(tokenizer) // 64) * 64,
        "hidden_size": sizes.hidden,
        "intermediate_size": sizes.inner,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "num_key_value_heads": sizes.kv_heads,
        "head_dim": HEAD_DIM,
        "max_position_embeddings": MAX_POSITIONS,
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "bos_token_id": None,
    }


def _rope(**more: Any) -> dict[str, Any]:
    return {"rope_type": "default", "rope_theta": 10_000.0, **more}


def _qwen3(tied: bool) -> MakeConfig:
    def make_config(tokenizer: PreTrainedTokenizerFast, sizes: TinySizes) -> Any:
        return AutoConfig.for_model(
            "qwen3",
            **_decoder(tokenizer, sizes),
            rope_parameters=_rope(),
            tie_word_embeddings=tied,
        )

    return make_config


def _qwen_vision_tokens(tokenizer: PreTrainedTokenizerFast) -> dict[str, int]:
    return {
        "vision_start_token_id": _id(tokenizer, "<|vision_start|>"),
        "vision_end_token_id": _id(tokenizer, "<|vision_end|>"),
        "image_token_id": _id(tokenizer, "<|image_pad|>"),
        "video_token_id": _id(tokenizer, "<|video_pad|>"),
    }


def _qwen2_5_vl(tokenizer: PreTrainedTokenizerFast, sizes: TinySizes) -> Any:
    return AutoConfig.for_model(
        "qwen2_5_vl",
        text_config=_decoder(tokenizer, sizes)
        | {"rope_parameters": _rope(mrope_section=[4, 6, 6])},
        vision_config=sizes.vision
        | {
            "patch_size": 14,
            "window_size": 56,
            "fullatt_block_indexes": [1],
        },
        tie_word_embeddings=False,
        **_qwen_vision_tokens(tokenizer),
    )


def _qwen3_vl(tokenizer: PreTrainedTokenizerFast, sizes: TinySizes) -> Any:
    return AutoConfig.for_model(
        "qwen3_vl",
        text_config=_decoder(tokenizer, sizes)
        | {"rope_parameters": _rope(mrope_section=[6, 5, 5], mrope_interleaved=True)},
        vision_config=sizes.vision
        | {
            "patch_size": 16,
            "num_position_embeddings": 256,
            "deepstack_visual_indexes": [0],
        },
        tie_word_embeddings=False,
        **_qwen_vision_tokens(tokenizer),
    )


def _glm4_1v(tokenizer: PreTrainedTokenizerFast, sizes: TinySizes) -> Any:
    return AutoConfig.for_model(
        "glm4v",
        # Half of each head is turned, as in GLM-4.1V: sections add up to a quarter of it.
        text_config=_decoder(tokenizer, sizes)
        | {"rope_parameters": _rope(partial_rotary_factor=0.5, mrope_section=[2, 3, 3])},
        vision_config=sizes.vision | {"patch_size": 14, "image_size": 336},
        tie_word_embeddings=False,
        image_start_token_id=_id(tokenizer, "<|begin_of_image|>"),
        image_end_token_id=_id(tokenizer, "<|end_of_image|>"),
        image_token_id=_id(tokenizer, "<|image|>"),
        video_start_token_id=_id(tokenizer, "<|begin_of_video|>"),
        video_end_token_id=_id(tokenizer, "<|end_of_video|>"),
        video_token_id=_id(tokenizer, "<|video|>"),
    )


def _image_processor(kind: str, patch: int) -> dict[str, Any]:
    """Pictures of 4 to 64 tokens: a token is 2 x 2 patches."""
    side = 2 * patch
    return {
        "image_processor_type": kind,
        "patch_size": patch,
        "temporal_patch_size": 2,
        "merge_size": 2,
        "size": {"shortest_edge": 4 * side**2, "longest_edge": 64 * side**2},
    }


_QWEN: dict[str, Any] = {
    "special_tokens": QWEN_TOKENS,
    "template": QWEN_TEMPLATE,
    "end": "<|im_end|>",
}
FAMILIES: dict[str, Family] = {
    "qwen3": Family(**_QWEN, make_config=_qwen3(tied=False)),
    "qwen3-tied": Family(**_QWEN, make_config=_qwen3(tied=True)),
    "qwen2.5-vl": Family(
        **_QWEN,
        make_config=_qwen2_5_vl,
        image_processor=_image_processor("Qwen2VLImageProcessor", 14),
        processor="Qwen2_5_VLProcessor",
    ),
    "qwen3-vl": Family(
        **_QWEN,
        make_config=_qwen3_vl,
        image_processor=_image_processor("Qwen2VLImageProcessor", 16),
        processor="Qwen3VLProcessor",
    ),
    "glm-4.1v": Family(
        special_tokens=GLM_TOKENS,
        template=GLM_TEMPLATE,
        end="<|user|>",
        make_config=_glm4_1v,
        image_processor=_image_processor("Glm4vImageProcessor", 14),
        processor="Glm4vProcessor",
    ),
}
