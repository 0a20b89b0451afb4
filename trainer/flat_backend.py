"""What backends with flat parameters share: worker threads, optimiser, reference, state.

On a CPU each worker thread computes a micro-batch of its own with one OpenMP thread: no barriers
inside operators, so a busy neighbour slows one thread instead of stalling all. PyTorch releases
the GIL within operators, so a learner step can run in an executor of an asyncio program.

On a GPU one thread queues all micro-batches and reads no result before the last one is queued.

Guarantees: master weights and accumulated gradients are fp32, products run in `dtype`; on a CPU
equal inputs give equal weights bit for bit, whichever thread was first (a GPU's kernels add in no
fixed order).

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor

from trainer.backend import GradientPass
from trainer.learner_config import LearnerConfig
from trainer.lora import Adapter
from trainer.losses import Objective, StreamCounts
from trainer.packing import MicroBatch, pack
from trainer.pictures import PictureReader
from trainer.rounded_adamw import RoundedAdamW
from trainer.samples import Sample

T = TypeVar("T")

SLICE = 1 << 30
"""Entries of the flat tensor that are updated by one call: their offsets fit into 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MicroResult:
    """Gradients of one micro-batch: the embedding's by rows in fp32, the others by matrix.

    All is on the device that computes: what reads it there waits for the device."""

    ids_T: Tensor
    embed_grad_TE: Tensor | None
    """None where the embedding is not trained by rows"""
    grads: dict[str, Tensor]
    """without those that were added to the flat gradient already"""
    proximal_N: Tensor
    """logprobs of the targets before the step's first update"""
    sums: dict[str, Tensor]


class Weights(Protocol):
    """Parameters as one flat fp32 tensor, and the copy that is computed with."""

    embed: str
    """name of the embedding among `views`"""
    master_P: Tensor
    decayed: int

    def views(self, flat_P: Tensor) -> dict[str, Tensor]:
        """The matrices of a flat tensor by name, as views of it."""

    def refresh(self) -> None:
        """Copies the master to the compute weights."""


W = TypeVar("W", bound=Weights)


class FlatOptimizer:
    """AdamW over one flat fp32 tensor: a few fused calls update all weights.

    Updates `master_P` by `gradient_P`; weight decay applies to the first `decayed` entries."""

    def __init__(self, master_P: Tensor, decayed: int, config: LearnerConfig) -> None:
        self.gradient_P = torch.zeros_like(master_P)
        self._master, self._decayed, self._config = master_P, decayed, config
        self.reset()

    def reset(self) -> None:
        """Forgets the moments."""
        config = self._config
        decayed = self._make_parts(0, self._decayed)
        plain = self._make_parts(self._decayed, self._master.numel())
        self._parts = decayed + plain
        groups: list[dict[str, Any]] = [
            {"params": decayed, "weight_decay": config.weight_decay},
            {"params": plain, "weight_decay": 0.0},
        ]
        self._optimizer: torch.optim.Optimizer
        if config.moments == "bfloat16":
            self._optimizer = RoundedAdamW(groups, config.lr, config.betas, config.adam_eps)
        else:
            self._optimizer = torch.optim.AdamW(
                groups, lr=config.lr, betas=config.betas, eps=config.adam_eps, fused=True
            )

    def step(self, scale: float, rate: float) -> None:
        """One update with the gradient times `scale`."""
        self.gradient_P.mul_(scale)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()

    def moments(self) -> list[dict[str, Any]]:
        """The optimiser's state of each part, as copies on the CPU."""
        states = [self._optimizer.state.get(part, {}) for part in self._parts]
        return [{key: value.cpu().clone() for key, value in state.items()} for state in states]

    def load_moments(self, moments: list[dict[str, Any]]) -> None:
        """Takes back what `moments` gave."""
        self.reset()
        for part, state in zip(self._parts, moments, strict=True):
            if state:
                self._optimizer.state[part] = {
                    key: value.to(part.device, copy=True) for key, value in state.items()
                }

    def _make_parts(self, begin: int, end: int) -> list[torch.nn.Parameter]:
        """Views of the master as parameters, with views of the flat gradient; at least one."""
        parts = []
        for start in range(begin, max(end, begin + 1), SLICE):
            rows = slice(start, min(start + SLICE, end))
            part = torch.nn.Parameter(self._master[rows])
            part.grad = self.gradient_P[rows]
            parts.append(part)
        return parts


