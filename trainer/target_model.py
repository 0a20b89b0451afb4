"""A language model as one call: a micro-batch in, logprobs and entropies of its targets out.

FSDP gathers a module's parameters while the module runs. Embedding, last norm and head are used
between the layers, so all of it is one module with the layers inside.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from trainer.decoder import temperature_divisors
from trainer.packed_forward import hidden_states
from trainer.packing import MicroBatch
from trainer.picture_forward import hidden_states_with_pictures
from trainer.pictures import PictureReader
from trainer.selected_logprobs import selected_logprobs


class TargetModel(nn.Module):
    """`model` is trained in place. `temperature` is the sampler's; `reader` makes the patches for a
    model with a vision tower, and is None for others."""

    def __init__(self, model: Any, temperature: float, reader: PictureReader | None = None) -> None:
        super().__init__()
        self.model = model
        self._temperature, self._reader = temperature, reader

    def forward(self, micro: MicroBatch) -> tuple[Tensor, Tensor, Tensor]:
        """Logprobs [N] and entropies [N] in fp32, and the states [N, E] that they are made of."""
        embedded_TE = self.model.get_input_embeddings()(micro.ids_T)
        if self._reader is None:
            hidden_TE = hidden_states(self.model, micro, embedded_TE)
        else:
            hidden_TE = hidden_states_with_pictures(self.model, micro, embedded_TE, self._reader)
        states_NE = hidden_TE[micro.tail_rows_R[micro.target_rows_N]]
        divisor_N = temperature_divisors(micro, self._temperature)
        head_VE = self.model.get_output_embeddings().weight
        logprobs_N, entropy_N = selected_logprobs(states_NE, head_VE, micro.targets_N, divisor_N)
        return logprobs_N, entropy_N, states_NE
