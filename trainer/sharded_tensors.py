"""Tensors that lie in shares on several processes: this one's share, and the whole."""

from __future__ import annotations

from torch import Tensor
from torch.distributed.tensor import DTensor


def local_share(value: Tensor) -> Tensor:
    """What this process holds; all of a tensor that is not sharded."""
    return value.to_local() if isinstance(value, DTensor) else value


def gather_whole(value: Tensor) -> Tensor:
    """The whole tensor. All processes must ask for it, in the same order."""
    return value.full_tensor() if isinstance(value, DTensor) else value


def sharded_like(model: Tensor, share: Tensor) -> DTensor:
    """The share as a part of a tensor that is cut as `model` is."""
    assert isinstance(model, DTensor)
    return DTensor.from_local(
        share,
        model.device_mesh,
        model.placements,
        run_check=False,
        shape=model.shape,
        stride=model.stride(),
    )
