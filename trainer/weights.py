"""The learner's parameters: one flat fp32 master, one flat copy in the compute dtype, HF's names.

One flat tensor makes the optimiser, clipping and the refresh of the compute copy one call each.
Rows that are multiplied together lie side by side (q, k, v; gate, up), so the fused matrices of
the decoder and the separate ones of a transformers state dict are views of the same memory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from trainer.decoder import Shape


def _layout(shape: Shape) -> tuple[list[tuple[str, tuple[int, ...], list[tuple[str, int]]]], int]:
    """(fused name, shape, [(HF name, rows)]) in flat order, and how many entries decay.

    Matrices come first and norms last: weight decay applies to the first part only."""
    h, i, d = shape.hidden, shape.intermediate, shape.head_dim
    q, kv = shape.heads * d, shape.kv_heads * d
    matrices: list[tuple[str, tuple[int, ...], list[tuple[str, int]]]] = []
    norms: list[tuple[str, tuple[int, ...], list[tuple[str, int]]]] = []
    for layer in range(shape.layers):
        hf = f"model.layers.{layer}."
        matrices += [
            (
                f"{layer}.qkv",
                (q + 2 * kv, h),
                [
                    (hf + "self_attn.q_proj.weight", q),
                    (hf + "self_attn.k_proj.weight", kv),
                    (hf + "self_attn.v_proj.weight", kv),
                ],
            ),
            (f"{layer}.o", (h, q), [(hf + "self_attn.o_proj.weight", h)]),
            (
                f"{layer}.gate_up",
                (2 * i, h),
                [(hf + "mlp.gate_proj.weight", i), (hf + "mlp.up_proj.weight", i)],
            ),
            (f"{layer}.down", (h, i), [(hf + "mlp.down_proj.weight", h)]),
        ]
        norms += [
            (f"{layer}.input_norm", (h,), [(hf + "input_layernorm.weight", h)]),
            (f"{layer}.post_norm", (h,), [(hf + "post_attention_layernorm.weight", h)]),
            (f"{layer}.q_norm", (d,), [(hf + "self_attn.q_norm.weight", d)]),
            (f"{layer}.k_norm", (d,), [(hf + "self_attn.k_norm.weight", d)]),
        ]
    matrices += [
        ("embed", (shape.vocab, h), [("model.embed_tokens.weight", shape.vocab)]),
        ("head", (shape.vocab, h), [("lm_head.weight", shape.vocab)]),
    ]
    norms.append(("norm", (h,), [("model.norm.weight", h)]))
    return matrices + norms, sum(math.prod(size) for _, size, _ in matrices)


class FlatWeights:
    """`master` and `compute` are flat; `compute_views` are the leaves a forward runs on."""

    def __init__(self, shape: Shape, compute_dtype: torch.dtype, device: torch.device) -> None:
        self.shape = shape
        self._entries, self.decayed = _layout(shape)
        size = sum(math.prod(entry[1]) for entry in self._entries)
        self.master = torch.zeros(size, dtype=torch.float32, device=device)
        self.compute = torch.zeros(size, dtype=compute_dtype, device=device)
        self.compute_views = {
            name: view.detach().requires_grad_() for name, view in self.views(self.compute).items()
        }

    def views(self, flat: Tensor) -> dict[str, Tensor]:
        """Fused matrices by the decoder's names, in flat order, as views of `flat`."""
        result, at = {}, 0
        for name, size, _ in self._entries:
            count = math.prod(size)
            result[name] = flat[at : at + count].view(size)
            at += count
        return result

    def hf_views(self, flat: Tensor) -> dict[str, Tensor]:
        """The same memory by transformers' names."""
        result = {}
        fused = self.views(flat)
        for name, _, parts in self._entries:
            for (hf_name, rows), part in zip(
                parts, fused[name].split([rows for _, rows in parts]), strict=True
            ):
                assert part.shape[0] == rows
                result[hf_name] = part
        return result

    @torch.no_grad()
    def load_hf(self, state: Mapping[str, Tensor]) -> None:
        """Takes a transformers state dict of any float dtype; names and shapes must all match."""
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
                    f"wants {tuple(view.shape)}"
                )
            view.copy_(state[name])
        self.refresh()

    @torch.no_grad()
    def refresh(self) -> None:
        """The compute copy follows the master. Call it after every change of the master."""
        self.compute.copy_(self.master)
