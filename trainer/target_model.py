"""A language model as one call: a micro-batch in, logprobs and entropies of its targets out.

FSDP gathers a module's parameters while the module runs. Embedding, last norm and head are used
between the layers, so all of it is one module with the layers inside.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from trainer.decoder import temperature_divisors
from trainer.packed_forward import hidden_states
from trainer.packing import MicroBatch
from trainer.selected_logprobs import selected_logprobs


class TargetModel(nn.Module):
    """`model` is trained in place. `temperature` is the sampler's."""

    def __init__(self, model: Any, temperature: float) -> None:
        super().__init__()
        self.model = model
        self._temperature = temperature

    def forward(self, micro: MicroBatch, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
        """Logprobs [N] and entropies [N] in fp32, and the states [N, E] that they are made of;
        layers compute in `dtype`."""
        # An embedding that is trained in fp32 adds up its rows without loss, also of a token that
        # occurs in every sample.
        embedded_TE = self.model.get_input_embeddings()(micro.ids_T).to(dtype)
        hidden_TE = hidden_states(self.model, micro, embedded_TE)
        states_NE = hidden_TE[micro.tail_rows_R[micro.target_rows_N]]
        divisor_N = temperature_divisors(micro, self._temperature)
        head_VE = self.model.get_output_embeddings().weight
        logprobs_N, entropy_N = selected_logprobs(states_NE, head_VE, micro.targets_N, divisor_N)
        return logprobs_N, entropy_N, states_NE
