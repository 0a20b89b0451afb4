"""New weights from a learner into a model in another process on the same GPU.

Two ways: *ipc* opens the learner's bf16 weights by CUDA IPC once and copies them on the device;
*files* writes safetensors and loads them. The clock runs from updated master weights to weights
that are live, and to weights whose logprobs of probes agree with the learner's. The process stands
in for an inference engine: it is a transformers model, not vLLM.
"""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
import torch.multiprocessing

from agent_server.policy.manifest import file_sha256
from benchmarks.figures import Figure, number, percentiles
from benchmarks.gpu_learner import logprobs_alone, memory
from benchmarks.gpu_models import SHAPES, make_model, make_samples
from benchmarks.weight_reader import read_into
from trainer.learner import Learner, LearnerConfig
from trainer.samples import Sample
from trainer.weight_file import write_tensors

PROBES = 3
CLOSER = 4
"""How many times closer probes must be to the learner's than to those of the weights before."""
GROWTH = (1.1, 1 / 1.1)
FILE = "model.safetensors"


def measure_swap(
    size: str,
    swaps: int,
    device: str,
    log: Callable[[str], None],
    save: Callable[[dict[str, Figure]], None] = lambda figures: None,
) -> dict[str, Figure]:
    """Figures of both ways, `swaps` each; saved after each way.

    Raises RuntimeError for probes that do not agree."""
    shape = SHAPES[size]
    probes = make_samples(shape, PROBES * 1400, 7)
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    engine = context.Process(target=serve_model, args=(size, device, probes, far), daemon=True)
    engine.start()
    learner = Learner(
        make_model(shape, device),
        LearnerConfig(backend="transformers", device=device, share_prompts=False, threads=1),
    )
    folder = Path(tempfile.mkdtemp(prefix="deskhand-swap-", dir=_memory_folder(shape.parameters)))
    figures: dict[str, Figure] = {}
    try:
        log(f"engine: {near.recv()}; learner: {memory(device)}")
        backend: Any = learner.backend
        names = {name: list(leaf.shape) for name, leaf in backend.weights.leaves.items()}
        near.send(("weights", names))
        # Its pickled form on a GPU is a handle, on a CPU shared memory.
        _send_weights(near, backend.weights.compute_P)
        log(f"shared: {near.recv()}")
        for way in ("ipc", "files"):
            figures |= _measure_way(way, learner, probes, swaps, near, folder, log)
            save(figures)
    finally:
        with suppress(OSError):
            near.send(("stop", None))
        engine.join(30)
        if engine.is_alive():
            engine.kill()
        learner.close()
        shutil.rmtree(folder, ignore_errors=True)
    return figures | {"parameters": number(shape.parameters / 1e9, "billion")}


def _measure_way(
    way: str,
    learner: Learner,
    probes: Sequence[Sample],
    swaps: int,
    near: Connection,
    folder: Path,
    log: Callable[[str], None],
) -> dict[str, Figure]:
    backend: Any = learner.backend
    times: dict[str, list[float]] = {"s": [], "verified_s": [], "write_s": []}
    gaps = []
    for index in range(swaps):
        # An update that moves logprobs by far more than rounding.
        backend.weights.master_P.mul_(GROWTH[index % 2])
        _synchronize(learner.config.device)
        began = time.perf_counter()
        backend.weights.refresh()
        if way == "files":
            (folder / FILE).unlink(missing_ok=True)
            write_tensors(learner.export_bf16_state(), folder / FILE)
            times["write_s"].append(time.perf_counter() - began)
        _synchronize(learner.config.device)
        near.send((way, str(folder / FILE)))
        near.recv()
        times["s"].append(time.perf_counter() - began)
        own = torch.cat([torch.tensor(values) for values in learner.logprobs(probes)])
        served, before = near.recv()
        gap, moved = (float((own - other).abs().mean()) for other in (served, before))
        times["verified_s"].append(time.perf_counter() - began)
        if not CLOSER * gap < moved:
            raise RuntimeError(
                f"{way}: probes are {gap:.4f} nats from the learner's, which moved by {moved:.4f}"
            )
        gaps.append(gap)
        log(f"{way}: live after {times['s'][-1]:.3f} s, verified {times['verified_s'][-1]:.3f} s")
    figures = {
        f"{way}_{name}": percentiles(values, "s") for name, values in times.items() if values
    }
    if way == "files":
        began = time.perf_counter()
        file_sha256(folder / FILE)
        figures["files_sha256_s"] = number(time.perf_counter() - began, "s")
    return figures | {f"{way}_probe_gap": percentiles(gaps, "nats")}


def serve_model(size: str, device: str, probes: Sequence[Sample], pipe: Connection) -> None:
    """The other process: a model that takes weights and answers with logprobs of the probes."""
    model = make_model(SHAPES[size], device, seed=1)
    parameters = {name: parameter.data for name, parameter in model.named_parameters()}
    latest = _probe(model, probes)
    pipe.send(memory(device))
    shared: dict[str, torch.Tensor] = {}
    while True:
        way, content = pipe.recv()
        if way == "stop":
            # The handle must be closed before the process that owns the memory ends.
            shared.clear()
            return
        if way == "weights":
            flat = _receive_weights(pipe)
            parts = flat.split([torch.Size(size).numel() for size in content.values()])
            shared = {
                name: part.view(shape)
                for (name, shape), part in zip(content.items(), parts, strict=True)
            }
            pipe.send(f"{len(shared)} tensors")
            continue
        if way == "files":
            read_into(parameters, Path(content))
        else:
            for name, parameter in parameters.items():
                parameter.copy_(shared[name])
        _synchronize(device)
        pipe.send("live")
        before, latest = latest, _probe(model, probes)
        pipe.send((latest, before))


def _probe(model: Any, probes: Sequence[Sample]) -> torch.Tensor:
    return torch.cat([logprobs_alone(model, sample).cpu() for sample in probes])


def _send_weights(pipe: Connection, weights_P: torch.Tensor) -> None:
    torch.multiprocessing.reductions.init_reductions()
    pipe.send(weights_P.detach())


def _receive_weights(pipe: Connection) -> torch.Tensor:
    tensor: torch.Tensor = pipe.recv()
    return tensor


def _memory_folder(parameters: int) -> str | None:
    """Where files stay in memory if there is room for them, else the folder for temporary files."""
    shm = Path("/dev/shm")
    has_room = shm.is_dir() and shutil.disk_usage(shm).free > 3 * parameters
    return str(shm) if has_room else None


def _synchronize(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize()
