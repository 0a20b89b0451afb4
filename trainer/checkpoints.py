"""Checkpoints of a run, from which it can be resumed: folders `checkpoints/step-N`.

A checkpoint appears whole or not at all (written beside, synced, renamed). Loading refuses a
truncated one with a sentence that names the file; earlier ones stay usable. Only tensors and plain
values are read back: a checkpoint cannot run code.
"""

from __future__ import annotations

import io
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import torch

from agent_server.policy.manifest import file_sha256

KEEP = 2
"""Checkpoints of a run that are kept: the newest, and one to fall back on."""
STATE, CHECKSUM, SHARDS = "state.pt", "manifest.json", "shards"


class BadCheckpoint(Exception):
    """A checkpoint that cannot be loaded; the message names the file."""


def save_checkpoint(
    run_dir: Path,
    step: int,
    state: dict[str, Any],
    write_shards: Callable[[Path], None] | None = None,
) -> Path:
    """Writes a checkpoint atomically and removes all but the newest `KEEP`. `write_shards` writes
    what lies in shares on several processes into the folder that it is given.

    Raises OSError, e.g. for a full disk; the earlier checkpoints are intact then."""
    parent = run_dir / "checkpoints"
    parent.mkdir(exist_ok=True)
    folder, partial = parent / f"step-{step:06d}", parent / f".step-{step:06d}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        # Serialised in memory first: torch.save reports a full disk as an opaque RuntimeError.
        buffer = io.BytesIO()
        torch.save(state, buffer)
        with (partial / STATE).open("wb") as file:
            file.write(buffer.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        if write_shards is not None:
            write_shards((partial / SHARDS).absolute())
        digest = file_sha256(partial / STATE)
        # The version that it continues is kept by `deskhand prune`.
        facts = {"step": step, "version": state.get("version")}
        (partial / CHECKSUM).write_bytes(orjson.dumps(facts | {"sha256": digest}))
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        raise OSError(
            error.errno,
            f"cannot write the checkpoint {folder}: {error.strerror}; free space on that disk and "
            "resume, earlier checkpoints are intact",
        ) from error
    for old in sorted(parent.glob("step-*"))[:-KEEP]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def find_shards(run_dir: Path) -> Path | None:
    """The folder that `write_shards` filled for the newest checkpoint; None without one."""
    folders = sorted((run_dir / "checkpoints").glob("step-*"))
    shards = folders[-1].absolute() / SHARDS if folders else None
    return shards if shards is not None and shards.is_dir() else None


def has_checkpoint(run_dir: Path) -> bool:
    """Whether there is something to resume a run from."""
    return any((run_dir / "checkpoints").glob("step-*"))


def load_checkpoint(run_dir: Path) -> dict[str, Any]:
    """The newest checkpoint of a run. Raises BadCheckpoint."""
    folders = sorted((run_dir / "checkpoints").glob("step-*"))
    if not folders:
        raise BadCheckpoint(f"{run_dir} has no checkpoint to resume from; start a new run")
    newest = folders[-1]
    file = newest / STATE
    try:
        manifest = orjson.loads((newest / CHECKSUM).read_bytes())
        intact = file_sha256(file) == manifest["sha256"]
    except (OSError, orjson.JSONDecodeError, KeyError) as error:
        raise BadCheckpoint(
            f"{newest} is incomplete: {error}; delete it to use the one before"
        ) from error
    if not intact:
        raise BadCheckpoint(
            f"{file} is truncated or damaged; delete {newest} to use the one before"
        )
    try:
        state: dict[str, Any] = torch.load(file, weights_only=True)
    except (pickle.UnpicklingError, RuntimeError) as error:
        raise BadCheckpoint(f"{file} is not a checkpoint of this program: {error}") from error
    return state
