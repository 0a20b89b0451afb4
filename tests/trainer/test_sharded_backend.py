"""Two and four processes against one: gradients, logprobs, and a checkpoint read elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import torch.multiprocessing as mp

from tests.trainer.shard_cases import B_ENTRY, RATE, Case, make_samples, work
from trainer.losses import Objective, StreamCounts
from trainer.tiny_models import make_tiny_model
from trainer.transformers_backend import TransformersBackend

pytestmark = pytest.mark.e2e


def run(cases: list[Case], out: Path) -> dict[int, Any]:
    """What two processes compute, and four, as the first of them tells."""
    out.mkdir()
    mp.spawn(work, (cases, out), nprocs=4)
    return {world: torch.load(out / f"{world}.pt", weights_only=True) for world in (2, 4)}


def compute_alone(case: Case) -> dict[str, Any]:
    """The same by the backend of one process."""
    backend = TransformersBackend(case.folder, case.config)
    samples = make_samples()
    for name, value in backend.weights.views(backend.weights.master_P).items():
        if name.endswith("lora_B"):
            value.fill_(B_ENTRY)
    backend.snapshot_reference()
    objective = Objective(case.config.loss, StreamCounts.of(samples))
    sums = backend.compute_gradient(samples, [None] * len(samples), objective).sums
    gradient = backend.weights.views(backend.optimizer.gradient_P)
    adapter = backend.export_adapter()
    results = {
        "gradient": {name: value.clone() for name, value in gradient.items()},
        "loss": sum(part["rl"] + part["ce"] + part["prompt_ce"] for part in sums),
        "norm": backend.gradient_norm(),
        "base": torch.cat(backend.base_logprobs(samples)),
        "adapter": adapter.tensors if adapter is not None else {},
    }
    backend.apply_gradient(1.0, RATE)
    results["after"] = torch.cat(backend.logprobs(samples))
    backend.close()
    return results


@pytest.mark.timeout(400)
def test_several_processes_compute_what_one_computes_and_go_on_in_another_number(
    tmp_path: Path,
) -> None:
    cases = [
        Case(folder=tmp_path / "qwen3"),
        Case(folder=tmp_path / "qwen3-tied"),
        Case(folder=tmp_path / "qwen3", rank=4),
    ]
    for family in ("qwen3", "qwen3-tied"):
        make_tiny_model(family, tmp_path / family)
    alone = {case.name: compute_alone(case) for case in cases}
    # Two write a checkpoint after a step; four read it and must be where the two were.
    shared = run(cases, tmp_path / "out")
    for name, expected in alone.items():
        largest = max(float(value.abs().max()) for value in expected["gradient"].values())
        for world in (2, 4):
            results = shared[world][name]
            assert results["loss"] == pytest.approx(expected["loss"], rel=1e-5)
            assert results["norm"] == pytest.approx(expected["norm"], rel=1e-4)
            assert results["gradient"].keys() == expected["gradient"].keys()
            for parameter, value in expected["gradient"].items():
                gap = float((results["gradient"][parameter] - value).abs().max())
                assert gap <= 1e-5 * largest, f"{name} {parameter} with {world}: {gap / largest}"
            assert torch.allclose(results["base"], expected["base"], atol=1e-4)
            assert results["adapter"].keys() == expected["adapter"].keys()
            for matrix, value in expected["adapter"].items():
                assert torch.equal(results["adapter"][matrix], value), matrix
            assert torch.allclose(results["after"], expected["after"], atol=1e-4)
        assert torch.equal(shared[4][name]["resumed"], shared[4][name]["read"])
        assert torch.allclose(shared[4][name]["read"], shared[2][name]["after"], atol=1e-5)
        assert torch.allclose(shared[4][name]["next"], shared[2][name]["next"], atol=1e-4)
    files = (tmp_path / "out" / cases[2].name).iterdir()
    assert sum(file.stat().st_size for file in files) < 1_000_000, "of adapters the adapter alone"
