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
        wide = x_TE.float()
        inverse = torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x_TE, weight_E, inverse)
        return (wide * inverse).mul_(weight_E.float()).to(x_TE.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        x_TE, weight_E, inverse = ctx.saved_tensors
        return *_norm_backward(x_TE, weight_E, inverse, grad.float()), None


class NormRope(torch.autograd.Function):
    """RMSNorm of every head, then rotary embedding: x [T, J, D], weight [J, D], cos [T, 1, D/2].

    Rotary pairs are (f, f + D/2), as in transformers and vLLM."""

    @staticmethod
    def forward(
        ctx: Any, x_TJD: Tensor, weight_JD: Tensor, cos: Tensor, sin: Tensor, eps: float
    ) -> Tensor:
        wide = x_TJD.float()
        inverse = torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x_TJD, weight_JD, inverse, cos, sin)
        normed = (wide * inverse).mul_(weight_JD.float())
        if x_TJD.dtype != torch.float32:
            # Engines norm and rotate in two kernels: the value in between is rounded.
            normed = normed.to(x_TJD.dtype).float()
        left, right = normed.chunk(2, -1)
        rotated = torch.cat([left * cos - right * sin, right * cos + left * sin], -1)
        return rotated.to(x_TJD.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x_TJD, weight_JD, inverse, cos, sin = ctx.saved_tensors
        # The inverse of a rotation is its transpose: rotate the gradient back.
        left, right = grad.float().chunk(2, -1)
        wide = torch.cat([left * cos + right * sin, right * cos - left * sin], -1)
        return *_norm_backward(x_TJD, weight_JD, inverse, wide), None, None, None


def _norm_backward(
    x: Tensor, weight: Tensor, inverse: Tensor, grad: Tensor
) -> tuple[Tensor, Tensor]:
    """Gradients of x and the weight; `grad` is fp32 and is overwritten.

    With u = x * inverse: dw = sum(g * u), dx = inverse * (g * w - u * mean(g * w * u))."""
    # In fp32 this overwrites the saved x itself: no other backward reads it.
    unit = x.float().mul_(inverse)
    weight_grad = (grad * unit).sum(0)
    grad = grad.mul_(weight.float())
    inner = (grad * unit).mean(-1, keepdim=True)
    x_grad = grad.sub_(unit.mul_(inner)).mul_(inverse)
    return x_grad.to(x.dtype), weight_grad.to(weight.dtype)


class SwiGlu(torch.autograd.Function):
    """silu(gate) * up for [T, 2 F] = [gate, up] (Shazeer 2020, arXiv:2002.05202)."""

    @staticmethod
    def forward(ctx: Any, gate_up: Tensor) -> Tensor:
        ctx.save_for_backward(gate_up)
        gate_TF, up_TF = gate_up.chunk(2, -1)
        return F.silu(gate_TF).mul_(up_TF)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_TF: Tensor) -> Tensor:
        (gate_up,) = ctx.saved_tensors
        gate_TF, up_TF = gate_up.chunk(2, -1)
        # Both halves are written into one tensor, which the fused product's backward needs whole.
        result = torch.empty_like(gate_up)
        grad_gate_TF, grad_up_TF = result.chunk(2, -1)
        torch.mul(grad_TF, F.silu(gate_TF), out=grad_up_TF)
        torch.ops.aten.silu_backward.grad_input(grad_TF * up_TF, gate_TF, grad_input=grad_gate_TF)
        return result


rms_norm: Callable[[Tensor, Tensor, float], Tensor] = RmsNorm.apply
"""`RmsNorm` as a function: x, weight, eps."""
norm_rope: Callable[[Tensor, Tensor, Tensor, Tensor, float], Tensor] = NormRope.apply
"""`NormRope` as a function: x, weight, cos, sin, eps."""
swiglu: Callable[[Tensor], Tensor] = SwiGlu.apply
"""`SwiGlu` as a function: gate and up side by side."""
