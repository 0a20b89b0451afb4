"""Lets torchvision be imported beside PyTorch's CPU build, as vLLM's processors of pictures need.

PyPI's torchvision is built for CUDA. Beside PyTorch for CPUs its C library does not load, which it
tolerates, but then it describes two operators of that library, which do not exist: the import ends.
So they are declared first, without an implementation: pictures are made ready in plain PyTorch.

Python imports this module when it starts, in vLLM's processes and in those that they start. Where
torchvision's library loads, nothing is changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

DESCRIBING = "torchvision._meta_registrations"
"""The module that describes the operators."""
MISSING = ("nms", "qnms")
SCHEMA = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
_libraries: list[Any] = []
"""Kept: what a library declares ends with it."""


class OperatorDeclarer(MetaPathFinder):
    """Finds nothing: it is asked before the module is searched for, and declares the operators."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None, as all finders say for what others find."""
        # torchvision has tried to load its library by now.
        if fullname == DESCRIBING and not sys.modules["torchvision.extension"]._has_ops():
            declare_operators()
        return None


def declare_operators() -> None:
    """Declares the operators that torchvision describes."""
    import torch

    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in MISSING:
        library.define(name + SCHEMA)
    _libraries.append(library)


sys.meta_path.insert(0, OperatorDeclarer())
