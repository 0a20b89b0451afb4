"""The learner: fp32 master weights, bf16 compute, blind to algorithms.

Each token carries weights for the loss streams (rl, ce, ref_kl); each stream is divided by its own
token count over the whole optimiser step, so cutting a step into micro-batches changes nothing.
Imitation, reinforcement, Entropulse and replay are all `step(samples)`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor
from transformers import Qwen3Config, Qwen3ForCausalLM

from trainer.corrections import mismatch, truncated_importance
from trainer.decoder import Shape, Weights, logits
from trainer.losses import clipped_policy_gradient, cross_entropy, entropy, reference_kl
from trainer.packing import Pack, micro_batches, pack
from trainer.samples import Sample


class LearnerConfig(BaseModel):
    """How the learner steps; the same for all phases unless a phase overrides the rate."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    micro_tokens: int = Field(4096, ge=64, description="tokens of one forward and backward pass")
    beta1: float = Field(0.9, ge=0, lt=1)
    beta2: float = Field(0.95, ge=0, lt=1)
    weight_decay: float = Field(0.01, ge=0)
    max_grad_norm: float = Field(1.0, gt=0, description="gradients are clipped to this norm")
    clip_low: float = Field(0.2, gt=0, lt=1, description="PPO clip below 1")
    clip_high: float = Field(0.28, gt=0, description="PPO clip above 1")
    tis_cap: float = Field(2.0, ge=1, description="cap of truncated importance sampling")
    ref_kl: float = Field(0.0, ge=0, description="weight of KL to the phase's starting policy")
    threads: int = Field(2, ge=1, description="CPU threads of the learner")


@dataclass(frozen=True, slots=True)
class StepMetrics:
    """Of one call of `step`. Entropy and mismatch are over completion tokens, before updating."""

    loss_rl: float
    loss_ce: float
    entropy: float
    grad_norm: float
    clip_fraction: float
    abs_logprob_mean: float
    k3_mean: float
    tokens: int
    trained_tokens: int
    updates: int
    seconds: float

    @property
    def tokens_per_s(self) -> float:
        return self.tokens / self.seconds if self.seconds else 0.0


