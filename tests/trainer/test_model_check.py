"""A folder is checked without loading it, and each obstacle is one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from trainer.memory_plan import GIB
from trainer.model_check import ModelUnusable, check_model, read_shapes
from trainer.tiny_models import make_tiny_model


@pytest.fixture(scope="module")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tied")
    make_tiny_model("qwen3-tied", folder)
    return folder


def make_adapter(folder: Path, base: Path | None, width: int = 128) -> Path:
    folder.mkdir()
    named = {} if base is None else {"base_model_name_or_path": str(base)}
    (folder / "adapter_config.json").write_text(json.dumps({"r": 8, **named}))
    module = "base_model.model.model.layers.0.self_attn.q_proj.lora_"
    matrices = {f"{module}A.weight": torch.zeros(8, width), f"{module}B.weight": torch.ones(128, 8)}
    save_file(matrices, folder / "adapter_model.safetensors")
    return folder


def test_a_model_is_described_from_its_headers(tied: Path) -> None:
    report = check_model(tied, available=64 * GIB)
    values = load_file(tied / "model.safetensors")
    assert report.parameters == sum(value.numel() for value in values.values())
    assert (report.family, report.architecture) == ("qwen3", "Qwen3ForCausalLM")
    assert (report.is_tied, report.sees, report.problems) == (True, False, [])
    head = values["model.embed_tokens.weight"].numel()
    assert report.memory.server == 2 * (report.parameters + head) + 3 * GIB
    assert report.memory.reference >= 4 * report.parameters
    assert report.memory.learner > 16 * report.parameters


def test_too_little_memory_is_one_sentence(tied: Path) -> None:
    (problem,) = check_model(tied, available=GIB).problems
    assert problem.startswith("too little memory: learner and server need about 3.")
    assert "1.0 GiB of main memory are available; take a smaller model" in problem


def test_a_family_that_sees_is_trained_where_its_forward_was_compared(tmp_path: Path) -> None:
    make_tiny_model("qwen2.5-vl", tmp_path)
    report = check_model(tmp_path, available=64 * GIB)
    assert (report.sees, report.problems) == (True, [])
    # A family of transformers whose packed forward was not compared.
    config = json.loads((tmp_path / "config.json").read_text()) | {"model_type": "llava"}
    config["architectures"] = ["LlavaForConditionalGeneration"]
    (tmp_path / "config.json").write_text(json.dumps(config))
    (problem,) = check_model(tmp_path, available=64 * GIB).problems
    assert "reads pictures in a way that the learner does not train" in problem


def test_a_folder_that_is_no_model_is_refused(tied: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match=r"has no config\.json"):
        check_model(tmp_path)
    config = tmp_path / "config.json"
    config.write_bytes((tied / "config.json").read_bytes())
    with pytest.raises(ModelUnusable, match="download the weights, not the configuration alone"):
        check_model(tmp_path)
    (tmp_path / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(ModelUnusable, match="truncated, or a pointer of Git LFS"):
        check_model(tmp_path)
    config.write_text(json.dumps({"model_type": "abacus", "architectures": ["Abacus"]}))
    with pytest.raises(ModelUnusable, match=r"unknown architecture Abacus \(model_type abacus\)"):
        check_model(tmp_path)
    config.write_text("{")
    with pytest.raises(ModelUnusable, match="is not JSON"):
        check_model(tmp_path)


def test_a_model_that_writes_no_text_is_refused(tied: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(
        json.dumps({"model_type": "bert", "architectures": ["BertForMaskedLM"]})
    )
    with pytest.raises(ModelUnusable, match="unknown architecture BertForMaskedLM"):
        check_model(tmp_path)


def test_an_adapter_fits_its_base(tied: Path, tmp_path: Path) -> None:
    named = make_adapter(tmp_path / "named", tied)
    assert check_model(named, available=64 * GIB).folder == tied
    assert "model.embed_tokens.weight" in read_shapes(tied)
    nameless = make_adapter(tmp_path / "nameless", None)
    assert check_model(nameless, base=tied, available=64 * GIB).problems == []
    with pytest.raises(ModelUnusable, match="name the base's folder with --base"):
        check_model(nameless)
    narrow = make_adapter(tmp_path / "narrow", tied, width=64)
    with pytest.raises(ModelUnusable, match=r"adapter of another base: .*q_proj is of another"):
        check_model(narrow)
    sees = tmp_path / "sees"
    make_tiny_model("qwen3-vl", sees)
    with pytest.raises(ModelUnusable, match=r"adapter of another base: .*q_proj is not in"):
        check_model(named, base=sees)
