"""Two and four processes against one: gradients, logprobs, and a checkpoint read elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import torch.multiprocessing as mp

from tests.trainer.shard_cases import RATE, make_samples, work
from trainer.learner_config import LearnerConfig
from trainer.losses import Objective, StreamCounts
from trainer.tiny_models import make_tiny_model
from trainer.transformers_backend import TransformersBackend

pytestmark = pytest.mark.e2e


def run(folders: list[Path], out: Path) -> dict[int, Any]:
    """What two processes compute, and four, as the first of them tells."""
    out.mkdir()
    mp.spawn(work, (folders, out), nprocs=4)
    return {world: torch.load(out / f"{world}.pt", weights_only=True) for world in (2, 4)}


def compute_alone(folder: Path) -> dict[str, Any]:
    """The same by the backend of one process."""
    config = LearnerConfig(dtype="float32", micro_tokens=64, threads=1)
    backend = TransformersBackend(folder, config)
    samples = make_samples()
    backend.snapshot_reference()
    objective = Objective(config.loss, StreamCounts.of(samples))
    sums = backend.compute_gradient(samples, [None] * len(samples), objective).sums
    gradient = backend.weights.views(backend.optimizer.gradient_P)
    results = {
        "gradient": {name: value.clone() for name, value in gradient.items()},
        "loss": sum(part["rl"] + part["ce"] + part["prompt_ce"] for part in sums),
        "norm": backend.gradient_norm(),
    }
    backend.apply_gradient(1.0, RATE)
    results["after"] = torch.cat(backend.logprobs(samples))
    backend.close()
    return results


@pytest.mark.timeout(400)
def test_several_processes_compute_what_one_computes_and_go_on_in_another_number(
    tmp_path: Path,
) -> None:
    folders = [tmp_path / "qwen3", tmp_path / "qwen3-tied"]
    for folder in folders:
        make_tiny_model(folder.name, folder)
    alone = {folder.name: compute_alone(folder) for folder in folders}
    # Two write a checkpoint after a step; four read it and must be where the two were.
    shared = run(folders, tmp_path / "out")
    for name, expected in alone.items():
        largest = max(float(value.abs().max()) for value in expected["gradient"].values())
        for world in (2, 4):
            results = shared[world][name]
            assert results["loss"] == pytest.approx(expected["loss"], rel=1e-5)
            assert results["norm"] == pytest.approx(expected["norm"], rel=1e-4)
            for parameter, value in expected["gradient"].items():
                gap = float((results["gradient"][parameter] - value).abs().max())
                assert gap <= 1e-5 * largest, f"{name} {parameter} with {world}: {gap / largest}"
            assert torch.allclose(results["after"], expected["after"], atol=1e-4)
        assert torch.equal(shared[4][name]["resumed"], shared[4][name]["read"])
        assert torch.allclose(shared[4][name]["read"], shared[2][name]["after"], atol=1e-5)
        assert torch.allclose(shared[4][name]["next"], shared[2][name]["next"], atol=1e-4)
