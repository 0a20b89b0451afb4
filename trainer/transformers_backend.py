"""The backend for language models of transformers, with or without a vision tower: own tokenizer,
tied or untied head.

Guarantees
- losses and gradients are those of `trainer.decoder_backend` where that one can compute the model;
- a model whose logits are more than the product of its last hidden states and its head (a scale, a
  cap, a bias) is refused when the learner is made, not trained on wrong numbers;
- dropout is off: the probability that is learnt is the one that is served.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
    PreTrainedModel,
)

from trainer.backend import TIED_IN_TRAINING
from trainer.decoder import temperature_divisors
from trainer.flat_backend import FlatBackend, MicroResult
from trainer.learner_config import LearnerConfig
from trainer.lora import Adapter, attach_adapters, make_adapter, merged_state
from trainer.losses import StreamCounts, weigh_targets
from trainer.model_files import WEIGHTS_AS_DATA, load_config
from trainer.module_weights import ModuleWeights
from trainer.packed_forward import BLOCKS, hidden_states, uses_blocks
from trainer.packing import MicroBatch
from trainer.picture_forward import hidden_states_with_pictures
from trainer.pictures import PictureReader
from trainer.samples import Sample
from trainer.selected_logprobs import selected_logprobs


class TransformersBackend(FlatBackend[ModuleWeights]):
    """`source` is a causal language model or the folder of one; it is trained in place.

    Raises ValueError for a model that this backend would compute wrongly."""

    def __init__(self, source: PreTrainedModel | Path, config: LearnerConfig) -> None:
        device = torch.device(config.device)
        model: Any = load_language_model(source) if isinstance(source, Path) else source
        model.float().to(device)
        _turn_off_dropout(model)
        if config.lora.rank:
            attach_adapters(model, config.lora, config.seed)
        model.config.architectures = [type(model).__name__]
        if config.checkpoint_activations:
            model.gradient_checkpointing_enable({"use_reentrant": False})
            model.train()
        self._sees = hasattr(model.config, "vision_config")
        self._pictures = PictureReader(source) if self._sees and isinstance(source, Path) else None
        self.shares_prompts = not self._sees and uses_blocks(model, device)
        model.set_attn_implementation("sdpa")
        embedding = model.get_input_embeddings()
        names = {parameter: name for name, parameter in model.named_parameters()}
        self._embeds_by_rows = type(embedding) is nn.Embedding and embedding.weight.requires_grad
        weights = ModuleWeights(model, names[embedding.weight], torch.float32)
        super().__init__(config, model.config, weights)
        try:
            self._check_logits(model)
            dtype: torch.dtype = getattr(torch, config.dtype)
            if dtype != torch.float32:
                self.weights.use_dtype(dtype)
                for parameter in model.parameters():
                    parameter.data = parameter.data.to(dtype)
        except BaseException:
            self.close()
            raise

    def make_weights(self, master_P: Tensor) -> ModuleWeights:
        """A copy of the model with these values; what is not trained is shared with it."""
        shared = {id(p): p for p in self.weights.module.parameters() if not p.requires_grad}
        module = copy.deepcopy(self.weights.module, shared)
        weights = ModuleWeights(module, self.weights.embed, self.weights.compute_P.dtype)
        weights.master_P.copy_(master_P)
        weights.refresh()
        return weights

    def describe_shape(self) -> dict[str, Any]:
        """Sizes of the trained parameters."""
        return {"model_type": self.model_config.model_type, "sizes": self.weights.shape}

    def compute_micro(
        self, micro: MicroBatch, before_L: Sequence[Tensor | None], counts: StreamCounts
    ) -> MicroResult:
        """Gradients of one micro-batch."""
        leaves = dict(self.weights.leaves)
        embedded_TE = self._embed(self.weights, micro)
        if self._embeds_by_rows:
            # Rows are added up in fp32 by `FlatBackend`: summed in bf16, most of the contributions
            # to a frequent token's row would be lost.
            embedded_TE = embedded_TE.detach().requires_grad_()
        current_N, entropy_N = self._targets(self.weights, micro, embedded_TE)
        reference_N = None
        if self._reference is not None and bool((micro.ref_kl_N != 0).any()):
            reference_N = self._logprobs_by(self._reference, micro)
        loss, proximal_N, sums = weigh_targets(
            current_N, entropy_N, reference_N, micro, before_L, counts, self.config.loss
        )
        inputs = [embedded_TE, *leaves.values()] if self._embeds_by_rows else list(leaves.values())
        gradients = list(torch.autograd.grad(loss, inputs, allow_unused=True))
        embed_grad_TE = gradients.pop(0) if self._embeds_by_rows else None
        return MicroResult(
            ids_T=micro.ids_T,
            embed_grad_TE=None if embed_grad_TE is None else embed_grad_TE.float(),
            grads={
                name: grad for name, grad in zip(leaves, gradients, strict=True) if grad is not None
            },
            proximal_N=proximal_N.cpu(),
            sums=sums,
        )

    def target_logprobs(self, weights: ModuleWeights, micro: MicroBatch) -> Tensor:
        """[N] fp32 logprobs of the targets."""
        return self._logprobs_by(weights, micro)

    def base_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend.base_logprobs`."""
        if not self.config.lora.rank:
            return self.logprobs(samples)
        return self.logprobs_by(self.make_weights(torch.zeros_like(self.weights.master_P)), samples)

    def export_adapter(self) -> Adapter | None:
        """See `Backend.export_adapter`."""
        lora = self.config.lora
        return make_adapter(self.weights.module, lora) if lora.rank else None

    def export_bf16_state(self) -> dict[str, Tensor]:
        """The weights by transformers' names: a copy in bf16 on the CPU. The model's state has a
        tied head under its own name, too. An adapter is merged."""
        if self.config.lora.rank:
            merged = merged_state(self.weights.module)
            return {name: value.to("cpu", torch.bfloat16) for name, value in merged.items()}
        views = self.weights.views(self.weights.master_P)
        masters = {id(self.weights.leaves[name]): view for name, view in views.items()}
        named = self.weights.module.named_parameters(remove_duplicate=False)
        values = self.weights.module.state_dict() | {
            name: masters.get(id(parameter), parameter.detach()) for name, parameter in named
        }
        return {name: value.to("cpu", torch.bfloat16, copy=True) for name, value in values.items()}

    @torch.no_grad()
    def _logprobs_by(self, weights: ModuleWeights, micro: MicroBatch) -> Tensor:
        return self._targets(weights, micro, self._embed(weights, micro))[0]

    def _embed(self, weights: ModuleWeights, micro: MicroBatch) -> Tensor:
        embedded: Tensor = _language_model(weights).get_input_embeddings()(micro.ids_T)
        return embedded

    def _targets(
        self, weights: ModuleWeights, micro: MicroBatch, embedded_TE: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Logprobs and entropies [N] at the targets."""
        model = _language_model(weights)
        if self._sees:
            hidden_TE = hidden_states_with_pictures(model, micro, embedded_TE, self._pictures)
        else:
            hidden_TE = hidden_states(model, micro, embedded_TE)
        rows_N = micro.tail_rows_R[micro.target_rows_N]
        divisor_N = temperature_divisors(micro, self.config.temperature)
        head = model.get_output_embeddings()
        return selected_logprobs(hidden_TE[rows_N], head.weight, micro.targets_N, divisor_N)

    @torch.no_grad()
    def _check_logits(self, model: Any) -> None:
        """Compares packed logprobs with those of the model's own forward, a sample at a time."""
        vocab = model.get_input_embeddings().weight.shape[0]
        rows = [[(7 * place + 3 * row) % vocab for place in range(12)] for row in range(3)]
        samples = [Sample(tuple(rows[0][:5]), tuple(ids[5:]), ce=1.0) for ids in rows]
        expected = []
        for sample in samples:
            ids = torch.tensor([sample.prompt_ids + sample.completion_ids], device=self.device)
            logits_TV = model(input_ids=ids, use_cache=False).logits[0].float()
            logs_TV = torch.log_softmax(logits_TV, -1)
            start = len(sample.prompt_ids)
            expected.append(logs_TV[start - 1 : -1].gather(1, ids[0, start:, None])[:, 0].cpu())
        if self.shares_prompts:
            model.set_attn_implementation(BLOCKS)
        own = self.logprobs(samples)
        gap = max(
            float((ours - theirs).abs().max()) for ours, theirs in zip(own, expected, strict=True)
        )
        if not gap < 1e-3:
            raise ValueError(
                f"the transformers backend would compute {type(model).__name__} wrongly: packed "
                f"logprobs differ by {gap:.3g} nats from the model's own; its logits are more than "
                "a product with its head, or its attention is not causal"
            )


def load_language_model(folder: Path) -> PreTrainedModel:
    """A language model in fp32, tied again if it was published from a tied one."""
    config = load_config(folder)
    if getattr(config, TIED_IN_TRAINING, False):
        config.tie_word_embeddings = True
    sees = hasattr(config, "vision_config")
    auto: Any = AutoModelForImageTextToText if sees else AutoModelForCausalLM
    model: PreTrainedModel = auto.from_pretrained(
        folder, config=config, dtype=torch.float32, **WEIGHTS_AS_DATA
    )
    return model


def _language_model(weights: ModuleWeights) -> PreTrainedModel:
    assert isinstance(weights.module, PreTrainedModel)
    return weights.module


def _turn_off_dropout(model: PreTrainedModel) -> None:
    """Activation checkpoints need training mode, in which dropout would act."""
    modules: list[Any] = list(model.modules())
    for module in modules:
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        if isinstance(getattr(module, "attention_dropout", None), float):
            module.attention_dropout = 0.0
