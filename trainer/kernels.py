"""RMSNorm, per-head RMSNorm with rotary embedding, and SwiGLU, each one autograd function.

They compute in fp32 and round to the compute dtype exactly where the serving engine rounds, so that
logprobs of both agree. One function each instead of a chain of operators keeps the intermediate
fp32 tensors out of autograd's graph: only inputs and one factor a row are saved.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable


class RmsNorm(torch.autograd.Function):
    """y = w * x / sqrt(mean(x^2) + eps) (Zhang & Sennrich 2019, arXiv:1910.07467).

    x is [T, E], or [R, E] after the last layer's attention."""

    @staticmethod
    def forward(ctx: Any, x_TE: Tensor, weight_E: Tensor, eps: float) -> Tensor:
        wide_TE = x_TE.float()
        inverse_T1 = torch.rsqrt(wide_TE.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x_TE, weight_E, inverse_T1)
        return (wide_TE * inverse_T1).mul_(weight_E.float()).to(x_TE.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_TE: Tensor) -> tuple[Tensor, Tensor, None]:
        x_TE, weight_E, inverse_T1 = ctx.saved_tensors
        return *_norm_backward(x_TE, weight_E, inverse_T1, grad_TE.float()), None


class NormRope(torch.autograd.Function):
    """RMSNorm of every head, then rotary embedding: x [T, J, D], weight [J, D], cos [T, 1, D/2].

    Rotary pairs are (f, f + D/2), as in transformers and vLLM."""

    @staticmethod
    def forward(
        ctx: Any, x_TJD: Tensor, weight_JD: Tensor, cos_T1C: Tensor, sin_T1C: Tensor, eps: float
    ) -> Tensor:
        wide_TJD = x_TJD.float()
        inverse_TJ1 = torch.rsqrt(wide_TJD.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x_TJD, weight_JD, inverse_TJ1, cos_T1C, sin_T1C)
        normed_TJD = (wide_TJD * inverse_TJ1).mul_(weight_JD.float())
        if x_TJD.dtype != torch.float32:
            # Engines norm and rotate in two kernels: the value in between is rounded.
            normed_TJD = normed_TJD.to(x_TJD.dtype).float()
        left_TJC, right_TJC = normed_TJD.chunk(2, -1)
        rotated_TJD = torch.cat(
            [left_TJC * cos_T1C - right_TJC * sin_T1C, right_TJC * cos_T1C + left_TJC * sin_T1C], -1
        )
        return rotated_TJD.to(x_TJD.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_TJD: Tensor) -> tuple[Tensor | None, ...]:
        x_TJD, weight_JD, inverse_TJ1, cos_T1C, sin_T1C = ctx.saved_tensors
        # The inverse of a rotation is its transpose: rotate the gradient back.
        left_TJC, right_TJC = grad_TJD.float().chunk(2, -1)
        wide_TJD = torch.cat(
            [left_TJC * cos_T1C + right_TJC * sin_T1C, right_TJC * cos_T1C - left_TJC * sin_T1C], -1
        )
        return *_norm_backward(x_TJD, weight_JD, inverse_TJ1, wide_TJD), None, None, None


def _norm_backward(
    x_TW: Tensor, weight_W: Tensor, inverse_T1: Tensor, grad_TW: Tensor
) -> tuple[Tensor, Tensor]:
    """Gradients of x and the weight; `grad` is fp32 and is overwritten.

    With u = x * inverse: dw = sum(g * u), dx = inverse * (g * w - u * mean(g * w * u))."""
    # In fp32 this overwrites the saved x itself: no other backward reads it.
    unit_TW = x_TW.float().mul_(inverse_T1)
    grad_weight_W = (grad_TW * unit_TW).sum(0)
    grad_TW = grad_TW.mul_(weight_W.float())
    inner_T1 = (grad_TW * unit_TW).mean(-1, keepdim=True)
    grad_x_TW = grad_TW.sub_(unit_TW.mul_(inner_T1)).mul_(inverse_T1)
    return grad_x_TW.to(x_TW.dtype), grad_weight_W.to(weight_W.dtype)


class SwiGlu(torch.autograd.Function):
    """silu(gate) * up for [T, 2 F] = [gate, up] (Shazeer 2020, arXiv:2002.05202)."""

    @staticmethod
    def forward(ctx: Any, gate_up_T_2F: Tensor) -> Tensor:
        # silu(gate) is computed again in the backward instead of being kept for every layer.
        ctx.save_for_backward(gate_up_T_2F)
        gate_TF, up_TF = gate_up_T_2F.chunk(2, -1)
        return F.silu(gate_TF).mul_(up_TF)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_TF: Tensor) -> Tensor:
        (gate_up_T_2F,) = ctx.saved_tensors
        gate_TF, up_TF = gate_up_T_2F.chunk(2, -1)
        # Both halves are written into one tensor, which the fused product's backward needs whole.
        grad_gate_up_T_2F = torch.empty_like(gate_up_T_2F)
        grad_gate_TF, grad_up_TF = grad_gate_up_T_2F.chunk(2, -1)
        torch.mul(grad_TF, F.silu(gate_TF), out=grad_up_TF)
        torch.ops.aten.silu_backward.grad_input(grad_TF * up_TF, gate_TF, grad_input=grad_gate_TF)
        return grad_gate_up_T_2F


rms_norm: Callable[[Tensor, Tensor, float], Tensor] = RmsNorm.apply
"""`RmsNorm` as a function: x, weight, eps."""
norm_rope: Callable[[Tensor, Tensor, Tensor, Tensor, float], Tensor] = NormRope.apply
"""`NormRope` as a function: x, weight, cos, sin, eps."""
swiglu: Callable[[Tensor], Tensor] = SwiGlu.apply
"""`SwiGlu` as a function: gate and up side by side."""
