"""The learner: weighted samples in, better weights out, whatever algorithm chose the weights.

Guarantees
- the update of a mini-batch does not depend on how it was split into micro-batches, and with equal
  inputs it is bit for bit the same, also after `state_dict` / `load_state_dict`;
- samples without effect are dropped before anything is cut, packed or counted: they cost nothing
  and weaken nothing (`inert_samples` says how many there were);
- master weights, optimiser state and accumulated gradients are fp32, products run in `dtype`;
- mismatch figures compare the sampler's logprobs of reinforced tokens with the learner's from
  before the step's updates, where both had the same weights; `lagging` figures where they had not.

On a CPU each worker thread computes a micro-batch of its own with one OpenMP thread: no barriers
inside operators, so a busy neighbour slows one thread instead of stalling all. PyTorch releases
the GIL within operators, so `step` can run in an executor of an asyncio program.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor
from transformers import PreTrainedModel, Qwen3ForCausalLM

from trainer.corrections import log_ratio
from trainer.decoder import Shape
from trainer.losses import LossConfig, StreamCounts
from trainer.micro_step import MicroResult, compute_gradients, target_logprobs
from trainer.packing import MicroBatch, group_by_prompt, pack
from trainer.samples import Sample
from trainer.step_metrics import StepMetrics
from trainer.weights import FlatWeights

T = TypeVar("T")


class LearnerConfig(BaseModel):
    """Optimiser, batching and compute of the learner."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lr: float = Field(3e-4, gt=0, description="learning rate after warm-up")
    warmup_steps: int = Field(10, ge=0, description="optimiser steps of linear warm-up")
    betas: tuple[float, float] = Field((0.9, 0.95), description="AdamW's moving averages")
    adam_eps: float = Field(1e-8, gt=0, description="AdamW's floor of the step's denominator")
    weight_decay: float = Field(0.01, ge=0, description="on matrices, not on norms")
    grad_clip: float = Field(1.0, gt=0, description="largest norm of the gradient")
    minibatches: int = Field(1, ge=1, description="optimiser steps over one batch")
    epochs: int = Field(1, ge=1, description="passes over one batch")
    micro_tokens: int = Field(4096, ge=64, description="inputs of one micro-batch")
    dtype: str = Field("bfloat16", pattern="^(bfloat16|float32)$", description="compute dtype")
    device: str = Field("cpu", description="cpu or a CUDA device")
    threads: int = Field(2, ge=1, description="CPU worker threads, one micro-batch each")
    share_prompts: bool = Field(True, description="read a prompt that several samples share once")
    temperature: float = Field(
        1.0, gt=0, description="of the sampler; holds for tokens that it sampled"
    )
    seed: int = Field(0, description="of the shuffle into mini-batches")
    loss: LossConfig = LossConfig()


