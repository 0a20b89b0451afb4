"""The learner on a GPU: tokens a second, share of the chip's matrix rate, memory, parity in bf16.

`mfu` is what a step must compute (`benchmarks.gpu_models.needed_operations`) over its time and the
vendor's rate; `mfu_of_measured` over the rate of a large matrix product in the same process.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from benchmarks.figures import Figure, number, percentiles
from benchmarks.gpu_models import (
    DATASHEET_TFLOPS,
    SHAPES,
    Shape,
    customary_operations,
    make_model,
    make_samples,
    needed_operations,
)
from trainer.learner import Learner, LearnerConfig
from trainer.loss_config import LossConfig
from trainer.losses import Objective, StreamCounts
from trainer.samples import Sample

PRODUCT = 8192
WARM_UP = 3
PARITY_SAMPLES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerPart:
    """One measurement of a learner."""

    size: str
    micro_tokens: int
    step_tokens: int
    steps: int = 6
    compile: bool = True
    checkpoint: bool = False
    moments: str = "float32"
    parity: bool = False

    def config(self, device: str, micro_tokens: int) -> LearnerConfig:
        """The learner's settings."""
        return LearnerConfig.model_validate(
            {
                "backend": "transformers",
                "device": device,
                "micro_tokens": micro_tokens,
                "share_prompts": False,
                "compile": self.compile,
                "checkpoint_activations": self.checkpoint,
                "moments": self.moments,
                "warmup_steps": 0,
                "lr": 1e-6,
                "threads": 1,
            }
        )