class Learner:
    """Takes over a model's weights. Not for concurrent calls."""

    def __init__(self, model: Qwen3ForCausalLM, config: LearnerConfig, device: str = "cpu") -> None:
        self.config = config
        self.model_config: Qwen3Config = model.config
        self.shape = Shape.of(model.config)
        self.device = torch.device(device)
        if self.device.type == "cpu":
            torch.set_num_threads(config.threads)
        self._master: Weights = {
            name: tensor.detach().to(self.device, torch.float32).clone()
            for name, tensor in model.state_dict().items()
        }
        self._compute: Weights = {}
        self._reference: Weights | None = None
        self.updates = 0
        self._refresh()
        self.reset_optimizer()

    def reset_optimizer(self) -> None:
        """Fresh moments, as at the start of a phase."""
        self._optimizer = torch.optim.AdamW(
            self._master.values(),
            lr=1e-4,
            betas=(self.config.beta1, self.config.beta2),
            weight_decay=self.config.weight_decay,
            fused=True,
        )

    def set_reference(self) -> None:
        """The present policy becomes the one that ref_kl pulls towards."""
        self._reference = {name: tensor.detach() for name, tensor in self._compute.items()}

    def step(
        self, samples: Sequence[Sample], lr: float, minibatches: int = 1, shuffle_seed: int = 0
    ) -> StepMetrics:
        """`minibatches` optimiser steps over the samples, in random order. With more than one, the
        clip's proximal policy is the one at the call's start."""
        started = time.perf_counter()
        order = list(range(len(samples)))
        random.Random(shuffle_seed).shuffle(order)
        cuts = [order[part::minibatches] for part in range(minibatches)]
        proximal = self.logprobs(samples) if minibatches > 1 else None
        totals = _Totals()
        for cut in cuts:
            if cut:
                chosen = [samples[index] for index in cut]
                known = None if proximal is None else [proximal[index] for index in cut]
                self._update(chosen, known, lr, totals)
        return totals.metrics(samples, time.perf_counter() - started)

    def _update(
        self,
        samples: Sequence[Sample],
        proximal: Sequence[Tensor] | None,
        lr: float,
        totals: _Totals,
    ) -> None:
        count_rl = sum(len(s.completion_ids) for s in samples if s.advantage) or 1
        count_ce = sum(
            len(s.completion_ids) * bool(s.ce) + len(s.prompt_ids) * bool(s.prompt_ce)
            for s in samples
        )
        gradients: Weights = {}
        for batch in micro_batches(samples, self.config.micro_tokens):
            packed = pack([samples[index] for index in batch], self.device)
            known = None if proximal is None else torch.cat([proximal[index] for index in batch])
            loss = self._loss(packed, known, count_rl, count_ce or 1, totals)
            loss.backward()
            for name, weight in self._compute.items():
                if weight.grad is not None:
                    grad = weight.grad.float()
                    gradients[name] = gradients[name] + grad if name in gradients else grad
                    weight.grad = None
        for name, master in self._master.items():
            master.grad = gradients.get(name)
        norm = torch.nn.utils.clip_grad_norm_(
            list(self._master.values()), self.config.max_grad_norm
        )
        totals.grad_norms.append(norm.item())
        if not torch.isfinite(norm):
            return
        for group in self._optimizer.param_groups:
            group["lr"] = lr
        self._optimizer.step()
        self.updates += 1
        totals.updates += 1
        self._refresh()

    def _loss(
        self,
        packed: Pack,
        proximal_N: Tensor | None,
        count_rl: int,
        count_ce: int,
        totals: _Totals,
    ) -> Tensor:
        logits_NV = logits(self._compute, self.shape, packed)
        logprobs_N = _chosen(logits_NV, packed.targets_N)
        with torch.no_grad():
            rl_N = packed.advantages_N != 0
            behaviour_N = torch.where(rl_N, packed.behaviour_N, torch.zeros_like(logprobs_N))
            if proximal_N is None:
                proximal_N = logprobs_N.detach()
            weights_N = truncated_importance(proximal_N, behaviour_N, self.config.tis_cap) * rl_N
            totals.entropy += entropy(logits_NV.detach()[packed.completion_N]).sum().item()
            totals.completion += int(packed.completion_N.sum())
            seen = packed.completion_N & torch.isfinite(packed.behaviour_N)
            totals.differences.append(
                torch.stack([proximal_N[seen].detach(), packed.behaviour_N[seen]])
            )
        rl, clipped = clipped_policy_gradient(
            logprobs_N,
            proximal_N,
            packed.advantages_N,
            weights_N,
            self.config.clip_low,
            self.config.clip_high,
        )
        ce = cross_entropy(logprobs_N, packed.ce_N)
        loss = rl / count_rl + ce / count_ce
        if self.config.ref_kl and self._reference is not None and bool(rl_N.any()):
            with torch.no_grad():
                reference_NV = logits(self._reference, self.shape, packed)
                reference_N = _chosen(reference_NV, packed.targets_N)
            kl = reference_kl(logprobs_N, reference_N, rl_N.float())
            loss = loss + self.config.ref_kl * kl / count_rl
        totals.rl += rl.item() / count_rl
        totals.ce += ce.item() / count_ce
        totals.clipped += int(clipped)
        totals.rl_tokens += int(rl_N.sum())
        return loss

    @torch.no_grad()
    def logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """The present policy's logprobs of every predicted token of each sample, fp32."""
        found: list[Tensor] = [torch.empty(0)] * len(samples)
        for batch in micro_batches(samples, 2 * self.config.micro_tokens):
            chosen = [samples[index] for index in batch]
            packed = pack(chosen, self.device)
            values = _chosen(logits(self._compute, self.shape, packed), packed.targets_N)
            sizes = [s.length - 1 if s.prompt_ce else len(s.completion_ids) for s in chosen]
            for index, part in zip(batch, values.split(sizes), strict=True):
                found[index] = part
        return found

    def export(self) -> Weights:
        """The weights to serve, bf16, by transformers' names: those that `logprobs` uses."""
        return {name: tensor.detach().clone() for name, tensor in self._compute.items()}

    def state_dict(self) -> dict[str, Any]:
        return {
            "weights": {name: tensor.clone() for name, tensor in self._master.items()},
            "optimizer": self._optimizer.state_dict(),
            "updates": self.updates,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues bit for bit where `state_dict` was taken, on the same machine and threads."""
        with torch.no_grad():
            for name, tensor in state["weights"].items():
                self._master[name].copy_(tensor)
        self.reset_optimizer()
        self._optimizer.load_state_dict(state["optimizer"])
        self.updates = state["updates"]
        self._refresh()

    def _refresh(self) -> None:
        """bf16 copies of the master weights, leaves of the next backward passes."""
        self._compute = {
            name: tensor.detach().to(torch.bfloat16).requires_grad_()
            for name, tensor in self._master.items()
        }


def _chosen(logits_NV: Tensor, targets_N: Tensor) -> Tensor:
    return -torch.nn.functional.cross_entropy(logits_NV, targets_N, reduction="none")


class _Totals:
    """Sums over the micro-batches of one `step`."""

    def __init__(self) -> None:
        self.rl = self.ce = self.entropy = 0.0
        self.clipped = self.rl_tokens = self.completion = self.updates = 0
        self.grad_norms: list[float] = []
        self.differences: list[Tensor] = []

    def metrics(self, samples: Sequence[Sample], seconds: float) -> StepMetrics:
        pair = torch.cat(self.differences, 1) if self.differences else torch.zeros(2, 0)
        apart = mismatch(pair[0], pair[1])
        steps = max(len(self.grad_norms), 1)
        return StepMetrics(
            loss_rl=self.rl / steps,
            loss_ce=self.ce / steps,
            entropy=self.entropy / max(self.completion, 1),
            grad_norm=sum(self.grad_norms) / steps,
            clip_fraction=self.clipped / max(self.rl_tokens, 1),
            abs_logprob_mean=apart["abs_logprob_mean"],
            k3_mean=apart["k3_mean"],
            tokens=sum(sample.length for sample in samples),
            trained_tokens=self.completion,
            updates=self.updates,
            seconds=seconds,
        )
