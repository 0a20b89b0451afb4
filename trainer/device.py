"""Whether this machine has the device that a configuration names, asked before anything starts."""

from __future__ import annotations

import torch

from trainer.config import ConfigError


def check_device(name: str) -> None:
    """Raises ConfigError for a device that PyTorch does not know or that is not here."""
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ConfigError(f"learner.device = {name!r} is not a device: use cpu or cuda") from error
    if device.type == "cpu":
        return
    if device.type != "cuda":
        raise ConfigError(f"learner.device = {name!r} is not supported: use cpu or cuda")
    if (device.index or 0) >= torch.cuda.device_count():
        raise ConfigError(
            f"learner.device = {name!r}: PyTorch sees {torch.cuda.device_count()} CUDA devices on "
            "this machine; use cpu, or install a CUDA build of PyTorch and its driver"
        )