def measure_learner(
    part: LearnerPart, device: str, log: Callable[[str], None]
) -> dict[str, Figure]:
    """Figures of one part, with half of the micro-batch where memory ends."""
    measured = measure_product(device) if device != "cpu" else 1.0
    log(f"{part}: a matrix product of {PRODUCT}: {measured:.0f} TFLOP/s")
    for micro_tokens in (part.micro_tokens, part.micro_tokens // 2):
        try:
            figures = _measure(part, device, micro_tokens, measured, log)
        except torch.OutOfMemoryError as error:
            log(f"{micro_tokens} tokens: {error}")
        else:
            return figures | {"bf16_product": number(measured, "TFLOP/s")}
        gc.collect()
        torch.cuda.empty_cache()
    raise MemoryError(f"{part.size} does not fit")


def _measure(
    part: LearnerPart, device: str, micro_tokens: int, measured: float, log: Callable[[str], None]
) -> dict[str, Figure]:
    shape = SHAPES[part.size]
    began = time.perf_counter()
    learner = Learner(make_model(shape, device), part.config(device, micro_tokens))
    try:
        log(f"made in {time.perf_counter() - began:.1f} s, {memory(device)}")
        figures: dict[str, Figure] = {}
        if part.parity:
            figures |= measure_parity(shape, learner, device)
            log(f"parity {figures}")
        batches = [
            make_samples(shape, part.step_tokens, seed) for seed in range(WARM_UP + part.steps)
        ]
        seconds = [_time_step(learner, batch, device, log) for batch in batches][WARM_UP:]
        update = _time_update(learner, device)
    finally:
        learner.close()
    datasheet = DATASHEET_TFLOPS.get(_device_name(device), measured)
    counted = list(zip(batches[WARM_UP:], seconds, strict=True))
    needed = [needed_operations(shape, batch) / s / 1e12 for batch, s in counted]
    customary = [customary_operations(shape, batch) / s / 1e12 for batch, s in counted]
    rates = [sum(sample.tokens for sample in batch) / s for batch, s in counted]
    figures |= {
        "tokens_per_s": percentiles(rates, "tokens/s"),
        "step_s": percentiles(seconds, "s"),
        "tflops": percentiles(needed, "TFLOP/s"),
        "mfu": percentiles([100 * rate / datasheet for rate in needed], "%"),
        "mfu_of_measured": percentiles([100 * rate / measured for rate in needed], "%"),
        "mfu_6n": percentiles([100 * rate / datasheet for rate in customary], "%"),
        "update_s": number(update, "s"),
        "micro_tokens": number(micro_tokens, "tokens"),
        "parameters": number(shape.parameters / 1e9, "billion"),
    }
    if device != "cpu":
        figures["peak_memory"] = number(torch.cuda.max_memory_allocated() / 2**30, "GiB")
    return figures


def _time_step(
    learner: Learner, batch: Sequence[Sample], device: str, log: Callable[[str], None]
) -> float:
    _synchronize(device)
    began = time.perf_counter()
    result = learner.step(batch)
    _synchronize(device)
    seconds = time.perf_counter() - began
    log(f"step of {result['tokens']:.0f} tokens: {seconds:.3f} s, {memory(device)}")
    return seconds


def _time_update(learner: Learner, device: str) -> float:
    """Norm, optimiser and refresh of the bf16 weights: the second time."""
    for _ in range(2):
        _synchronize(device)
        began = time.perf_counter()
        learner.backend.gradient_norm()
        learner.backend.apply_gradient(1.0, 0.0)
        _synchronize(device)
    return time.perf_counter() - began


def measure_parity(shape: Shape, learner: Learner, device: str) -> dict[str, Figure]:
    """Logprobs of the learner's first forward, packed and in bf16, against transformers' own in
    fp32 with the same weights, a sample at a time."""
    samples = make_samples(shape, PARITY_SAMPLES * 1500, 1000)
    backend: Any = learner.backend
    objective = Objective(LossConfig(), StreamCounts.of(samples))
    own = backend.compute_gradient(samples, [None] * len(samples), objective).proximal
    reference = make_model(shape, device, torch.float32)
    masters = backend.weights.views(backend.weights.master_P)
    gaps = []
    with torch.no_grad():
        for name, parameter in reference.named_parameters():
            parameter.copy_(masters[name])
        for place, sample in enumerate(samples):
            theirs = logprobs_alone(reference, sample)
            gaps.append((own[place] - theirs.cpu()).abs())
    gap = torch.cat(gaps)
    return {
        "parity_mean": {"p50": round(float(gap.mean()), 6), "n": len(gap), "unit": "nats"},
        "parity_max": {"p50": round(float(gap.max()), 6), "unit": "nats"},
    }


@torch.no_grad()
def logprobs_alone(model: Any, sample: Sample) -> Tensor:
    """[L] fp32: the completion's logprobs by the model's own forward."""
    ids = torch.tensor([sample.prompt_ids + sample.completion_ids], device=model.device)
    kept = len(sample.completion_ids) + 1
    logits_LV = model(input_ids=ids, use_cache=False, logits_to_keep=kept).logits[0, :-1].float()
    logs_LV = torch.log_softmax(logits_LV, -1)
    return logs_LV.gather(1, ids[0, 1 - kept :, None])[:, 0]


def measure_product(device: str) -> float:
    """TFLOP/s of a large bf16 matrix product on random numbers."""
    left, right = (
        torch.randn(PRODUCT, PRODUCT, device=device, dtype=torch.bfloat16) for _ in range(2)
    )
    for _ in range(10):
        left @ right
    events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    events[0].record()
    for _ in range(30):
        left @ right
    events[1].record()
    torch.cuda.synchronize()
    seconds = float(events[0].elapsed_time(events[1])) / 1e3
    return 30 * 2 * PRODUCT**3 / seconds / 1e12


def memory(device: str) -> str:
    """What is allocated, and what was at most."""
    if device == "cpu":
        return "on the CPU"
    now, most = torch.cuda.memory_allocated() / 2**30, torch.cuda.max_memory_allocated() / 2**30
    return f"{now:.1f} GiB now, {most:.1f} GiB at most"


def _device_name(device: str) -> str:
    return "cpu" if device == "cpu" else torch.cuda.get_device_name(device)


def _synchronize(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize()
