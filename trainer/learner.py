"""The learner: weighted samples in, better weights out, whatever algorithm weighed them.

Guarantees
- the update of a mini-batch does not depend on how it was split into micro-batches, and with equal
  inputs it is bit for bit the same, also after `state_dict` / `load_state_dict`;
- master weights, optimiser state and accumulated gradients are fp32, products run in `dtype`;
- mismatch figures compare the sampler's logprobs of reinforced tokens with the learner's from
  before the step's updates, where both had the same weights; `lagging` figures where they had not.

On a CPU each worker thread computes a micro-batch of its own with one OpenMP thread: no barriers
inside operators, so a busy neighbour slows one thread instead of stalling all. PyTorch releases
the GIL within operators, so `step` can run in an executor of an asyncio program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor
from transformers import PreTrainedModel, Qwen3ForCausalLM

from trainer.corrections import Mismatch, log_ratio
from trainer.decoder import Shape, forward, target_log_softmax
from trainer.losses import LossConfig, StreamCounts, TokenLogprobs, total_loss
from trainer.packing import MicroBatch, bundles, pack
from trainer.samples import Sample
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
    temperature: float = Field(1.0, gt=0, description="of the sampler whose logprobs are compared")
    seed: int = Field(0, description="of the shuffle into mini-batches")
    loss: LossConfig = LossConfig()


class Learner:
    """`model` is a Qwen3ForCausalLM or the folder of one."""

    def __init__(self, model: PreTrainedModel | Path, config: LearnerConfig) -> None:
        if isinstance(model, Path):
            model = Qwen3ForCausalLM.from_pretrained(model, dtype=torch.float32)
        self.config = config
        self.model_config = model.config
        self.device = torch.device(config.device)
        self.dtype: torch.dtype = getattr(torch, config.dtype)
        self.shape = Shape.of(model.config)
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
        if self._pool is not None:
            self._pool.shutdown()

    def reset_optimizer(self, lr: float | None = None, warmup_steps: int | None = None) -> None:
        """A phase begins: moments are forgotten, warm-up starts again, at the phase's own rate."""
        self.lr = self.config.lr if lr is None else lr
        self.warmup_steps = self.config.warmup_steps if warmup_steps is None else warmup_steps
        self.phase_steps = 0
        master, decayed = self.weights.master, self.weights.decayed
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
        self._reference = None

    def step(
        self, samples: Sequence[Sample], lr: float | None = None, minibatches: int | None = None
    ) -> dict[str, float]:
        """All epochs and mini-batches over the samples; `lr` and `minibatches` override the
        learner's. With several optimiser steps the clip compares with the policy before the first.
        Losses are means over optimiser steps, all other figures over tokens."""
        started = time.perf_counter()
        if not samples:
            raise ValueError("the learner was given no samples")
        if self._reference is None and any(sample.ref_kl for sample in samples):
            raise ValueError("samples have ref_kl weights: call snapshot_reference() first")
        totals = _Totals()
        proximal: dict[int, Tensor] = {}
        cuts = [
            cut
            for _ in range(self.config.epochs)
            for cut in _cut(samples, minibatches or self.config.minibatches, self._rng)
        ]
        if len(cuts) > 1:
            # The first cut is compared with itself: its own forward comes before any update.
            later = set(range(len(samples))) - set(cuts[0])
            ratios = sorted(i for i in later if samples[i].rl and samples[i].moves_weights)
            found = self._token_logprobs([samples[i] for i in ratios])
            proximal = dict(zip(ratios, found, strict=True))
        for cut in cuts:
            self._optimise(samples, cut, proximal, lr, totals)
        for index, before in proximal.items():
            sample = samples[index]
            if sample.rl and sample.logprobs:
                compared = totals.lagging if sample.lag else totals.mismatch
                compared.add(log_ratio(before, torch.tensor(sample.logprobs)))
        seconds = time.perf_counter() - started
        tokens = sum(sample.tokens for sample in samples)
        return {
            **totals.metrics(len(cuts)),
            **totals.mismatch.metrics("mismatch"),
            **totals.lagging.metrics("lagging"),
            "lr": self._rate() if lr is None else lr,
            "samples": float(len(samples)),
            "inert_samples": float(sum(not self._moves(sample) for sample in samples)),
            "optimiser_steps": float(self.steps),
            "tokens": float(tokens),
            "seconds": seconds,
            "tokens_per_s": tokens / seconds,
        }

    def logprobs(self, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
        """Of each sample's completion tokens, by the weights that would be published now."""
        return [tuple(found.tolist()) for found in self._token_logprobs(samples)]

    def export_bf16_state(self) -> dict[str, Tensor]:
        """The weights to publish, by transformers' names: a copy in bf16 on the CPU."""
        views = self.weights.hf_views(self.weights.master)
        return {name: view.to("cpu", torch.bfloat16, copy=True) for name, view in views.items()}

    def state_dict(self) -> dict[str, Any]:
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

    def _optimise(
        self,
        samples: Sequence[Sample],
        cut: Sequence[int],
        proximal: dict[int, Tensor],
        lr: float | None,
        totals: _Totals,
    ) -> None:
        """One optimiser step over samples[cut]; samples that move nothing are only counted."""
        counts = StreamCounts.of(samples[i] for i in cut)
        active = [i for i in cut if self._moves(samples[i])]
        if not active:
            return
        self.gradient.zero_()
        grads = self.weights.views(self.gradient)

        def work(micro: MicroBatch) -> _Part:
            known = [proximal.get(i) for i in active]
            return self._micro_step(micro.to(self.device), known, counts)

        for micro, part in self._each(self._pack([samples[i] for i in active]), work):
            for name, grad in part.grads.items():
                grads[name].add_(grad)
            grads["embed"].index_add_(0, part.ids, part.embedded)
            totals.add(part.sums)
            for place, rows in _sample_rows(micro):
                proximal.setdefault(active[place], part.proximal[rows])
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
        totals.grad_norms.append(float(norm))

    def _moves(self, sample: Sample) -> bool:
        return sample.moves_weights or (self.config.loss.entropy_weight != 0.0 and bool(sample.rl))

    def _micro_step(
        self, batch: MicroBatch, known: Sequence[Tensor | None], counts: StreamCounts
    ) -> _Part:
        """Gradients of one micro-batch; `known` are proximal logprobs of the packed samples."""
        leaves = {k: v for k, v in self.weights.compute_views.items() if k != "embed"}
        embed = self.weights.compute_views["embed"].detach()
        embedded = embed[batch.ids].requires_grad_()
        logs = self._log_softmax(self.weights, batch, embedded)
        current = logs.gather(1, batch.targets[:, None]).squeeze(1)
        with torch.set_grad_enabled(self.config.loss.entropy_weight != 0.0):
            entropy = -(logs.exp() * logs).sum(-1)
        reference = None
        if self._reference is not None and bool((batch.ref_kl != 0).any()):
            reference = self._target_logprobs(self._reference, batch)
        proximal = current.detach().clone()
        for place, rows in _sample_rows(batch):
            before = known[place]
            if before is not None:
                proximal[rows] = before.to(self.device)
        tokens = TokenLogprobs(current, entropy, proximal, reference)
        loss, sums = total_loss(self.config.loss, tokens, batch, counts)
        found = torch.autograd.grad(loss, [embedded, *leaves.values()])
        grads = dict(zip(leaves, found[1:], strict=True))
        return _Part(batch.ids, found[0].float(), grads, proximal.cpu(), sums)

    def _log_softmax(self, weights: FlatWeights, batch: MicroBatch, embedded: Tensor) -> Tensor:
        views = weights.compute_views
        hidden = forward(self.shape, views, batch, embedded)
        return target_log_softmax(hidden, views["head"], batch, self.config.temperature)

    @torch.no_grad()
    def _target_logprobs(self, weights: FlatWeights, batch: MicroBatch) -> Tensor:
        logs = self._log_softmax(weights, batch, weights.compute_views["embed"][batch.ids])
        return logs.gather(1, batch.targets[:, None]).squeeze(1)

    def _token_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """Completion logprobs of every sample, fp32 on the CPU."""
        result: list[Tensor] = [torch.empty(0)] * len(samples)

        def work(micro: MicroBatch) -> Tensor:
            return self._target_logprobs(self.weights, micro.to(self.device)).cpu()

        for micro, values in self._each(self._pack(samples), work):
            for place, rows in _sample_rows(micro):
                result[place] = values[rows]
        return result

    def _pack(self, samples: Sequence[Sample]) -> list[MicroBatch]:
        if not samples:
            return []
        lanes = self.config.threads if self._pool is not None else 1
        return pack(samples, self.config.micro_tokens, lanes, self.config.share_prompts)

    def _each(
        self, batches: Sequence[MicroBatch], work: Callable[[MicroBatch], T]
    ) -> Iterable[tuple[MicroBatch, T]]:
        """Results in the order of the batches, whoever finishes first: sums stay reproducible."""
        results = map(work, batches) if self._pool is None else self._pool.map(work, batches)
        return zip(batches, results, strict=True)


@dataclass(frozen=True, slots=True)
class _Part:
    """What one micro-batch gives: the embedding's gradient by rows in fp32, the others whole."""

    ids: Tensor
    embedded: Tensor
    grads: dict[str, Tensor]
    proximal: Tensor
    sums: dict[str, float]


class _Totals:
    """Sums over the micro-batches of one `step`."""

    def __init__(self) -> None:
        self.sums: dict[str, float] = {}
        self.grad_norms: list[float] = []
        self.mismatch, self.lagging = Mismatch(), Mismatch()

    def add(self, sums: dict[str, float]) -> None:
        for name, value in sums.items():
            self.sums[name] = self.sums.get(name, 0.0) + value

    def metrics(self, cuts: int) -> dict[str, float]:
        def mean(name: str, of: str) -> float:
            return self.sums.get(name, 0.0) / max(self.sums.get(of, 0.0), 1.0)

        streams = ("rl", "ce", "prompt_ce", "ref_kl")
        losses = {f"loss/{name}": self.sums.get(name, 0.0) / cuts for name in streams}
        return {
            **losses,
            "loss/total": sum(losses.values()),
            "nll_mean": mean("nll", "completion"),
            "entropy_mean": mean("entropy", "completion"),
            "clip_fraction": mean("clipped", "rl_tokens"),
            "tis_capped_fraction": mean("tis_capped", "rl_tokens"),
            "grad_norm": sum(self.grad_norms) / max(len(self.grad_norms), 1),
        }


def _cut(samples: Sequence[Sample], parts: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Shuffled cuts of about equal size; samples of one prompt stay together as far as they can."""
    groups = bundles(samples)
    order = rng.permutation(len(groups)) if parts > 1 else range(len(groups))
    flat = [index for place in order for index in groups[place]]
    for part in np.array_split(np.array(flat), min(parts, len(flat))):
        yield sorted(part.tolist())


def _sample_rows(batch: MicroBatch) -> Iterator[tuple[int, Tensor]]:
    """(place of a sample in what was packed, target rows of its completion in order)."""
    kept = batch.completion.nonzero().squeeze(1)
    owners, lengths = torch.unique_consecutive(batch.sample_index[kept], return_counts=True)
    yield from zip(owners.tolist(), kept.split(lengths.tolist()), strict=True)
