"""The hand-written backwards against autograd's own."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from trainer.kernels import norm_rope, rms_norm, swiglu

EPS = 1e-6


def draw(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).requires_grad_()


def assert_same(mine: Callable[[], Tensor], theirs: Callable[[], Tensor], *inputs: Tensor) -> None:
    """Equal values, and equal gradients of a weighted sum."""
    plain, out = theirs(), mine()
    torch.testing.assert_close(out, plain)
    weight = draw(*out.shape, seed=9).detach()
    expected = torch.autograd.grad((plain * weight).sum(), inputs)
    grads = torch.autograd.grad((out * weight).sum(), inputs)
    for left, right in zip(grads, expected, strict=True):
        torch.testing.assert_close(left, right, rtol=1e-4, atol=1e-6)


def plain_norm(x: Tensor, weight: Tensor) -> Tensor:
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPS) * weight


def test_rms_norm_divides_by_the_root_mean_square() -> None:
    out = rms_norm(torch.tensor([[3.0, 4.0]]), torch.tensor([1.0, 2.0]), 0.0)
    root = 12.5**0.5
    torch.testing.assert_close(out, torch.tensor([[3 / root, 8 / root]]))


def test_rms_norms_gradients_are_those_of_its_formula() -> None:
    x, weight = draw(5, 8), draw(8, seed=1)
    assert_same(lambda: rms_norm(x, weight, EPS), lambda: plain_norm(x, weight), x, weight)


def test_norm_ropes_gradients_are_those_of_its_formula() -> None:
    x, weight = draw(5, 3, 8), draw(3, 8, seed=1)
    angles = torch.arange(20, dtype=torch.float32).view(5, 1, 4)
    cos, sin = angles.cos(), angles.sin()

    def plain() -> Tensor:
        left, right = plain_norm(x, weight).chunk(2, -1)
        return torch.cat([left * cos - right * sin, right * cos + left * sin], -1)

    assert_same(lambda: norm_rope(x, weight, cos, sin, EPS), plain, x, weight)


def test_swiglus_gradients_are_those_of_its_formula() -> None:
    gate_up = draw(5, 12)

    def plain() -> Tensor:
        gate, up = gate_up.chunk(2, -1)
        return F.silu(gate) * up

    assert_same(lambda: swiglu(gate_up), plain, gate_up)


def test_bf16_is_computed_in_fp32_and_rounded_once() -> None:
    x, weight = draw(5, 8).detach().bfloat16(), draw(8, seed=1).detach().bfloat16()
    out = rms_norm(x, weight, EPS)
    assert out.dtype == torch.bfloat16
    assert torch.equal(out, plain_norm(x.float(), weight.float()).bfloat16())
