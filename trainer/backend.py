"""What the learner needs of a backend: the border between weighted tokens and their gradients.

The learner (`trainer.learner`) decides what one optimiser step is made of: mini-batches, counts of
the streams, logprobs before the update, the rate. A backend owns weights, gradient, reference and
optimiser state, and computes. It reads samples only: weights on tokens, of no algorithm that it
knows. The two that exist, `trainer.decoder_backend` and `trainer.transformers_backend`, keep flat
parameters (`trainer.flat_backend`); one that shards them need not.

A policy that reads pictures needs no other interface: a picture's bytes and the range of its
tokens belong to the sample, what becomes of them to the backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor

from trainer.lora import Adapter
from trainer.losses import Objective, StreamCounts
from trainer.packing import MicroBatch
from trainer.pictures import PictureReader
from trainer.samples import Sample

TIED_IN_TRAINING = "tied_in_training"
"""Key of a published config.json: the head was tied to the embedding, and is trained so again."""


@dataclass(frozen=True, slots=True)
class GradientPass:
    """What the samples of one optimiser step gave beside their gradient."""

    proximal: dict[int, Tensor] = field(default_factory=dict)
    """by index of the sample: logprobs of its completion tokens before the step's first update,
    fp32 on the CPU"""
    sums: list[dict[str, float]] = field(default_factory=list)
    """of each micro-batch, as `trainer.losses.total_loss` gives them"""


class Backend(Protocol):
    """Weights, and the computation on them. One thread calls it."""

    @property
    def model_config(self) -> Any:
        """The model's transformers config."""

    @property
    def pictures(self) -> PictureReader | None:
        """What makes patches of a sample's pictures; None where the model reads none."""

    @property
    def has_reference(self) -> bool:
        """Whether `snapshot_reference` was called and not undone."""

    def close(self) -> None:
        """Ends the worker threads."""

    def reset_optimizer(self) -> None:
        """Forgets the optimiser's moments."""

    def snapshot_reference(self) -> None:
        """From now on `ref_kl` pulls towards the weights as they are."""

    def drop_reference(self) -> None:
        """Frees the snapshot."""

    def compute_gradient(
        self, samples: Sequence[Sample], before_L: Sequence[Tensor | None], objective: Objective
    ) -> GradientPass:
        """The gradient of the loss over the samples takes the place of the one before.

        `before_L` has the proximal logprobs of each sample, None where the weights have not been
        updated since the step began. The result does not depend on how samples were split."""

    def compute_packed_gradient(
        self, batches: Sequence[MicroBatch], counts: StreamCounts
    ) -> list[dict[str, float]]:
        """The same of micro-batches of imitated samples; returns their sums."""

    def gradient_norm(self) -> float:
        """L2 norm over all weights; not finite if any entry is not."""

    def apply_gradient(self, scale: float, rate: float) -> None:
        """One optimiser step with the gradient times `scale`, at the learning rate `rate`."""

    def logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """Logprobs of each sample's completion tokens, fp32 on the CPU."""

    def reference_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """The same by the reference. Raises ValueError without one."""

    def entropies(self, samples: Sequence[Sample]) -> list[Tensor]:
        """Entropies of the distributions that `logprobs` are of, nats, fp32 on the CPU."""

    def prompt_states(self, samples: Sequence[Sample]) -> Tensor:
        """The last hidden state, from which logits are made, at the last token of each sample's
        prompt: a row a sample, fp32 on the CPU."""

    def base_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """The same without the adapter that is trained; where all weights are, the same."""

    def export_bf16_state(self) -> dict[str, Tensor]:
        """The weights to publish in bf16, by the names of published models. On a CPU a copy, on a
        GPU what the next update changes: write it before. A head that is tied to the embedding is
        in it as a matrix of its own, an adapter is merged."""

    def export_adapter(self) -> Adapter | None:
        """The adapter that is trained, in bf16 on the CPU; None where all weights are trained."""

    def write_shards(self, folder: Path) -> None:
        """What each process of a sharded backend keeps beside `state_dict`."""

    def read_shards(self, folder: Path, has_reference: bool) -> None:
        """Takes back what any number of processes wrote."""

    def state_dict(self) -> dict[str, Any]:
        """Weights, moments and reference, as copies on the CPU."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes back what `state_dict` gave. Raises ValueError for a model of another shape."""
