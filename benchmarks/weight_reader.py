"""Reads a safetensors file into a model's parameters, by several threads through pinned memory: as
fast as an engine could take weights from a file."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from trainer.weight_file import PIECE, THREADS


def read_into(parameters: Mapping[str, torch.Tensor], path: Path) -> None:
    """Fills contiguous parameters with the file's tensors of their names and dtypes."""
    buffers = threading.local()
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        layout = json.loads(file.read(length))
        jobs = []
        for name, parameter in parameters.items():
            place = 8 + length + layout[name]["data_offsets"][0]
            for piece in parameter.view(-1).view(torch.uint8).split(PIECE):
                jobs.append((piece, place))
                place += len(piece)

        def read(job: tuple[torch.Tensor, int]) -> None:
            target, offset = job
            if not hasattr(buffers, "own"):
                buffers.own = torch.empty(PIECE, dtype=torch.uint8, pin_memory=target.is_cuda)
            own = buffers.own[: len(target)]
            content = own.numpy().data
            while content:
                count = os.preadv(file.fileno(), [content], offset)
                if not count:
                    raise EOFError(f"{path} ends at {offset}")
                content, offset = content[count:], offset + count
            target.copy_(own)

        with ThreadPoolExecutor(THREADS, "weights") as pool:
            for _ in pool.map(read, jobs):
                pass
