"""A convolution over patches is one product: the same outputs and gradients."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from trainer.patch_projection import PatchProjection, project_patches


def run(layer: nn.Conv3d, patches: Tensor) -> tuple[Tensor, Tensor]:
    layer.zero_grad()
    out = layer(patches)
    out.square().sum().backward()
    assert layer.weight.grad is not None
    return out.detach(), layer.weight.grad.clone()


def test_outputs_and_gradients_are_the_convolutions() -> None:
    torch.manual_seed(2)
    layer = nn.Conv3d(3, 5, kernel_size=(2, 4, 4), stride=(2, 4, 4))
    weight, patches = layer.weight, torch.randn(7, 3, 2, 4, 4)
    out, gradient = run(layer, patches)
    project_patches(layer)
    assert isinstance(layer, PatchProjection)
    assert layer.weight is weight
    for product, expected in zip(run(layer, patches), (out, gradient), strict=True):
        torch.testing.assert_close(product, expected)


def test_a_picture_of_several_patches_goes_the_usual_way() -> None:
    layer = nn.Conv3d(1, 2, kernel_size=2, stride=2)
    wide = torch.randn(1, 1, 4, 2, 2)
    expected = layer(wide)
    project_patches(layer)
    torch.testing.assert_close(layer(wide), expected)


def test_other_convolutions_are_left_alone() -> None:
    overlapping = nn.Conv3d(1, 1, kernel_size=3, stride=1)
    padded = nn.Conv3d(1, 1, kernel_size=2, stride=2, padding=1)
    for layer in (overlapping, padded):
        project_patches(layer)
        assert type(layer) is nn.Conv3d
