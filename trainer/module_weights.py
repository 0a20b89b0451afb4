"""The trained parameters of any module as one flat fp32 tensor, and the copy it computes with."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class ModuleWeights:
    """`module`'s parameters that require a gradient become views of the flat compute tensor.

    In fp32 the compute tensor is the master itself. Parameters that require no gradient, and
    buffers, stay as they are: rotary frequencies are fp32 in every engine. A parameter that the
    module uses in two places, as a tied embedding, is there once. Matrices come first: weight
    decay applies to the first `decayed` entries of a flat tensor.

    Parameters are taken over one by one, so that a model is never on `device` twice: it is made on
    the CPU, or in a smaller dtype."""

    def __init__(
        self,
        module: nn.Module,
        embed: str,
        compute_dtype: torch.dtype,
        device: torch.device | None = None,
    ) -> None:
        self.module, self.embed = module, embed
        trained = {name: p for name, p in module.named_parameters() if p.requires_grad}
        if not trained:
            raise ValueError("the model has no parameter that is trained")
        self._parameters = dict(sorted(trained.items(), key=lambda item: item[1].ndim < 2))
        self.decayed = sum(p.numel() for p in self._parameters.values() if p.ndim >= 2)
        size = sum(p.numel() for p in self._parameters.values())
        home = next(iter(self._parameters.values())).device if device is None else device
        self.master_P = torch.empty(size, dtype=torch.float32, device=home)
        for name, view in self.views(self.master_P).items():
            view.copy_(self._parameters[name].detach())
            self._parameters[name].data = view
        self.use_dtype(compute_dtype)

    def use_dtype(self, dtype: torch.dtype) -> None:
        """From now on the module computes with a copy in this dtype; in fp32 with the master."""
        self.compute_P = self.master_P if dtype == torch.float32 else self.master_P.to(dtype)
        for name, view in self.views(self.compute_P).items():
            self._parameters[name].data = view

    @property
    def leaves(self) -> dict[str, nn.Parameter]:
        """The trained parameters by name, in flat order."""
        return self._parameters

    @property
    def shape(self) -> dict[str, list[int]]:
        """Sizes of the trained parameters by name."""
        return {name: list(p.shape) for name, p in self._parameters.items()}

    def views(self, flat_P: Tensor) -> dict[str, Tensor]:
        """The parameters by name, in flat order, as views of `flat_P`."""
        result, begin = {}, 0
        for name, parameter in self._parameters.items():
            count = math.prod(parameter.shape)
            result[name] = flat_P[begin : begin + count].view(parameter.shape)
            begin += count
        return result

    def hf_views(self, flat_P: Tensor) -> dict[str, Tensor]:
        """The same: the names are transformers' already."""
        return self.views(flat_P)

    @torch.no_grad()
    def refresh(self) -> None:
        """Copies the master to the compute weights. Call it after every change of the master."""
        if self.compute_P is not self.master_P:
            self.compute_P.copy_(self.master_P)
