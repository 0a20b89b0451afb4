"""The learner: weighted samples in, better weights out, whatever algorithm chose the weights.

Guarantees
- the update of a mini-batch does not depend on how it was split into micro-batches, and with equal
  inputs it is bit for bit the same, also after `state_dict` / `load_state_dict`;
- samples without effect are dropped before anything is cut, packed or counted: they cost nothing
  and weaken nothing (`inert_samples` says how many there were);
- mismatch figures compare the sampler's logprobs of reinforced tokens with the learner's from
  before the step's updates, where both had the same weights; `lagging` figures where they had not.

What is computed with, and where, is the backend's matter (`trainer.backend`).

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel

from trainer.backend import TIED_IN_TRAINING, Backend
from trainer.corrections import log_ratio
from trainer.covariance import regularise
from trainer.decoder import Shape
from trainer.decoder_backend import DecoderBackend
from trainer.learner_config import LearnerConfig
from trainer.lora import Adapter
from trainer.loss_config import LossConfig
from trainer.losses import Objective, StreamCounts
from trainer.model_files import load_config
from trainer.packing import group_by_prompt
from trainer.pictures import PictureReader
from trainer.prepared_update import PreparedUpdate
from trainer.samples import Sample
from trainer.step_metrics import StepMetrics

__all__ = ["Learner", "LearnerConfig", "make_backend"]


class Learner:
    """`model` is a transformers model or the folder of one. Call `close` when done with it."""

    def __init__(self, model: PreTrainedModel | Path, config: LearnerConfig) -> None:
        self.config = config
        self.backend = make_backend(model, config)
        self.steps = 0
        """optimiser steps since the learner was made"""
        self._rng = np.random.default_rng(config.seed)
        self.reset_optimizer()

    @property
    def model_config(self) -> Any:
        """The model's transformers config."""
        return self.backend.model_config

    @property
    def pictures(self) -> PictureReader | None:
        """What makes patches of pictures; None where the model reads none."""
        return self.backend.pictures

    def close(self) -> None:
        """Ends the backend's worker threads."""
        self.backend.close()

    def reset_optimizer(self, lr: float | None = None, warmup_steps: int | None = None) -> None:
        """Begins a phase: moments are forgotten, warm-up starts again, at the phase's own rate."""
        self.lr = self.config.lr if lr is None else lr
        self.warmup_steps = self.config.warmup_steps if warmup_steps is None else warmup_steps
        self.phase_steps = 0
        self.backend.reset_optimizer()

    def snapshot_reference(self) -> None:
        """From now on `ref_kl` pulls towards the weights as they are."""
        self.backend.snapshot_reference()

    @property
    def has_reference(self) -> bool:
        """Whether there is a snapshot to pull towards."""
        return self.backend.has_reference

    def drop_reference(self) -> None:
        """Frees the snapshot; samples with `ref_kl` are refused from now on."""
        self.backend.drop_reference()

    def step(
        self,
        samples: Sequence[Sample],
        lr: float | None = None,
        minibatches: int | None = None,
        loss: LossConfig | None = None,
    ) -> dict[str, float]:
        """All epochs and mini-batches over the samples; `lr`, `minibatches` and `loss` override the
        learner's. With several optimiser steps the clip compares with the policy before the first.
        Losses are means over optimiser steps, all other figures over tokens that were computed.

        Raises ValueError for samples that cannot be used, FloatingPointError for a gradient that
        is not finite; the weights of that optimiser step are unchanged then."""
        started = time.perf_counter()
        if not samples:
            raise ValueError("the learner was given no samples")
        longest = max(sample.tokens for sample in samples)
        most = self.model_config.get_text_config().max_position_embeddings
        if longest > most:
            raise ValueError(
                f"a sample has {longest} tokens; the model reads at most {most} "
                "(model.max_model_len)"
            )
        if not self.backend.has_reference and any(sample.ref_kl for sample in samples):
            raise ValueError("samples have ref_kl weights: call snapshot_reference() first")
        loss = loss or self.config.loss
        active = [sample for sample in samples if _moves(sample, loss)]
        metrics = StepMetrics()
        parts = min(minibatches or self.config.minibatches, len(active))
        cuts = [cut for _ in range(self.config.epochs) for cut in _cut(active, parts, self._rng)]
        proximal = self._proximal_logprobs(active, cuts)
        counts = StreamCounts.of(active, max(parts, 1))
        # Counted before: leaving a token out must not raise the weight of the others.
        active = regularise(active, loss, self._rng)
        for cut in cuts:
            self._optimise(active, cut, Objective(loss, counts), proximal, lr, metrics)
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

    def step_prepared(self, update: PreparedUpdate, lr: float) -> dict[str, float]:
        """One optimiser step on samples that were packed beforehand; figures as of `step`.

        Raises FloatingPointError as `step` does."""
        started = time.perf_counter()
        metrics = StepMetrics()
        for sums in self.backend.compute_packed_gradient(update.batches, update.counts):
            metrics.add(sums)
        metrics.grad_norms.append(self._apply_gradient(lr))
        seconds = time.perf_counter() - started
        return {
            **metrics.summarize(1),
            "lr": lr,
            "samples": float(update.samples),
            "tokens": float(update.tokens),
            "seconds": seconds,
            "tokens_per_s": update.tokens / seconds,
        }

    def logprobs(self, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
        """Logprobs of each sample's completion tokens, by the weights that would be published: at
        the sampler's temperature where the sample has the sampler's logprobs, else at 1."""
        return [tuple(logprobs.tolist()) for logprobs in self.backend.logprobs(samples)]

    def entropy(self, samples: Sequence[Sample]) -> float:
        """Mean entropy of the policy at the samples' completion tokens, nats a token."""
        values = torch.cat(self.backend.entropies(samples))
        return float(values.double().mean())

    def reference_logprobs(self, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
        """The same by the weights of `snapshot_reference`. Raises ValueError without one."""
        return [tuple(values.tolist()) for values in self.backend.reference_logprobs(samples)]

    def prompt_states(self, samples: Sequence[Sample]) -> Tensor:
        """The last hidden state at the last token of each sample's prompt, fp32 on the CPU: a row
        a sample."""
        return self.backend.prompt_states(samples)

    def base_logprobs(self, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
        """The same by the base, without the adapter that is trained."""
        return [tuple(values.tolist()) for values in self.backend.base_logprobs(samples)]

    def export_bf16_state(self) -> dict[str, Tensor]:
        """The weights to publish in bf16, by transformers' names; see `Backend`."""
        return self.backend.export_bf16_state()

    def export_adapter(self) -> Adapter | None:
        """The adapter to publish; None where all weights are trained."""
        return self.backend.export_adapter()

    def write_shards(self, folder: Path) -> None:
        """What a backend of several processes keeps beside `state_dict`; nothing for others."""
        self.backend.write_shards(folder)

    def state_dict(self) -> dict[str, Any]:
        """Everything that the next step depends on, as copies on the CPU."""
        return self.backend.state_dict() | {
            "steps": self.steps,
            "phase_steps": self.phase_steps,
            "lr": self.lr,
            "warmup_steps": self.warmup_steps,
            "rng": self._rng.bit_generator.state,
        }

    def load_state_dict(self, state: dict[str, Any], folder: Path | None = None) -> None:
        """Continues where `state_dict` was taken; `folder` has what `write_shards` wrote. Raises
        ValueError for another model's shape."""
        self.backend.load_state_dict(state)
        if folder is not None:
            self.backend.read_shards(folder, bool(state.get("has_reference")))
        self.lr, self.warmup_steps = state["lr"], state["warmup_steps"]
        self.steps, self.phase_steps = state["steps"], state["phase_steps"]
        self._rng.bit_generator.state = state["rng"]

    def _rate(self) -> float:
        return self.lr * min(1.0, (self.phase_steps + 1) / (self.warmup_steps + 1))

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
        logprobs = self.backend.logprobs([samples[i] for i in chosen])
        return dict(zip(chosen, logprobs, strict=True))

    def _optimise(
        self,
        samples: Sequence[Sample],
        cut: Sequence[int],
        objective: Objective,
        proximal_L: dict[int, Tensor],
        lr: float | None,
        metrics: StepMetrics,
    ) -> None:
        """One optimiser step over samples[cut]."""
        before = [proximal_L.get(i) for i in cut]
        computed = self.backend.compute_gradient([samples[i] for i in cut], before, objective)
        for sums in computed.sums:
            metrics.add(sums)
        for place, logprobs in computed.proximal.items():
            proximal_L.setdefault(cut[place], logprobs)
        metrics.grad_norms.append(self._apply_gradient(lr))

    def _apply_gradient(self, lr: float | None) -> float:
        """Clips the accumulated gradient and takes the step; returns the norm before clipping."""
        norm = self.backend.gradient_norm()
        if not math.isfinite(norm):
            raise FloatingPointError(
                f"the gradient of optimiser step {self.steps} is not finite; weights are unchanged"
            )
        scale = min(self.config.grad_clip / (norm + 1e-6), 1.0)
        self.backend.apply_gradient(scale, self._rate() if lr is None else lr)
        self.steps += 1
        self.phase_steps += 1
        return norm


def make_backend(model: PreTrainedModel | Path, config: LearnerConfig) -> Backend:
    """The backend that `config.backend` names. Raises ValueError for a model that it cannot
    train."""
    if config.processes > 1:
        from trainer.learner_leader import LeadingBackend

        return LeadingBackend(model, config)
    if config.backend == "decoder" or (config.backend == "auto" and _suits_decoder(model, config)):
        return DecoderBackend(model, config)
    from trainer.transformers_backend import TransformersBackend

    return TransformersBackend(model, config)


def _moves(sample: Sample, loss: LossConfig) -> bool:
    has_bonus = loss.entropy_weight != 0.0
    return sample.moves_weights or (has_bonus and sample.weighted_tokens(sample.rl) > 0)


def _suits_decoder(model: PreTrainedModel | Path, config: LearnerConfig) -> bool:
    if config.checkpoint_activations or config.lora.rank:
        return False
    settings = load_config(model) if isinstance(model, Path) else model.config
    if settings.model_type != "qwen3" or getattr(settings, TIED_IN_TRAINING, False):
        return False
    try:
        Shape.from_config(settings)
    except ValueError:
        return False
    return True


def _compare_with_sampler(
    samples: Sequence[Sample], proximal_L: dict[int, Tensor], metrics: StepMetrics
) -> None:
    """Counts the sampler's logprobs against the learner's before the step, fresh and stale tokens
    apart: the former differ by the engines alone."""
    for index, logprobs in proximal_L.items():
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