class FlatBackend(ABC, Generic[W]):
    """See `trainer.backend.Backend`. A subclass makes weights and computes one micro-batch."""

    pictures: PictureReader | None = None
    shares_prompts = True
    """whether a bundle of several completions can be computed; otherwise each has its own prompt"""

    def __init__(self, config: LearnerConfig, model_config: Any, weights: W) -> None:
        self.config, self.model_config, self.weights = config, model_config, weights
        self.device = weights.master_P.device
        self.optimizer = FlatOptimizer(weights.master_P, weights.decayed, config)
        self._reference: W | None = None
        self._pool: ThreadPoolExecutor | None = None
        if config.is_on_cpu:
            # One OpenMP thread each: the workers share the cores by micro-batches, not within
            # operators.
            self._pool = ThreadPoolExecutor(
                config.threads, "learner", initializer=torch.set_num_threads, initargs=(1,)
            )

    @abstractmethod
    def make_weights(self, master_P: Tensor) -> W:
        """Weights beside the trained ones, with these values."""

    @abstractmethod
    def describe_shape(self) -> dict[str, Any]:
        """What a checkpoint must agree with."""

    @abstractmethod
    def compute_micro(
        self, micro: MicroBatch, before_L: Sequence[Tensor | None], objective: Objective
    ) -> MicroResult:
        """Gradients of one micro-batch. Called by several threads at once: only reads weights."""

    @abstractmethod
    def target_logprobs(self, weights: W, micro: MicroBatch) -> Tensor:
        """[N] fp32 logprobs of the targets. Called by several threads at once."""

    @abstractmethod
    def target_entropies(self, micro: MicroBatch) -> Tensor:
        """[N] fp32 entropies at the targets. Called by several threads at once."""

    @abstractmethod
    def target_states(self, micro: MicroBatch) -> Tensor:
        """[N, E] last hidden states that predict the targets. Called by several threads at
        once."""

    @abstractmethod
    def export_bf16_state(self) -> dict[str, Tensor]:
        """See `Backend.export_bf16_state`."""

    @property
    def has_reference(self) -> bool:
        """Whether there is a snapshot to pull towards."""
        return self._reference is not None

    def close(self) -> None:
        """Ends the worker threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def reset_optimizer(self) -> None:
        """Forgets the optimiser's moments."""
        self.optimizer.reset()

    def snapshot_reference(self) -> None:
        """From now on `ref_kl` pulls towards the weights as they are."""
        self._reference = self.make_weights(self.weights.master_P)

    def drop_reference(self) -> None:
        """Frees the snapshot."""
        self._reference = None

    def compute_gradient(
        self, samples: Sequence[Sample], before_L: Sequence[Tensor | None], objective: Objective
    ) -> GradientPass:
        """See `Backend.compute_gradient`."""
        return self._accumulate(self._pack(samples), before_L, objective)

    def compute_packed_gradient(
        self, batches: Sequence[MicroBatch], counts: StreamCounts
    ) -> list[dict[str, float]]:
        """See `Backend.compute_packed_gradient`."""
        return self._accumulate(batches, (), Objective(self.config.loss, counts)).sums

    def _accumulate(
        self,
        batches: Sequence[MicroBatch],
        before_L: Sequence[Tensor | None],
        objective: Objective,
    ) -> GradientPass:
        """The gradient of all batches. Proximal logprobs are kept where `before_L` has a place."""
        self.optimizer.gradient_P.zero_()
        grads = self.weights.views(self.optimizer.gradient_P)
        parts: list[tuple[MicroBatch, dict[str, Tensor], Tensor]] = []

        def compute(micro: MicroBatch) -> MicroResult:
            return self.compute_micro(micro.to(self.device), before_L, objective)

        # Worker threads return their gradients: only this one writes the sum.
        for micro, part in self._map_in_order(batches, compute):
            for name, grad in part.grads.items():
                grads[name].add_(grad)
            if part.embed_grad_TE is not None:
                # Rows that were read several times are summed in fp32.
                grads[self.weights.embed].index_add_(0, part.ids_T, part.embed_grad_TE)
            parts.append((micro, part.sums, part.proximal_N))
        # Read when all is queued: a GPU never waits for Python between micro-batches.
        result = GradientPass()
        for micro, sums, proximal_N in parts:
            values: list[float] = torch.stack(list(sums.values())).tolist()
            result.sums.append(dict(zip(sums, values, strict=True)))
            if not before_L:
                continue
            logprobs_N = proximal_N.cpu()
            result.proximal.update((place, logprobs_N[rows]) for place, rows in micro.completions)
        return result

    def gradient_norm(self) -> float:
        """L2 norm of the gradient."""
        return float(torch.linalg.vector_norm(self.optimizer.gradient_P))

    def apply_gradient(self, scale: float, rate: float) -> None:
        """One optimiser step."""
        self.optimizer.step(scale, rate)
        self.weights.refresh()

    def logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """Completion logprobs of every sample, fp32 on the CPU."""
        return self.logprobs_by(self.weights, samples)

    def reference_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend.reference_logprobs`."""
        if self._reference is None:
            raise ValueError("there is no reference: call snapshot_reference() first")
        return self.logprobs_by(self._reference, samples)

    def entropies(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend.entropies`."""
        return self._by_sample(samples, self.target_entropies)

    @torch.no_grad()
    def prompt_states(self, samples: Sequence[Sample]) -> Tensor:
        """See `Backend.prompt_states`."""
        # The prompt's last token predicts the first token of the completion; no other is needed.
        firsts = [
            Sample(sample.prompt_ids, sample.completion_ids[:1], pictures=sample.pictures)
            for sample in samples
        ]
        rows: list[Tensor] = [torch.empty(0)] * len(samples)

        def compute(micro: MicroBatch) -> Tensor:
            with torch.no_grad():  # of each thread its own
                return self.target_states(micro.to(self.device))

        for micro, states_NE in self._map_in_order(self._pack(firsts), compute):
            states_NE = states_NE.float().cpu()
            for place, targets in micro.completions:
                rows[place] = states_NE[targets.start]
        return torch.stack(rows)

    def base_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend.base_logprobs`."""
        return self.logprobs(samples)

    def export_adapter(self) -> Adapter | None:
        """See `Backend.export_adapter`."""
        return None

    def logprobs_by(self, weights: W, samples: Sequence[Sample]) -> list[Tensor]:
        """The same by other weights than those that are trained."""
        return self._by_sample(samples, lambda micro: self.target_logprobs(weights, micro))

    def _by_sample(
        self, samples: Sequence[Sample], measure: Callable[[MicroBatch], Tensor]
    ) -> list[Tensor]:
        """What is measured at the targets, by sample, on the CPU."""
        result: list[Tensor] = [torch.empty(0)] * len(samples)

        def compute(micro: MicroBatch) -> Tensor:
            return measure(micro.to(self.device))

        for micro, values_N in list(self._map_in_order(self._pack(samples), compute)):
            values_N = values_N.cpu()
            for place, rows in micro.completions:
                result[place] = values_N[rows]
        return result

    def write_shards(self, folder: Path) -> None:
        """Nothing: `state_dict` has it all."""

    def read_shards(self, folder: Path, has_reference: bool) -> None:
        """Raises ValueError: there is nothing of one process in such files."""
        raise ValueError(
            f"{folder} is of a learner with several processes: set learner.processes as it was"
        )

    def state_dict(self) -> dict[str, Any]:
        """Weights, moments and reference, as copies on the CPU."""
        return {
            "shape": self.describe_shape(),
            "master": self.weights.master_P.cpu().clone(),
            "moments": self.optimizer.moments(),
            "reference": None
            if self._reference is None
            else self._reference.master_P.cpu().clone(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes back what `state_dict` gave. Raises ValueError for a model of another shape."""
        shape = self.describe_shape()
        if state["shape"] != shape:
            raise ValueError(
                f"the checkpoint is of a model of shape {state['shape']}, this one has {shape}"
            )
        self.weights.master_P.copy_(state["master"])
        self.weights.refresh()
        self.optimizer.load_moments(state["moments"])
        # A checkpoint without a reference must not keep the one of this process.
        self.drop_reference()
        if state["reference"] is not None:
            self._reference = self.make_weights(state["reference"])

    def _pack(self, samples: Sequence[Sample]) -> list[MicroBatch]:
        if not samples:
            return []
        shares = self.config.share_prompts and self.shares_prompts
        return pack(samples, self.config.micro_tokens, self.config.lanes, shares)

    def _map_in_order(
        self, batches: Sequence[MicroBatch], compute: Callable[[MicroBatch], T]
    ) -> Iterable[tuple[MicroBatch, T]]:
        """Results in the order of the batches, not in that of finishing: floating-point sums depend
        on their order, and equal inputs must give equal weights."""
        results = map(compute, batches) if self._pool is None else self._pool.map(compute, batches)
        return zip(batches, results, strict=True)
