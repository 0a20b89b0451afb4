"""Folders with the configuration and the headers of published models: sizes without weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText

BF16_BYTES = 2


def _decoder(
    width: int, layers: int, heads: int, kv_heads: int, inner: int, vocab: int = 151_936
) -> dict[str, Any]:
    return {
        "vocab_size": vocab,
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "intermediate_size": inner,
        "head_dim": 128,
    }


def _qwen3_tower(width: int, layers: int, inner: int, out: int) -> dict[str, Any]:
    return {
        "hidden_size": width,
        "depth": layers,
        "intermediate_size": inner,
        "num_heads": 16,
        "out_hidden_size": out,
        "patch_size": 16,
        "num_position_embeddings": 2304,
        "deepstack_visual_indexes": [layers // 4, layers // 2, 3 * layers // 4],
    }


def _qwen2_5_tower(out: int) -> dict[str, Any]:
    return {
        "hidden_size": 1280,
        "depth": 32,
        "intermediate_size": 3420,
        "num_heads": 16,
        "out_hidden_size": out,
    }


_0_6B = _decoder(1024, 28, 16, 8, 3072)
_1_7B = _decoder(2048, 28, 16, 8, 6144)
_4B = _decoder(2560, 36, 32, 8, 9728)
_8B = _decoder(4096, 36, 32, 8, 12_288)
_GLM_TOWER = {
    "hidden_size": 1536,
    "depth": 24,
    "intermediate_size": 13_696,
    "num_heads": 12,
    "out_hidden_size": 4096,
}
PUBLISHED: dict[str, tuple[str, dict[str, Any], dict[str, Any] | None, bool]] = {
    "Qwen3-0.6B": ("qwen3", _0_6B, None, True),
    "Qwen3-1.7B": ("qwen3", _1_7B, None, True),
    "Qwen3-4B": ("qwen3", _4B, None, True),
    "Qwen3-8B": ("qwen3", _8B, None, False),
    "Qwen3-VL-2B": ("qwen3_vl", _1_7B, _qwen3_tower(1024, 24, 4096, 2048), True),
    "Qwen3-VL-4B": ("qwen3_vl", _4B, _qwen3_tower(1024, 24, 4096, 2560), True),
    "Qwen3-VL-8B": ("qwen3_vl", _8B, _qwen3_tower(1152, 27, 4304, 4096), False),
    "Qwen2.5-VL-3B": ("qwen2_5_vl", _decoder(2048, 36, 16, 2, 11_008), _qwen2_5_tower(2048), True),
    "Qwen2.5-VL-7B": (
        "qwen2_5_vl",
        _decoder(3584, 28, 28, 4, 18_944, 152_064),
        _qwen2_5_tower(3584),
        False,
    ),
    "GLM-4.1V-9B": ("glm4v", _decoder(4096, 40, 32, 2, 13_696, 151_552), _GLM_TOWER, False),
}
"""Model type, decoder, vision tower, and whether the head is tied."""


def write_headers(name: str, folder: Path) -> Path:
    """config.json and a file of weights that is a header and a hole."""
    model_type, decoder, tower, is_tied = PUBLISHED[name]
    if tower is None:
        config = AutoConfig.for_model(model_type, **decoder, tie_word_embeddings=is_tied)
    else:
        config = AutoConfig.for_model(
            model_type, text_config=decoder, vision_config=tower, tie_word_embeddings=is_tied
        )
    auto: Any = AutoModelForCausalLM if tower is None else AutoModelForImageTextToText
    with torch.device("meta"):
        model = auto.from_config(config)
    folder.mkdir(parents=True)
    config.architectures = [type(model).__name__]
    config.save_pretrained(folder)
    header, at = {}, 0
    for key, parameter in model.named_parameters():
        end = at + BF16_BYTES * parameter.numel()
        header[key] = {"dtype": "BF16", "shape": list(parameter.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    with (folder / "model.safetensors").open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + at)
    return folder
