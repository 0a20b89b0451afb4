"""The memory that a learner and its policy server take, as an estimate, and whether it is there.

Only sizes are read: the names and shapes of the weights, the model's config and the settings of the
run. Learner and server share main memory, or a GPU, or have one each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import torch

from agent_server.policy.compute_dtype import GPU_CONTROL
from agent_server.policy.engine_options import EngineOptions
from trainer.learner_config import LearnerConfig
from trainer.learner_processes import processes_here
from trainer.selected_logprobs import CHUNK_LOGITS, GPU_CHUNK_LOGITS

GIB = 1 << 30
TRAINED_BYTES = 8
"""An entry that is trained: fp32 master and gradient."""
MOMENT_BYTES = {"float32": 8, "bfloat16": 4}
"""An entry more: AdamW's two moments."""
FLOAT_BYTES, BF16_BYTES = 4, 2
ACTIVATION_BYTES = 34
"""A token, layer and unit of width, without attention scores (Korthikanti et al. 2022,
arXiv:2205.05198, section 4.1)."""
LOGIT_COPIES = 3
"""Chunks of logits held at once in fp32: logits, their logarithms, their gradient."""
SERVER_REST = 2 * GIB
"""vLLM's process and compiled kernels."""
SUGGESTED_RANK = 16
SERVES_ON_GPU = GPU_CONTROL.exists()
MAIN_MEMORY = "main memory"
_CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")
Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Memory:
    """Of one device: what a process may still use of it, and all of it. `name` is "main memory" or
    a CUDA device's."""

    name: str
    free: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPlan:
    """Estimates in bytes."""

    learner: int
    """of a learner at work, on its device, a reference included"""
    start: int
    """of the learner while it publishes version 0, before a server is started"""
    reference: int
    """of the weights that a phase began with (`ref_kl`); 0 where none are kept"""
    offloaded: int
    """in main memory beside that of a GPU, of all processes on this machine (`learner.offload`)"""
    server: int


def plan_memory(
    shapes: Shapes,
    text_config: Mapping[str, Any],
    is_tied: bool,
    learner: LearnerConfig,
    engine: EngineOptions,
    needs_reference: bool,
) -> MemoryPlan:
    """What a model of these weights takes. `text_config`: of its language model."""
    parameters = sum(math.prod(shape) for shape in shapes.values())
    computed = BF16_BYTES if learner.compute_dtype == torch.bfloat16 else FLOAT_BYTES
    trained, frozen, start = parameters, 0, 0
    if learner.lora.rank:
        targets = list(_target_shapes(shapes, learner.lora.targets))
        trained = learner.lora.rank * sum(map(sum, targets))
        frozen = parameters * computed
        # It is checked in fp32 before it is rounded; version 0 is published with adapters merged.
        merged = BF16_BYTES * sum(map(math.prod, targets))
        start = TRAINED_BYTES * trained + max(frozen + merged, FLOAT_BYTES * parameters)
    copy = BF16_BYTES if computed == BF16_BYTES else 0
    state = trained * (TRAINED_BYTES + MOMENT_BYTES[learner.moments] + copy)
    # A reference of an adapter is an adapter: the rest of the model is the same.
    reference = trained * (FLOAT_BYTES + copy) if needs_reference else 0
    shards = 1 if learner.is_on_cpu else learner.processes  # a GPU for each process
    reference //= shards
    kept, start = (state + frozen) // shards + reference, start // shards
    offloaded = 0
    if learner.offload and not learner.is_on_cpu:
        offloaded = processes_here(learner.processes) * max(kept, start)
        kept = start = 0
    head = int(text_config["vocab_size"]) * int(text_config["hidden_size"]) if is_tied else 0
    at_work = kept + _activations(text_config, learner) + _logits(learner)
    cache = GIB if SERVES_ON_GPU else engine.cache_gib * GIB
    server = BF16_BYTES * (parameters + head) // engine.tensor_parallel + cache + SERVER_REST
    return MemoryPlan(
        learner=at_work,
        start=max(start, at_work),
        reference=reference,
        offloaded=offloaded,
        server=server,
    )


def why_too_little(
    plan: MemoryPlan, engine: EngineOptions, learner: Memory, server: Memory | None, main: Memory
) -> str | None:
    """One sentence where the memory is not there. `server`: the memory that the policy server is
    started in; none: it runs elsewhere. `main`: where a learner on a GPU offloads to."""
    if server is not None and server.name != MAIN_MEMORY:
        share = int(engine.gpu_memory * server.total)
        if plan.server > share:
            return (
                f"too little memory: the policy server needs {plan.server / GIB:.1f} GiB, and "
                f"serve.engine.gpu_memory={engine.gpu_memory:g} gives it {share / GIB:.1f} GiB of "
                f"{server.name}"
            )
    beside = plan.server if server is not None and server.name == MAIN_MEMORY else 0
    if plan.offloaded and plan.offloaded + beside > main.free:
        return (
            f"too little memory: learner.offload puts {plan.offloaded / GIB:.1f} GiB into main "
            f"memory{f' beside {beside / GIB:.1f} of the policy server' * bool(beside)}, "
            f"{main.free / GIB:.1f} GiB of it are available"
        )
    together = server is not None and server.name == learner.name
    needed = max(plan.start, plan.learner + _server_bytes(plan, engine, server) * together)
    if needed <= learner.free:
        return None
    who = "learner and server need" if together else "the learner needs"
    return (
        f"too little memory: {who} about {needed / GIB:.1f} GiB{' together' * together}, "
        f"{learner.free / GIB:.1f} GiB of {learner.name} are available"
    )


