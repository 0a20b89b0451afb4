"""Without a GPU there is one sentence; with one, each part leaves its figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from benchmarks.gpu import PARTS, describe, run, write_figures
from benchmarks.gpu_learner import LearnerPart
from benchmarks.gpu_models import SHAPES

FIGURES = {"gpu.1.7B.mfu": {"p50": 41.5, "p95": 42.0, "n": 6, "unit": "%"}}


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_without_a_gpu_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="needs a CUDA device"):
        run(tmp_path / "gpu.json")
    assert not (tmp_path / "gpu.json").exists()


def test_parts_name_shapes_that_there_are() -> None:
    settings = [LearnerPart(**part) for part in PARTS.values() if part]
    assert {part.size for part in settings} <= SHAPES.keys()
    configs = [part.config("cuda", part.micro_tokens) for part in settings]
    assert {config.moments for config in configs} == {"float32", "bfloat16"}


def test_the_file_names_commit_and_versions(tmp_path: Path) -> None:
    write_figures(tmp_path / "to" / "gpu.json", FIGURES, "abc")  # type: ignore[arg-type]
    written = json.loads((tmp_path / "to" / "gpu.json").read_text())
    assert written["commit"] == "abc"
    assert f"torch {torch.__version__}" in written["device"]
    assert written["figures"] == FIGURES
    assert describe(written["figures"])[0].endswith("41.500 %   p95 42.000")
