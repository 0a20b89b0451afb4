"""Tiny models load by transformers' own classes, with the layout of their family."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, AutoTokenizer

from trainer.tiny_models import FAMILIES, make_tiny_model

SEES = ("qwen2.5-vl", "qwen3-vl", "glm-4.1v")
CLASSES = {
    "qwen3": "Qwen3ForCausalLM",
    "qwen3-tied": "Qwen3ForCausalLM",
    "qwen2.5-vl": "Qwen2_5_VLForConditionalGeneration",
    "qwen3-vl": "Qwen3VLForConditionalGeneration",
    "glm-4.1v": "Glm4vForConditionalGeneration",
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_tiny_model_is_one_of_its_family(family: str, tmp_path: Path) -> None:
    make_tiny_model(family, tmp_path)
    config = json.loads((tmp_path / "config.json").read_bytes())
    assert config["architectures"] == [CLASSES[family]]
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    message = {"role": "user", "content": "click Cart"}
    prompt = tokenizer.apply_chat_template([message], add_generation_prompt=True, tokenize=False)
    ids = tokenizer.encode(prompt, add_special_tokens=False)
    assert tokenizer.decode(ids) == prompt
    assert all(
        len(tokenizer.encode(t, add_special_tokens=False)) == 1
        for t in FAMILIES[family].special_tokens
    )
    auto = AutoModelForImageTextToText if family in SEES else AutoModelForCausalLM
    model, facts = auto.from_pretrained(tmp_path, dtype=torch.float32, output_loading_info=True)
    assert not facts["missing_keys"]
    assert not facts["unexpected_keys"]
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([ids])).logits
    assert bool(logits.isfinite().all())
    with safe_open(tmp_path / "model.safetensors", "pt") as file:
        names = set(file.keys())
    assert ("lm_head.weight" in names) == (family != "qwen3-tied")
    assert any(name.startswith(("visual.", "model.visual.")) for name in names) == (family in SEES)
    with pytest.raises(FileExistsError, match="has a model already"):
        make_tiny_model(family, tmp_path)


def test_an_unknown_family_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no family 'bert'; there are: qwen3, qwen3-tied"):
        make_tiny_model("bert", tmp_path)