class Learner:
    """`model` is a Qwen3ForCausalLM or the folder of one. Call `close` when done with it."""

    def __init__(self, model: PreTrainedModel | Path, config: LearnerConfig) -> None:
        if isinstance(model, Path):
            model = Qwen3ForCausalLM.from_pretrained(model, dtype=torch.float32)
        self.config = config
        self.model_config = model.config
        self.device = torch.device(config.device)
        self.dtype: torch.dtype = getattr(torch, config.dtype)
        self.shape = Shape.from_config(model.config)
        self.weights = FlatWeights(self.shape, self.dtype, self.device)
        self.weights.load_hf(model.state_dict())
        self.gradient = torch.zeros_like(self.weights.master)
        self.steps = 0
        """optimiser steps since the learner was made"""
        self._reference: FlatWeights | None = None
        self._rng = np.random.default_rng(config.seed)
        self._pool: ThreadPoolExecutor | None = None
        if self.device.type == "cpu":
            self._pool = ThreadPoolExecutor(
                config.threads, "learner", initializer=torch.set_num_threads, initargs=(1,)
            )
        self.reset_optimizer()

    def close(self) -> None:
        """Ends the worker threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def reset_optimizer(self, lr: float | None = None, warmup_steps: int | None = None) -> None:
        """Begins a phase: moments are forgotten, warm-up starts again, at the phase's own rate."""
        self.lr = self.config.lr if lr is None else lr
        self.warmup_steps = self.config.warmup_steps if warmup_steps is None else warmup_steps
        self.phase_steps = 0
        master, decayed = self.weights.master, self.weights.decayed
        # Two flat parameters, with and without weight decay, are views of the master; their
        # gradients are views of the flat gradient. So one fused call updates all weights.
        self._parts = [torch.nn.Parameter(master[:decayed]), torch.nn.Parameter(master[decayed:])]
        for part, grad in zip(
            self._parts, (self.gradient[:decayed], self.gradient[decayed:]), strict=True
        ):
            part.grad = grad
        self._optimizer = torch.optim.AdamW(
            [
                {"params": [self._parts[0]], "weight_decay": self.config.weight_decay},
                {"params": [self._parts[1]], "weight_decay": 0.0},
            ],
            lr=self.lr,
            betas=self.config.betas,
            eps=self.config.adam_eps,
            fused=True,
        )

    def snapshot_reference(self) -> None:
        """From now on `ref_kl` pulls towards the weights as they are."""
        self._reference = FlatWeights(self.shape, self.dtype, self.device)
        self._reference.master.copy_(self.weights.master)
        self._reference.refresh()

    def drop_reference(self) -> None:
        """Frees the snapshot; samples with `ref_kl` are refused from now on."""
        self._reference = None

    def step(
        self, samples: Sequence[Sample], lr: float | None = None, minibatches: int | None = None
    ) -> dict[str, float]:
        """All epochs and mini-batches over the samples; `lr` and `minibatches` override the
        learner's. With several optimiser steps the clip compares with the policy before the first.
        Losses are means over optimiser steps, all other figures over tokens that were computed.

        Raises ValueError for samples that cannot be used, FloatingPointError for a gradient that
        is not finite; the weights of that optimiser step are unchanged then."""
        started = time.perf_counter()
        if not samples:
            raise ValueError("the learner was given no samples")
        longest = max(sample.tokens for sample in samples)
        if longest > self.model_config.max_position_embeddings:
            raise ValueError(
                f"a sample has {longest} tokens; the model reads at most "
                f"{self.model_config.max_position_embeddings} (model.max_model_len)"
            )
        if self._reference is None and any(sample.ref_kl for sample in samples):
            raise ValueError("samples have ref_kl weights: call snapshot_reference() first")
        active = [sample for sample in samples if self._moves(sample)]
        metrics = StepMetrics()
        parts = min(minibatches or self.config.minibatches, len(active))
        cuts = [cut for _ in range(self.config.epochs) for cut in _cut(active, parts, self._rng)]
        proximal = self._proximal_logprobs(active, cuts)
        counts = StreamCounts.of(active, max(parts, 1))
        for cut in cuts:
            self._optimise(active, cut, counts, proximal, lr, metrics)
        _compare_with_sampler(active, proximal, metrics)
        seconds = time.perf_counter() - started
        tokens = sum(sample.tokens for sample in active)
        return {
            **metrics.summarize(len(cuts)),
            "lr": self._rate() if lr is None else lr,
            "samples": float(len(samples)),
            "inert_samples": float(len(samples) - len(active)),
            "optimiser_steps": float(self.steps),
            "tokens": float(tokens),
            "seconds": seconds,
            "tokens_per_s": tokens / seconds,
        }

    def logprobs(self, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
        """Logprobs of each sample's completion tokens, by the weights that would be published: at
        the sampler's temperature where the sample has the sampler's logprobs, else at 1."""
        return [tuple(logprobs.tolist()) for logprobs in self._completion_logprobs(samples)]

    def export_bf16_state(self) -> dict[str, Tensor]:
        """The weights to publish, by transformers' names: a copy in bf16 on the CPU."""
        views = self.weights.hf_views(self.weights.master)
        return {name: view.to("cpu", torch.bfloat16, copy=True) for name, view in views.items()}

    def state_dict(self) -> dict[str, Any]:
        """Everything that the next step depends on, as copies on the CPU."""
        moments = [self._optimizer.state.get(part, {}) for part in self._parts]
        return {
            "shape": asdict(self.shape),
            "master": self.weights.master.cpu().clone(),
            "moments": [
                {key: value.cpu().clone() for key, value in state.items()} for state in moments
            ],
            "reference": None if self._reference is None else self._reference.master.cpu().clone(),
            "steps": self.steps,
            "phase_steps": self.phase_steps,
            "lr": self.lr,
            "warmup_steps": self.warmup_steps,
            "rng": self._rng.bit_generator.state,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues where `state_dict` was taken. Raises ValueError for another model's shape."""
        if state["shape"] != asdict(self.shape):
            raise ValueError(
                f"the checkpoint is of a model of shape {state['shape']}, this one has "
                f"{asdict(self.shape)}"
            )
        self.weights.master.copy_(state["master"])
        self.weights.refresh()
        self.reset_optimizer(state["lr"], state["warmup_steps"])
        for part, moments in zip(self._parts, state["moments"], strict=True):
            if moments:
                self._optimizer.state[part] = {
                    key: value.to(self.device, copy=True) for key, value in moments.items()
                }
        self.drop_reference()
        if state["reference"] is not None:
            self._reference = FlatWeights(self.shape, self.dtype, self.device)
            self._reference.master.copy_(state["reference"])
            self._reference.refresh()
        self.steps, self.phase_steps = state["steps"], state["phase_steps"]
        self._rng.bit_generator.state = state["rng"]

    def _rate(self) -> float:
        return self.lr * min(1.0, (self.phase_steps + 1) / (self.warmup_steps + 1))

    def _moves(self, sample: Sample) -> bool:
        has_bonus = self.config.loss.entropy_weight != 0.0
        return sample.moves_weights or (has_bonus and sample.weighted_tokens(sample.rl) > 0)

    def _proximal_logprobs(
        self, samples: Sequence[Sample], cuts: Sequence[Sequence[int]]
    ) -> dict[int, Tensor]:
        """Logprobs of completion tokens before the first update, by index of the sample.

        Only for reinforced samples of later cuts: those of the first cut come for free from its
        own forward, which runs before any update, and `_optimise` adds them."""
        if len(cuts) <= 1:
            return {}
        later = set(range(len(samples))) - set(cuts[0])
        chosen = sorted(i for i in later if samples[i].rl)
        logprobs = self._completion_logprobs([samples[i] for i in chosen])
        return dict(zip(chosen, logprobs, strict=True))

    def _optimise(
        self,
        samples: Sequence[Sample],
        cut: Sequence[int],
        counts: StreamCounts,
        proximal: dict[int, Tensor],
        lr: float | None,
        metrics: StepMetrics,
    ) -> None:
        """One optimiser step over samples[cut]."""
        self.gradient.zero_()
        grads = self.weights.views(self.gradient)
        before = [proximal.get(i) for i in cut]

        def compute(micro: MicroBatch) -> MicroResult:
            return compute_gradients(
                self.weights,
                self._reference,
                micro.to(self.device),
                before=before,
                counts=counts,
                loss_config=self.config.loss,
                temperature=self.config.temperature,
            )

        micro_batches = self._pack([samples[i] for i in cut])
        for micro, result in self._map_in_order(micro_batches, compute):
            for name, grad in result.grads.items():
                grads[name].add_(grad)
            grads["embed"].index_add_(0, result.ids_T, result.embed_grad_TE)
            metrics.add(result.sums)
            for place, rows in micro.completion_rows():
                proximal.setdefault(cut[place], result.proximal_N[rows])
        metrics.grad_norms.append(self._apply_gradient(lr))

    def _apply_gradient(self, lr: float | None) -> float:
        """Clips the accumulated gradient and takes the step; returns the norm before clipping."""
        norm = torch.linalg.vector_norm(self.gradient)
        if not torch.isfinite(norm):
            raise FloatingPointError(
                f"the gradient of optimiser step {self.steps} is not finite; weights are unchanged"
            )
        self.gradient.mul_((self.config.grad_clip / (norm + 1e-6)).clamp(max=1.0))
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate() if lr is None else lr
        self._optimizer.step()
        self.weights.refresh()
        self.steps += 1
        self.phase_steps += 1
        return float(norm)

    def _completion_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """Completion logprobs of every sample, fp32 on the CPU."""
        result: list[Tensor] = [torch.empty(0)] * len(samples)

        def compute(micro: MicroBatch) -> Tensor:
            logprobs_N = target_logprobs(
                self.weights, micro.to(self.device), self.config.temperature
            )
            return logprobs_N.cpu()

        for micro, logprobs_N in self._map_in_order(self._pack(samples), compute):
            for place, rows in micro.completion_rows():
                result[place] = logprobs_N[rows]
        return result

    def _pack(self, samples: Sequence[Sample]) -> list[MicroBatch]:
        if not samples:
            return []
        lanes = self.config.threads if self._pool is not None else 1
        return pack(samples, self.config.micro_tokens, lanes, self.config.share_prompts)

    def _map_in_order(
        self, batches: Sequence[MicroBatch], compute: Callable[[MicroBatch], T]
    ) -> Iterable[tuple[MicroBatch, T]]:
        """Results in the order of the batches, not in that of finishing: floating-point sums depend
        on their order, and equal inputs must give equal weights."""
        results = map(compute, batches) if self._pool is None else self._pool.map(compute, batches)
        return zip(batches, results, strict=True)


def _compare_with_sampler(
    samples: Sequence[Sample], proximal: dict[int, Tensor], metrics: StepMetrics
) -> None:
    """Counts the sampler's logprobs against the learner's before the step, fresh and stale tokens
    apart: the former differ by the engines alone."""
    for index, logprobs in proximal.items():
        sample = samples[index]
        if sample.rl and sample.logprobs:
            mismatch = metrics.lagging if sample.staleness else metrics.mismatch
            mismatch.add(log_ratio(logprobs, torch.tensor(sample.logprobs)))


def _cut(samples: Sequence[Sample], parts: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Shuffled cuts of about equal size; samples of one prompt stay together as far as they can,
    since a shared prompt that is split is read twice."""
    if not samples:
        return
    groups = group_by_prompt(samples)
    order = rng.permutation(len(groups)) if parts > 1 else range(len(groups))
    shuffled = [index for place in order for index in groups[place]]
    for part in np.array_split(np.array(shuffled), min(parts, len(shuffled))):
        yield sorted(part.tolist())
