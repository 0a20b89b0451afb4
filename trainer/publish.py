"""Writes a policy version that a server can load and verify.

Guarantees: a version folder appears whole or not at all (written beside, synced, renamed); the
probes' logprobs were computed from the very weights in the file; a version is never overwritten.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor
from transformers import PretrainedConfig, PreTrainedTokenizerFast, Qwen3Config

from agent_server.policy.manifest import (
    LIVE,
    MANIFEST,
    WEIGHTS,
    Manifest,
    Probe,
    file_sha256,
    version_folder,
)


def publish(
    policy_dir: Path,
    version: int,
    parent: int | None,
    phase: str,
    weights: dict[str, Tensor],
    config: PretrainedConfig,
    tokenizer: PreTrainedTokenizerFast,
    probes: Sequence[Probe],
) -> Path:
    """`weights` by transformers' names, in the dtype to serve. Gives the version's folder."""
    folder = version_folder(policy_dir, version)
    if folder.exists():
        raise FileExistsError(f"{folder} exists; a published version is never overwritten")
    policy_dir.mkdir(parents=True, exist_ok=True)
    partial = policy_dir / f".{folder.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        tensors = {name: tensor.detach().contiguous() for name, tensor in weights.items()}
        save_file(tensors, partial / WEIGHTS, metadata={"format": "pt"})
        dtype = str(next(iter(tensors.values())).dtype).removeprefix("torch.")
        served = Qwen3Config.from_dict(config.to_dict())
        served.dtype = getattr(torch, dtype)
        served.architectures = ["Qwen3ForCausalLM"]
        served.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
        manifest = Manifest(
            version=version,
            parent=parent,
            phase=phase,
            dtype=dtype,
            sha256=file_sha256(partial / WEIGHTS),
            probes=tuple(probes),
            created_at=datetime.now(UTC).isoformat(),
        )
        (partial / MANIFEST).write_text(manifest.model_dump_json())
        for path in partial.iterdir():
            _sync(path)
        partial.rename(folder)
        _sync(policy_dir)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return folder


def mark_live(folder: Path) -> None:
    """`live` beside the versions names the one that was accepted last: a server that starts anew
    begins with it. Atomic."""
    partial = folder.parent / ".live.partial"
    partial.unlink(missing_ok=True)
    partial.symlink_to(folder.name)
    partial.replace(folder.parent / LIVE)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
