"""The first layer of a vision tower as the product that it is.

A tower's patches do not overlap: its convolution over frames, rows and columns has a patch as its
kernel and reads exactly one. PyTorch's convolutions in three dimensions are slow on a CPU; as one
product over all patches the same numbers take less.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class PatchProjection(nn.Conv3d):
    """A convolution that reads patches of its kernel's size, [U, C, F, H, W]: F frames."""

    def forward(self, patches_UCFHW: Tensor) -> Tensor:
        """[U, E, 1, 1, 1]; anything that is more than one patch goes the usual way."""
        if tuple(patches_UCFHW.shape[2:]) != self.kernel_size:
            return super().forward(patches_UCFHW)
        out_UE = functional.linear(patches_UCFHW.flatten(1), self.weight.flatten(1), self.bias)
        return out_UE[:, :, None, None, None]


def project_patches(model: nn.Module) -> None:
    """Makes products of the model's convolutions over patches. Parameters stay the same objects."""
    for module in model.modules():
        if type(module) is nn.Conv3d and module.stride == module.kernel_size:
            is_plain = module.groups == 1 and not any(_widths(module.padding))
            if (
                is_plain
                and module.padding_mode == "zeros"
                and _widths(module.dilation) == (1, 1, 1)
            ):
                # The same object of another class: nothing that knows it has to learn of it.
                object.__setattr__(module, "__class__", PatchProjection)


def _widths(value: str | tuple[int, ...]) -> tuple[int, ...]:
    return tuple(value) if not isinstance(value, str) else (int(value != "valid"),)
