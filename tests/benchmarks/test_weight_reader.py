"""Parameters are filled from the file by name."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from benchmarks import weight_reader
from benchmarks.weight_reader import read_into
from trainer.weight_file import write_tensors


def test_what_was_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_reader, "PIECE", 64)
    tensors = {"a": torch.randn(9, 7).bfloat16(), "b": torch.randn(100).bfloat16()}
    write_tensors(tensors, tmp_path / "weights")
    parameters = {name: torch.zeros_like(tensor) for name, tensor in tensors.items()}
    read_into(parameters, tmp_path / "weights")
    assert all(torch.equal(parameters[name], tensor) for name, tensor in tensors.items())


def test_a_short_file_is_refused(tmp_path: Path) -> None:
    tensors = {"a": torch.ones(100)}
    write_tensors(tensors, tmp_path / "weights")
    content = (tmp_path / "weights").read_bytes()
    (tmp_path / "weights").write_bytes(content[:-8])
    with pytest.raises(EOFError, match="ends at"):
        read_into({"a": torch.zeros(100)}, tmp_path / "weights")
