"""Shares of a tensor, and tensors that are not sharded, which are their own share."""

from __future__ import annotations

from pathlib import Path

import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

from trainer.learner_processes import join, leave
from trainer.sharded_tensors import gather_whole, local_share, sharded_like


def test_a_share_is_put_in_place_of_another(tmp_path: Path) -> None:
    values = torch.arange(6.0).view(3, 2)
    assert local_share(values) is values
    assert gather_whole(values) is values
    join(0, 1, tmp_path / "meeting", torch.device("cpu"))
    try:
        sharded = distribute_tensor(values, init_device_mesh("cpu", (1,)), [Shard(0)])
        other = sharded_like(sharded, local_share(sharded) + 1)
        assert torch.equal(gather_whole(other), values + 1)
        assert other.placements == sharded.placements
    finally:
        leave()
