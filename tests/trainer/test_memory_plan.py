"""A plan of a million weights, worked out by hand."""

from __future__ import annotations

from typing import Any

from agent_server.policy.engine_options import ON_ONE_DEVICE
from trainer.learner_config import LearnerConfig
from trainer.lora import LoraConfig
from trainer.memory_plan import (
    GIB,
    MAIN_MEMORY,
    Memory,
    MemoryPlan,
    cheaper_settings,
    describe_plan,
    plan_memory,
    why_too_little,
)
from trainer.selected_logprobs import CHUNK_LOGITS, GPU_CHUNK_LOGITS

SHAPES = {
    "model.embed_tokens.weight": (500, 1000),
    "model.layers.0.self_attn.q_proj.weight": (500, 1000),
}
TEXT = {"vocab_size": 500, "hidden_size": 100, "num_hidden_layers": 2}
LOGITS = 3 * 4 * GPU_CHUNK_LOGITS
ACTIVATIONS = 1000 * 34 * 100 * 2
"""Of one micro-batch of 1000 tokens."""


def plan(needs_reference: bool = True, **settings: Any) -> MemoryPlan:
    learner = LearnerConfig(dtype="bfloat16", micro_tokens=1000, **settings)
    return plan_memory(SHAPES, TEXT, False, learner, ON_ONE_DEVICE, needs_reference)


def test_a_reference_is_a_part_of_the_learner_and_sharded_with_it() -> None:
    # Master 4, gradient 4, moments 8 and bf16 copy 2; of the reference 4 and 2.
    assert plan(False, device="cuda").learner == 18_000_000 + ACTIVATIONS + LOGITS
    assert plan(device="cuda").learner == 24_000_000 + ACTIVATIONS + LOGITS
    assert plan(device="cuda", processes=2).learner == 12_000_000 + ACTIVATIONS + LOGITS
    assert (plan(False, device="cuda").reference, plan(device="cuda").reference) == (0, 6_000_000)
    # An adapter of rank 2 of a matrix of 500 x 1000 has 3000 entries.
    adapter = plan(device="cuda", lora=LoraConfig(rank=2))
    assert adapter.reference == 6 * 3000
    assert adapter.learner == 24 * 3000 + 2_000_000 + ACTIVATIONS + LOGITS


def test_a_reference_must_fit_beside_the_server() -> None:
    kept = plan(device="cuda")
    gpu = Memory("cuda:0", kept.learner + 40 * GIB - 1, 80 * GIB)
    half = ON_ONE_DEVICE.model_copy(update={"gpu_memory": 0.5})
    reason = why_too_little(kept, half, gpu, gpu, gpu)
    assert reason is not None
    assert reason.startswith("too little memory: learner and server need about 41.")
    assert why_too_little(plan(False, device="cuda"), half, gpu, gpu, gpu) is None


def test_what_is_offloaded_is_taken_of_main_memory() -> None:
    kept = plan(device="cuda", processes=4, offload=True)
    assert kept.learner == kept.start == ACTIVATIONS + LOGITS
    assert kept.offloaded == 24_000_000
    assert plan(device="cuda", processes=4).offloaded == 0
    assert plan(device="cpu", processes=4, offload=True).offloaded == 0
    gpu, enough = Memory("cuda:0", 2 * GIB, 2 * GIB), Memory(MAIN_MEMORY, 24_000_000, GIB)
    assert why_too_little(kept, ON_ONE_DEVICE, gpu, None, enough) is None
    less = Memory(MAIN_MEMORY, 23_999_999, GIB)
    assert why_too_little(kept, ON_ONE_DEVICE, gpu, None, less) == (
        "too little memory: learner.offload puts 0.0 GiB into main memory, 0.0 GiB of it are "
        "available"
    )
    # A server in main memory takes its own part of it.
    reason = why_too_little(kept, ON_ONE_DEVICE, gpu, enough, enough)
    assert reason is not None
    assert " of the policy server, 0.0 GiB of it are available" in reason
    line = describe_plan(kept, ON_ONE_DEVICE, gpu, None, enough)
    assert line.endswith("of 2.0 GiB free in cuda:0 and 0.0 of 0.0 GiB free in main memory")


def test_offload_is_proposed_for_gpus_before_what_changes_the_update() -> None:
    sharded = LearnerConfig(device="cuda", processes=2, checkpoint_activations=True)
    flags, settings = next(cheaper_settings(sharded))
    assert (flags, settings.offload) == ("--set learner.offload=true", True)
    for other in ({"processes": 1}, {"device": "cpu"}, {"offload": True}):
        proposals = cheaper_settings(sharded.model_copy(update=other))
        assert not any("offload" in flags for flags, _ in proposals)


def test_processes_on_a_cpu_compute_a_micro_batch_each() -> None:
    logits = 3 * 4 * CHUNK_LOGITS
    sharded = plan(device="cpu", processes=3, threads=8)
    assert sharded.learner == 24_000_000 + 3 * (ACTIVATIONS + logits)
    assert plan(device="cpu", threads=8).learner == 24_000_000 + 8 * (ACTIVATIONS + logits)