def cheaper_settings(learner: LearnerConfig) -> Iterator[tuple[str, LearnerConfig]]:
    """Settings that take less memory, those that change least first, and how they are written."""
    changes: dict[str, Any] = {}
    flags: list[str] = []
    if not learner.checkpoint_activations:
        changes["checkpoint_activations"] = True
        flags.append("--set learner.checkpoint_activations=true")
        yield " ".join(flags), learner.model_copy(update=changes)
    if learner.backend == "decoder":
        return
    if learner.processes > 1 and not learner.is_on_cpu and not learner.offload:
        slow = [*flags, "--set learner.offload=true"]
        yield " ".join(slow), learner.model_copy(update=changes | {"offload": True})
    if learner.moments == "float32" and not learner.lora.rank:
        narrow = [*flags, "--set learner.moments=bfloat16"]
        yield " ".join(narrow), learner.model_copy(update=changes | {"moments": "bfloat16"})
    if not learner.lora.rank:
        lora = learner.lora.model_copy(update={"rank": SUGGESTED_RANK})
        flags.append(f"--set learner.lora.rank={SUGGESTED_RANK}")
        yield " ".join(flags), learner.model_copy(update=changes | {"lora": lora})


def describe_plan(
    plan: MemoryPlan, engine: EngineOptions, learner: Memory, server: Memory | None, main: Memory
) -> str:
    """One line: what is estimated beside what is free."""
    line = f"memory: the learner takes about {plan.learner / GIB:.1f} GiB"
    if plan.start > plan.learner:
        line += f" ({plan.start / GIB:.1f} when it starts)"
    line += f" of {learner.free / GIB:.1f} GiB free in {learner.name}"
    if plan.offloaded:
        line += f" and {plan.offloaded / GIB:.1f} of {main.free / GIB:.1f} GiB free in {main.name}"
    if server is None:
        return line
    line += f"; the policy server {_server_bytes(plan, engine, server) / GIB:.1f} GiB of "
    if server.name == learner.name:
        return f"{line}the same"
    return f"{line}{server.free / GIB:.1f} GiB free in {server.name}"


def learner_memory(learner: LearnerConfig) -> Memory:
    """Of the device that the learner computes on."""
    if learner.is_on_cpu:
        return main_memory()
    device = torch.device(learner.device)
    return _gpu_memory(device.index or 0)


def server_memory() -> Memory:
    """Of the device that a policy server of this machine takes."""
    if SERVES_ON_GPU and torch.cuda.is_available():
        return _gpu_memory(0)
    return main_memory()


def main_memory() -> Memory:
    """The machine's, or its control group's if that is less."""
    machine = psutil.virtual_memory()
    free, total = int(machine.available), int(machine.total)
    limit = _CGROUP_LIMIT.read_text().strip() if _CGROUP_LIMIT.is_file() else "max"
    if limit == "max":
        return Memory(MAIN_MEMORY, free, total)
    return Memory(MAIN_MEMORY, min(free, int(limit)), min(total, int(limit)))


def _server_bytes(plan: MemoryPlan, engine: EngineOptions, server: Memory | None) -> int:
    """vLLM takes its share of a GPU whole, whatever it needs."""
    if server is None:
        return 0
    return plan.server if server.name == MAIN_MEMORY else int(engine.gpu_memory * server.total)


def _target_shapes(shapes: Shapes, targets: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Shapes of the matrices that get an adapter: linear layers of the language model."""
    for name, shape in shapes.items():
        path = name.split(".")
        is_target = path[-1] == "weight" and path[-2:-1] and path[-2] in targets
        if is_target and len(shape) == 2 and not {"visual", "vision_tower"} & set(path):
            yield shape


def _activations(text: Mapping[str, Any], learner: LearnerConfig) -> int:
    """Bytes of the micro-batches that are computed at once."""
    width, layers = int(text["hidden_size"]), int(text["num_hidden_layers"])
    kept = 2 * width * layers + ACTIVATION_BYTES * width  # inputs of the layers, and one layer
    if not learner.checkpoint_activations:
        kept = ACTIVATION_BYTES * width * layers
    return learner.lanes * learner.micro_tokens * kept


def _logits(learner: LearnerConfig) -> int:
    chunk = CHUNK_LOGITS if learner.is_on_cpu else GPU_CHUNK_LOGITS
    return learner.lanes * LOGIT_COPIES * FLOAT_BYTES * chunk


def _gpu_memory(index: int) -> Memory:
    free, total = torch.cuda.mem_get_info(index)
    return Memory(f"cuda:{index}", free, total)
