"""A model's folder is data: its code does not run and its pickles are not opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, Qwen3Config, Qwen3ForCausalLM

from trainer.model_files import WEIGHTS_AS_DATA, load_config
from trainer.transformers_backend import load_language_model

CODE = """
from pathlib import Path
from transformers import PretrainedConfig
Path({mark!r}).write_text("ran")
class Theirs(PretrainedConfig):
    model_type = "theirs"
"""


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What code of the folder writes where it runs; whoever is asked says that it may."""
    monkeypatch.setattr("builtins.input", lambda prompt="": "y")
    monkeypatch.setattr(
        "transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules")
    )
    return tmp_path / "ran"


@pytest.fixture
def theirs(tmp_path: Path, mark: Path) -> Path:
    """A folder whose family only its own code knows."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    names = {"AutoConfig": "theirs.Theirs"}
    (folder / "config.json").write_text(json.dumps({"model_type": "theirs", "auto_map": names}))
    (folder / "theirs.py").write_text(CODE.format(mark=str(mark)))
    return folder


def test_code_of_a_model_does_not_run(theirs: Path, mark: Path) -> None:
    with pytest.raises(ValueError, match="trust_remote_code"):
        load_config(theirs)
    with pytest.raises(ValueError, match="trust_remote_code"):
        load_language_model(theirs)
    assert not mark.exists()


def test_it_would_run_if_it_were_asked_for(theirs: Path, mark: Path) -> None:
    """The control: whoever confirms transformers' question has it run."""
    AutoConfig.from_pretrained(theirs)
    assert mark.exists()


def test_weights_in_pickles_are_not_opened(tmp_path: Path) -> None:
    config = Qwen3Config(
        vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=1, head_dim=16,
    )  # fmt: skip
    model = Qwen3ForCausalLM(config)
    config.save_pretrained(tmp_path)
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    Qwen3ForCausalLM.from_pretrained(tmp_path)  # the control: transformers reads it
    with pytest.raises(OSError, match="safetensors"):
        Qwen3ForCausalLM.from_pretrained(tmp_path, **WEIGHTS_AS_DATA)
