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
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
    PreTrainedModel,
)
from transformers.modeling_layers import GradientCheckpointingLayer

from trainer.backend import TIED_IN_TRAINING
from trainer.decoder import temperature_divisors
from trainer.flat_backend import FlatBackend, MicroResult
from trainer.learner_config import LearnerConfig
from trainer.lora import Adapter, attach_adapters, make_adapter, merged_weights
from trainer.losses import Objective, weigh_targets
from trainer.model_files import WEIGHTS_AS_DATA, load_config
from trainer.module_weights import ModuleWeights
from trainer.packed_forward import (
    BLOCKS,
    POSITIONS,
    VARLEN,
    choose_attention,
    hidden_states,
)
from trainer.packing import MicroBatch
from trainer.patch_projection import project_patches
from trainer.picture_forward import hidden_states_with_pictures
from trainer.pictures import PictureReader
from trainer.samples import Sample
from trainer.selected_logprobs import selected_logprobs
from trainer.unfused_attention import UNFUSED

FLASH_GAP = 0.1
"""Nats in the mean between flash attention in bf16 and the same in fp32: rounding gives a tenth of
this, reading another sample more."""


class TransformersBackend(FlatBackend[ModuleWeights]):
    """`source` is a causal language model or the folder of one; it is trained in place.

    Raises ValueError for a model that this backend would compute wrongly."""

    def __init__(self, source: PreTrainedModel | Path, config: LearnerConfig) -> None:
        device = torch.device(config.device)
        dtype = config.compute_dtype
        model: Any = load_language_model(source) if isinstance(source, Path) else source
        turn_off_dropout(model)
        if device.type == "cpu":
            project_patches(model)
        if config.lora.rank:
            attach_adapters(model, config.lora, config.seed)
        model.config.architectures = [type(model).__name__]
        if config.checkpoint_activations:
            model.gradient_checkpointing_enable({"use_reentrant": False})
            model.train()
        self._sees = hasattr(model.config, "vision_config")
        if self._sees and isinstance(source, Path):
            self.pictures = PictureReader(source)
        attention = choose_attention(model, device, dtype)
        if config.compile and attention == BLOCKS:
            # The blocks of every row are others, and would be compiled anew.
            attention = VARLEN
        self.shares_prompts = attention == BLOCKS
        model.set_attn_implementation(POSITIONS)
        embedding = model.get_input_embeddings()
        names = {parameter: name for name, parameter in model.named_parameters()}
        self._embeds_by_rows = type(embedding) is nn.Embedding and embedding.weight.requires_grad
        weights = ModuleWeights(model, names[embedding.weight], torch.float32, device)
        _move_rest(model, device)
        super().__init__(config, model.config, weights)
        try:
            self._prepare(model, attention, dtype)
        except BaseException:
            self.close()
            raise

    def _prepare(self, model: Any, attention: str, dtype: torch.dtype) -> None:
        """Checks the model in fp32, then makes it ready to compute in `dtype`."""
        samples, expected = _own_logprobs(model, self.device)
        # Flash kernels have no fp32: they are checked in bf16 below.
        is_flash = attention == VARLEN and self.device.type == "cuda"
        model.set_attn_implementation(POSITIONS if is_flash else attention)
        gap = max(
            float((own - theirs).abs().max())
            for own, theirs in zip(self.logprobs(samples), expected, strict=True)
        )
        if not gap < 1e-3:
            raise ValueError(
                f"the transformers backend would compute {type(model).__name__} wrongly: packed "
                f"logprobs differ by {gap:.3g} nats from the model's own; its logits are more than "
                "a product with its head, or its attention is not causal"
            )
        if dtype != torch.float32:
            self.weights.use_dtype(dtype)
            for parameter in model.parameters():
                parameter.data = parameter.data.to(dtype)
        is_slow = attention == POSITIONS and self.config.is_on_cpu and dtype == torch.bfloat16
        model.set_attn_implementation(UNFUSED if is_slow else attention)
        if is_flash:
            mean = float((torch.cat(self.logprobs(samples)) - torch.cat(expected)).abs().mean())
            if not mean < FLASH_GAP:
                raise ValueError(
                    f"flash attention would compute {type(model).__name__} wrongly: packed "
                    f"logprobs differ by {mean:.3g} nats in the mean from those in fp32"
                )
        if self._pool is None:
            self._add_gradients_at_once()
        if self.config.compile:
            for layer in model.get_decoder().modules():
                if isinstance(layer, GradientCheckpointingLayer):
                    layer.compile(dynamic=True)

    def _add_gradients_at_once(self) -> None:
        """From now on a backward adds each matrix's gradient to the flat one as soon as it is made,
        and frees it: all of them at once would take as much memory as the model."""
        totals = self.weights.views(self.optimizer.gradient_P)
        for name, parameter in self.weights.leaves.items():
            parameter.register_post_accumulate_grad_hook(
                partial(_move_gradient, totals[name].view(-1))
            )

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
        self, micro: MicroBatch, before_L: Sequence[Tensor | None], objective: Objective
    ) -> MicroResult:
        """Gradients of one micro-batch."""
        embedded_TE = self._embed(self.weights, micro)
        if self._embeds_by_rows:
            # Rows are added up in fp32 by `FlatBackend`: summed in bf16, most of the contributions
            # to a frequent token's row would be lost.
            embedded_TE = embedded_TE.detach().requires_grad_()
        current_N, entropy_N = self._targets(self.weights, micro, embedded_TE)
        reference_N = None
        if self._reference is not None and micro.has_ref_kl:
            reference_N = self._logprobs_by(self._reference, micro)
        loss, proximal_N, sums = weigh_targets(
            current_N,
            entropy_N,
            reference_N,
            micro,
            before_L,
            objective.counts,
            objective.config,
        )
        by_rows = [embedded_TE] if self._embeds_by_rows else []
        leaves: dict[str, nn.Parameter] = {}
        gradients: list[Tensor | None]
        if self._pool is None:
            # What the matrices get is added by their hooks.
            torch.autograd.backward(loss)
            gradients = [tensor.grad for tensor in by_rows]
        else:
            leaves = self.weights.leaves
            inputs = [*by_rows, *leaves.values()]
            gradients = list(torch.autograd.grad(loss, inputs, allow_unused=True))
        embed_grad_TE = gradients.pop(0) if by_rows else None
        return MicroResult(
            ids_T=micro.ids_T,
            embed_grad_TE=None if embed_grad_TE is None else embed_grad_TE.float(),
            grads={
                name: grad for name, grad in zip(leaves, gradients, strict=True) if grad is not None
            },
            proximal_N=proximal_N,
            sums=sums,
        )

    def target_logprobs(self, weights: ModuleWeights, micro: MicroBatch) -> Tensor:
        """[N] fp32 logprobs of the targets."""
        return self._logprobs_by(weights, micro)

    @torch.no_grad()
    def target_entropies(self, micro: MicroBatch) -> Tensor:
        """[N] fp32 entropies at the targets."""
        return self._targets(self.weights, micro, self._embed(self.weights, micro))[1]

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
        """The weights by transformers' names; the model's state has a tied head under its own
        name, too. An adapter is merged. On a GPU the weights themselves: a copy may not fit."""
        on_cpu = self.device.type == "cpu"
        if self.config.lora.rank:
            merged = merged_weights(self.weights.module)
            return {name: value.to(torch.bfloat16) for name, value in merged}
        has_copy = not on_cpu and self.weights.compute_P.dtype == torch.bfloat16
        flat_P = self.weights.compute_P if has_copy else self.weights.master_P
        views = self.weights.views(flat_P)
        trained = {id(self.weights.leaves[name]): view for name, view in views.items()}
        named = self.weights.module.named_parameters(remove_duplicate=False)
        values = self.weights.module.state_dict() | {
            name: trained.get(id(parameter), parameter.detach()) for name, parameter in named
        }
        return {name: value.to(torch.bfloat16, copy=on_cpu) for name, value in values.items()}

    @torch.no_grad()
    def _logprobs_by(self, weights: ModuleWeights, micro: MicroBatch) -> Tensor:
        return self._targets(weights, micro, self._embed(weights, micro))[0]

    def _embed(self, weights: ModuleWeights, micro: MicroBatch) -> Tensor:
        embedded: Tensor = _language_model(weights).get_input_embeddings()(micro.ids_T)
        return embedded

    def target_states(self, micro: MicroBatch) -> Tensor:
        """[N, E] last hidden states that predict the targets."""
        return self._states(self.weights, micro, self._embed(self.weights, micro))

    def _states(self, weights: ModuleWeights, micro: MicroBatch, embedded_TE: Tensor) -> Tensor:
        """[N, E] at the targets."""
        model = _language_model(weights)
        if self._sees:
            hidden_TE = hidden_states_with_pictures(model, micro, embedded_TE, self.pictures)
        else:
            hidden_TE = hidden_states(model, micro, embedded_TE)
        return hidden_TE[micro.tail_rows_R[micro.target_rows_N]]

    def _targets(
        self, weights: ModuleWeights, micro: MicroBatch, embedded_TE: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Logprobs and entropies [N] at the targets."""
        states_NE = self._states(weights, micro, embedded_TE)
        divisor_N = temperature_divisors(micro, self.config.temperature)
        head = _language_model(weights).get_output_embeddings()
        return selected_logprobs(states_NE, head.weight, micro.targets_N, divisor_N)


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


def turn_off_dropout(model: PreTrainedModel) -> None:
    """Activation checkpoints need training mode, in which dropout would act."""
    modules: list[Any] = list(model.modules())
    for module in modules:
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        if isinstance(getattr(module, "attention_dropout", None), float):
            module.attention_dropout = 0.0


def _move_rest(model: PreTrainedModel, device: torch.device) -> None:
    """What is not trained goes to the device, in fp32."""
    for tensor in (*model.parameters(), *model.buffers()):
        dtype = torch.float32 if tensor.is_floating_point() else tensor.dtype
        tensor.data = tensor.data.to(device, dtype)


def _move_gradient(total_P: Tensor, parameter: nn.Parameter) -> None:
    assert parameter.grad is not None
    total_P.add_(parameter.grad.view(-1))
    parameter.grad = None


@torch.no_grad()
def _own_logprobs(model: Any, device: torch.device) -> tuple[list[Sample], list[Tensor]]:
    """Short samples with their logprobs by the model's own forward, a sample at a time."""
    vocab = model.get_input_embeddings().weight.shape[0]
    rows = [[(7 * place + 3 * row) % vocab for place in range(12)] for row in range(3)]
    samples = [Sample(tuple(rows[0][:5]), tuple(ids[5:]), ce=1.0) for ids in rows]
    expected = []
    for sample in samples:
        ids = torch.tensor([sample.prompt_ids + sample.completion_ids], device=device)
        logits_TV = model(input_ids=ids, use_cache=False).logits[0].float()
        logs_TV = torch.log_softmax(logits_TV, -1)
        start = len(sample.prompt_ids)
        expected.append(logs_TV[start - 1 : -1].gather(1, ids[0, start:, None])[:, 0].cpu())
    return samples, expected
