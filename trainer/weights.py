"""The learner's parameters: one flat fp32 master, one flat copy in the compute dtype, HF's names.

One flat tensor makes the optimiser, clipping and the refresh of the compute copy one call each.
Rows that are multiplied together lie side by side (q, k, v; gate, up), so the fused matrices of
the decoder and the separate ones of a transformers state dict are views of the same memory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from trainer.decoder import Shape


@dataclass(frozen=True, slots=True)
class _Matrix:
    """A fused matrix or norm; `parts` are (transformers' name, rows) in order."""

    name: str
    size: tuple[int, ...]
    parts: tuple[tuple[str, int], ...]


def _layer_matrices(shape: Shape, layer: int) -> list[_Matrix]:
    hidden, inner = shape.hidden, shape.intermediate
    q, kv = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    attention = f"model.layers.{layer}.self_attn."
    mlp = f"model.layers.{layer}.mlp."
    return [
        _Matrix(
            f"{layer}.qkv",
            (q + 2 * kv, hidden),
            (
                (attention + "q_proj.weight", q),
                (attention + "k_proj.weight", kv),
                (attention + "v_proj.weight", kv),
            ),
        ),
        _Matrix(f"{layer}.o", (hidden, q), ((attention + "o_proj.weight", hidden),)),
        _Matrix(
            f"{layer}.gate_up",
            (2 * inner, hidden),
            ((mlp + "gate_proj.weight", inner), (mlp + "up_proj.weight", inner)),
        ),
        _Matrix(f"{layer}.down", (hidden, inner), ((mlp + "down_proj.weight", hidden),)),
    ]


def _layer_norms(shape: Shape, layer: int) -> list[_Matrix]:
    hidden, dim = shape.hidden, shape.head_dim
    prefix = f"model.layers.{layer}."
    return [
        _norm(f"{layer}.input_norm", prefix + "input_layernorm.weight", hidden),
        _norm(f"{layer}.post_norm", prefix + "post_attention_layernorm.weight", hidden),
        _norm(f"{layer}.q_norm", prefix + "self_attn.q_norm.weight", dim),
        _norm(f"{layer}.k_norm", prefix + "self_attn.k_norm.weight", dim),
    ]


def _norm(name: str, hf_name: str, size: int) -> _Matrix:
    return _Matrix(name, (size,), ((hf_name, size),))


def _layout(shape: Shape) -> tuple[list[_Matrix], int]:
    """All parameters in flat order, and how many of the flat entries decay.

    Matrices come first and norms last: weight decay applies to the first part only."""
    matrices: list[_Matrix] = []
    norms: list[_Matrix] = []
    for layer in range(shape.layers):
        matrices += _layer_matrices(shape, layer)
        norms += _layer_norms(shape, layer)
    size = (shape.vocab, shape.hidden)
    matrices += [
        _Matrix("embed", size, (("model.embed_tokens.weight", shape.vocab),)),
        _Matrix("head", size, (("lm_head.weight", shape.vocab),)),
    ]
    norms.append(_norm("norm", "model.norm.weight", shape.hidden))
    return matrices + norms, sum(math.prod(matrix.size) for matrix in matrices)


class FlatWeights:
    """`master` and `compute` are flat; `compute_views` are the leaves a forward runs on.

    Weight decay applies to the first `decayed` entries of a flat tensor."""

    embed = "embed"
    """name of the embedding among the views"""

    def __init__(self, shape: Shape, compute_dtype: torch.dtype, device: torch.device) -> None:
        self.shape = shape
        self._matrices, self.decayed = _layout(shape)

        size = sum(math.prod(matrix.size) for matrix in self._matrices)
        self.master = torch.zeros(size, dtype=torch.float32, device=device)
        self.compute = torch.zeros(size, dtype=compute_dtype, device=device)
        # Leaves of their own: gradients are taken for each matrix, not for the flat tensor.
        self.compute_views = {
            name: view.detach().requires_grad_() for name, view in self.views(self.compute).items()
        }

    def views(self, flat: Tensor) -> dict[str, Tensor]:
        """Fused matrices by the decoder's names, in flat order, as views of `flat`."""
        result, begin = {}, 0
        for matrix in self._matrices:
            count = math.prod(matrix.size)
            result[matrix.name] = flat[begin : begin + count].view(matrix.size)
            begin += count
        return result

    def hf_views(self, flat: Tensor) -> dict[str, Tensor]:
        """The same memory by transformers' names."""
        result = {}
        fused = self.views(flat)
        for matrix in self._matrices:
            parts = fused[matrix.name].split([rows for _, rows in matrix.parts])
            for (hf_name, _), part in zip(matrix.parts, parts, strict=True):
                result[hf_name] = part
        return result

    @torch.no_grad()
    def load_hf(self, state: Mapping[str, Tensor]) -> None:
        """Takes a transformers state dict of any float dtype. Raises ValueError where names or
        shapes do not all match."""
        views = self.hf_views(self.master)
        missing, unknown = sorted(views.keys() - state.keys()), sorted(state.keys() - views.keys())
        if missing or unknown:
            raise ValueError(
                f"the weights do not fit the model: missing {missing[:3]}, unknown {unknown[:3]} "
                f"({len(missing)} missing, {len(unknown)} unknown in all)"
            )
        for name, view in views.items():
            if state[name].shape != view.shape:
                raise ValueError(
                    f"weight {name} has shape {tuple(state[name].shape)}, the model's config "
                    f"needs {tuple(view.shape)}"
                )
            view.copy_(state[name])
        self.refresh()

    @torch.no_grad()
    def refresh(self) -> None:
        """Copies the master to the compute weights. Call it after every change of the master."""
        self.compute.copy_(self.master)
