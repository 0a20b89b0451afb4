"""What threads write is what safetensors reads."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from trainer import weight_file
from trainer.weight_file import write_tensors


def test_safetensors_reads_every_tensor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_file, "PIECE", 100)
    tensors = {
        "matrix": torch.randn(37, 11).bfloat16(),
        "norm": torch.randn(5),
        "scalar": torch.tensor(2.0),
        "large": torch.randn(1000).half(),
    }
    write_tensors(tensors, tmp_path / "model.safetensors")
    loaded = load_file(tmp_path / "model.safetensors")
    assert loaded.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert torch.equal(loaded[name], tensor), name
    with safe_open(tmp_path / "model.safetensors", "pt") as file:
        assert file.metadata() == {"format": "pt"}


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"kept")
    with pytest.raises(FileExistsError):
        write_tensors({"a": torch.ones(2)}, tmp_path / "weights")
    assert (tmp_path / "weights").read_bytes() == b"kept"


def test_a_fault_in_a_thread_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(handle: int, content: memoryview, offset: int) -> int:
        raise OSError(28, "no space left")

    monkeypatch.setattr(weight_file.os, "pwrite", fail)
    with pytest.raises(OSError, match="no space left"):
        write_tensors({"a": torch.ones(2)}, tmp_path / "weights")
