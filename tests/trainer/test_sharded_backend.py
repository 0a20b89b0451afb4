"""Two and four processes against one: gradients, logprobs, and a checkpoint read elsewhere."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Literal

import pytest
import torch
import torch.multiprocessing as mp

from tests.trainer.shard_cases import B_ENTRY, RATE, Case, Peer, make_samples, work
from trainer.learner_processes import join, leave
from trainer.losses import Objective, StreamCounts
from trainer.tiny_models import make_tiny_model
from trainer.transformers_backend import TransformersBackend

pytestmark = pytest.mark.e2e

LONGEST_S = 540.0
"""For all cases, on a machine with other work."""


def run(cases: list[Case], out: Path) -> dict[int, Any]:
    """What two processes compute, and four, as the first of them tells. Processes that wait for
    each other are ended."""
    out.mkdir()
    deadline = time.monotonic() + LONGEST_S
    group = mp.spawn(work, (cases, out), nprocs=4, join=False)
    try:
        while not group.join(timeout=1.0):
            assert time.monotonic() < deadline, "the processes wait for each other"
    finally:
        for process in group.processes:
            process.kill()
    return {world: torch.load(out / f"{world}.pt", weights_only=True) for world in (2, 4)}


def compute_alone(case: Case) -> dict[str, Any]:
    """The same by the backend of one process."""
    backend = TransformersBackend(case.folder, case.config)
    samples = case.samples
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


@pytest.mark.timeout(600)
def test_several_processes_compute_what_one_computes_and_go_on_in_another_number(
    tmp_path: Path,
) -> None:
    cases = [
        Case(folder=tmp_path / "qwen3"),
        Case(folder=tmp_path / "qwen3-tied", moments="bfloat16"),
        # Of their samples some have no picture: one process reads some, the other none.
        Case(folder=tmp_path / "qwen3-vl"),
        Case(folder=tmp_path / "glm-4.1v"),
        Case(folder=tmp_path / "qwen3-vl", rank=4),
    ]
    for folder in {case.folder for case in cases}:
        make_tiny_model(folder.name, folder)
    alone = {case.name: compute_alone(case) for case in cases}
    # Two write a checkpoint after a step; four read it and must be where the two were.
    shared = run(cases, tmp_path / "out")
    for name, expected in alone.items():
        for world in (2, 4):
            results = shared[world][name]
            assert results["loss"] == pytest.approx(expected["loss"], rel=1e-5)
            assert results["norm"] == pytest.approx(expected["norm"], rel=1e-4)
            assert results["gradient"].keys() == expected["gradient"].keys()
            for parameter, value in expected["gradient"].items():
                gap, largest = (
                    float(each.abs().max())
                    for each in (results["gradient"][parameter] - value, value)
                )
                assert gap <= 1e-5 * largest, f"{name} {parameter} with {world}: {gap / largest}"
            assert torch.allclose(results["base"], expected["base"], atol=1e-4)
            assert results["adapter"].keys() == expected["adapter"].keys()
            for matrix, value in expected["adapter"].items():
                assert torch.equal(results["adapter"][matrix], value), matrix
            assert torch.allclose(results["after"], expected["after"], atol=1e-4)
        assert torch.equal(shared[4][name]["resumed"], shared[4][name]["read"])
        assert torch.allclose(shared[4][name]["read"], shared[2][name]["after"], atol=1e-5)
        assert torch.allclose(shared[4][name]["next"], shared[2][name]["next"], atol=1e-4)
    files = (tmp_path / "out" / cases[-1].name).iterdir()
    assert sum(file.stat().st_size for file in files) < 1_000_000, "of adapters the adapter alone"


@pytest.mark.parametrize("moments", ["float32", "bfloat16"])
def test_a_step_without_pictures_leaves_moments_of_the_vision_tower_that_can_be_read(
    moments: Literal["float32", "bfloat16"], tmp_path: Path
) -> None:
    case = Case(folder=tmp_path / "qwen3-vl", moments=moments)
    make_tiny_model(case.folder.name, case.folder)
    samples = make_samples()
    objective = Objective(case.config.loss, StreamCounts.of(samples))
    join(0, 1, tmp_path / "meeting", torch.device("cpu"))
    try:
        backend = Peer(case.folder, case.config)
        backend.compute_gradient(samples, [None] * len(samples), objective)
        backend.apply_gradient(1.0, RATE)
        backend.write_shards(tmp_path / "shards")
        other = Peer(case.folder, case.config)
        other.read_shards(tmp_path / "shards", has_reference=False)
        assert torch.equal(torch.cat(other.logprobs(samples)), torch.cat(backend.logprobs(samples)))
    finally:
        leave()
