"""The backend with a decoder of our own: the fast path on CPUs for untied, text-only Qwen3, and the
numerical oracle of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel, Qwen3ForCausalLM

from trainer import micro_step
from trainer.decoder import Shape
from trainer.flat_backend import FlatBackend
from trainer.learner_config import LearnerConfig
from trainer.losses import StreamCounts
from trainer.micro_step import MicroResult
from trainer.packing import MicroBatch
from trainer.weights import FlatWeights


class DecoderBackend(FlatBackend[FlatWeights]):
    """`model` is a Qwen3ForCausalLM or the folder of one. Raises ValueError for a model that this
    decoder would compute wrongly."""

    def __init__(self, model: PreTrainedModel | Path, config: LearnerConfig) -> None:
        if config.lora.rank:
            raise ValueError(
                "learner.backend=decoder trains all weights; for learner.lora choose auto or "
                "transformers"
            )
        if isinstance(model, Path):
            model = Qwen3ForCausalLM.from_pretrained(model, dtype=torch.float32)
        self.shape = Shape.from_config(model.config)
        model.config.architectures = [Qwen3ForCausalLM.__name__]
        dtype: torch.dtype = getattr(torch, config.dtype)
        weights = FlatWeights(self.shape, dtype, torch.device(config.device))
        weights.load_hf(model.state_dict())
        super().__init__(config, model.config, weights)

    def make_weights(self, master: Tensor) -> FlatWeights:
        """Weights beside the trained ones, with these values."""
        weights = FlatWeights(self.shape, self.weights.compute.dtype, self.device)
        weights.master.copy_(master)
        weights.refresh()
        return weights

    def describe_shape(self) -> dict[str, Any]:
        """The decoder's shape."""
        return asdict(self.shape)

    def compute_micro(
        self, micro: MicroBatch, before: Sequence[Tensor | None], counts: StreamCounts
    ) -> MicroResult:
        """Gradients of one micro-batch."""
        return micro_step.compute_gradients(
            self.weights,
            self._reference,
            micro,
            before=before,
            counts=counts,
            loss_config=self.config.loss,
            temperature=self.config.temperature,
        )

    def target_logprobs(self, weights: FlatWeights, micro: MicroBatch) -> Tensor:
        """[N] fp32 logprobs of the targets."""
        return micro_step.target_logprobs(weights, micro, self.config.temperature)

    def export_bf16_state(self) -> dict[str, Tensor]:
        """The weights by transformers' names: a copy in bf16 on the CPU."""
        views = self.weights.hf_views(self.weights.master)
        return {name: view.to("cpu", torch.bfloat16, copy=True) for name, view in views.items()}
