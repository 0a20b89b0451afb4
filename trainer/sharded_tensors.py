"""Tensors that lie in shares on several processes: this one's share, and the whole.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from torch import Tensor
from torch.distributed.tensor import DTensor


def local_share(value_P: Tensor) -> Tensor:
    """What this process holds; all of a tensor that is not sharded."""
    return value_P.to_local() if isinstance(value_P, DTensor) else value_P


def gather_whole(value_P: Tensor) -> Tensor:
    """The whole tensor. All processes must ask for it, in the same order."""
    return value_P.full_tensor() if isinstance(value_P, DTensor) else value_P


def sharded_like(model_P: Tensor, share_P: Tensor) -> DTensor:
    """The share as a part of a tensor that is cut as `model_P` is."""
    assert isinstance(model_P, DTensor)
    return DTensor.from_local(
        share_P,
        model_P.device_mesh,
        model_P.placements,
        run_check=False,
        shape=model_P.shape,
        stride=model_P.stride(),
    )
