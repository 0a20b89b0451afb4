"""Writes tensors as one safetensors file, by several threads.

Each copies pieces into a buffer of its own (pinned, so that a GPU fills it at the speed of the bus)
and writes them at their place. No second copy of the model is made.

Guarantees: the file is what safetensors reads; it is complete, but not synced, on return.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
from torch import Tensor

THREADS = 8
PIECE = 1 << 26
"""Bytes that are copied and written at once."""
_DTYPES = {torch.bfloat16: "BF16", torch.float16: "F16", torch.float32: "F32"}


def write_tensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Writes contiguous tensors in their order. Raises KeyError for a dtype that no weight has."""
    header = _header(tensors)
    pieces = _pieces(tensors, len(header))
    buffers = threading.local()
    with path.open("xb") as file:
        file.write(header)
        file.flush()

        def write(piece: tuple[Tensor, int]) -> None:
            bytes_P, offset = piece
            if bytes_P.device.type != "cpu":
                if not hasattr(buffers, "own"):
                    buffers.own = torch.empty(PIECE, dtype=torch.uint8, pin_memory=True)
                bytes_P = buffers.own[: len(bytes_P)].copy_(bytes_P)
            _write_at(file.fileno(), bytes_P.numpy().data, offset)

        with ThreadPoolExecutor(THREADS, "weights") as pool:
            # Reading the results raises what a thread raised.
            for _ in pool.map(write, pieces):
                pass


def _header(tensors: Mapping[str, Tensor]) -> bytes:
    """Length and JSON of the layout."""
    layout: dict[str, object] = {"__metadata__": {"format": "pt"}}
    begin = 0
    for name, tensor in tensors.items():
        end = begin + tensor.nbytes
        layout[name] = {
            "dtype": _DTYPES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [begin, end],
        }
        begin = end
    text = json.dumps(layout).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def _pieces(tensors: Mapping[str, Tensor], begin: int) -> Iterator[tuple[Tensor, int]]:
    """Bytes of the tensors with their places in the file."""
    for tensor in tensors.values():
        for bytes_P in tensor.detach().view(-1).view(torch.uint8).split(PIECE):
            yield bytes_P, begin
            begin += len(bytes_P)


def _write_at(handle: int, content: memoryview, offset: int) -> None:
    while content:
        written = os.pwrite(handle, content, offset)
        content, offset = content[written:], offset + written
