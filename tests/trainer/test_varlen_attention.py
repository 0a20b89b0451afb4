"""Attention by samples: the definition on a CPU, flash kernels on a GPU, the same to a compiler."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from trainer.varlen_attention import varlen_attention

LENGTHS = (5, 1, 9)
BOUNDS = torch.tensor([0, 5, 6, 15], dtype=torch.int32)


def make_qkv(dim: int = 8) -> list[Tensor]:
    torch.manual_seed(0)
    return [torch.randn(15, heads, dim, requires_grad=True) for heads in (4, 2, 2)]


def attend_alone(q_THD: Tensor, k_TKD: Tensor, v_TKD: Tensor) -> Tensor:
    """PyTorch's own attention, a sample at a time."""
    rows = zip(*(tensor.split(LENGTHS) for tensor in (q_THD, k_TKD, v_TKD)), strict=True)
    outs = [
        scaled_dot_product_attention(
            *(tensor.transpose(0, 1) for tensor in parts),
            is_causal=True,
            enable_gqa=True,
            scale=0.3,
        ).transpose(0, 1)
        for parts in rows
    ]
    return torch.cat(outs)


def gradients_of(out: Tensor, inputs: list[Tensor]) -> list[Tensor]:
    return list(torch.autograd.grad((out * torch.arange(out.numel()).view_as(out)).sum(), inputs))


def test_each_sample_attends_as_if_it_were_alone() -> None:
    inputs = make_qkv()
    own, expected = varlen_attention(*inputs, BOUNDS, 9, 0.3), attend_alone(*inputs)
    torch.testing.assert_close(own, expected)
    pairs = zip(gradients_of(own, inputs), gradients_of(expected, inputs), strict=True)
    for gradient, theirs in pairs:
        torch.testing.assert_close(gradient, theirs, rtol=1e-4, atol=1e-4)


def test_a_compiler_sees_the_shapes_that_the_operator_makes() -> None:
    q, k, v = make_qkv()
    torch.library.opcheck(
        torch.ops.deskhand.varlen_attention,
        (q, k, v, BOUNDS, 9, 0.3),
        test_utils=("test_schema", "test_autograd_registration", "test_faketensor"),
    )


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
def test_flash_kernels_agree_with_the_definition() -> None:
    inputs = make_qkv(dim=64)
    half = [tensor.detach().cuda().bfloat16().requires_grad_() for tensor in inputs]
    own, expected = varlen_attention(*half, BOUNDS.cuda(), 9, 0.3), attend_alone(*inputs)
    torch.testing.assert_close(own.cpu().float(), expected, rtol=0.02, atol=0.02)
