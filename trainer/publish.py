"""Writes a policy version that a server can load and verify: whole weights, or an adapter.

Guarantees: a version folder appears whole or not at all (written beside, synced, renamed); the
probes' logprobs were computed from the very weights in the file; a version is never overwritten.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import torch
from torch import Tensor
from transformers import PretrainedConfig, PreTrainedTokenizerFast

from agent_server.policy.manifest import (
    ADAPTER_WEIGHTS,
    LIVE,
    MANIFEST,
    PROMPT_FORMAT,
    WEIGHTS,
    Base,
    Manifest,
    Probe,
    file_sha256,
    parse_manifest,
    version_folder,
)
from trainer.backend import TIED_IN_TRAINING
from trainer.chat_format import served_format
from trainer.learner import Learner
from trainer.samples import Picture, Sample
from trainer.weight_file import write_tensors

PNG = b"\x89PNG"
"""How such a file begins."""


def publish_version(
    policy_dir: Path,
    *,
    version: int,
    parent: int | None,
    phase: str,
    learner: Learner,
    tokenizer: PreTrainedTokenizerFast,
    samples: Sequence[Sample],
    max_model_len: int | None = None,
    base: Path | None = None,
) -> Path:
    """Writes the learner's present weights and returns the version's folder.

    The probes are the samples, prompt and completion, with the learner's logprobs of all tokens but
    the first. `max_model_len`: longest prompt and answer; none: as long as the model reads. With
    `base`, the folder of a version beside this one, an adapter that is trained is written as one;
    without, merged. Raises FileExistsError where the version was published before."""
    folder = version_folder(policy_dir, version)
    if folder.exists():
        raise FileExistsError(f"{folder} exists; a published version is never overwritten")
    policy_dir.mkdir(parents=True, exist_ok=True)
    # A server may list the folder at any moment: all is written under a hidden name and synced,
    # then one rename makes it visible.
    partial = policy_dir / f".{folder.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        adapter = None if base is None else learner.export_adapter()
        if adapter is None or base is None:
            own_base = None
            dtype = _write_model(partial, learner.export_bf16_state(), learner.model_config)
        else:
            own_base = Base(folder=base.name, sha256=parse_manifest(base).sha256)
            dtype = "bfloat16"
            adapter.write(partial, base.resolve())
        tokenizer.save_pretrained(partial)
        if learner.pictures is not None:
            learner.pictures.write_settings(partial)
        prompt_format = served_format(tokenizer, learner.model_config, learner.pictures)
        (partial / PROMPT_FORMAT).write_text(prompt_format.model_dump_json())
        weights = WEIGHTS if own_base is None else ADAPTER_WEIGHTS
        manifest = Manifest(
            version=version,
            parent=parent,
            phase=phase,
            dtype=dtype,
            max_model_len=max_model_len,
            sha256=file_sha256(partial / weights),
            base=own_base,
            probes=make_probes(learner, samples, partial, with_base=own_base is not None),
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


def make_probes(
    learner: Learner, samples: Sequence[Sample], folder: Path, with_base: bool = False
) -> tuple[Probe, ...]:
    """Token sequences with the learner's logprobs, for a server to be compared with; `with_base`:
    also those without the adapter. Pictures are written into the folder."""
    sequences = [(*sample.prompt_ids, *sample.completion_ids) for sample in samples]
    # As one completion after a first token: a server gives logprobs of prompt tokens, too, and at
    # temperature 1 whatever it samples at. These samples name no sampler, so theirs is 1 as well.
    whole = [
        Sample(ids[:1], ids[1:], ce=1.0, pictures=sample.pictures)
        for ids, sample in zip(sequences, samples, strict=True)
    ]
    own = learner.logprobs(whole)
    base = learner.base_logprobs(whole) if with_base else [()] * len(whole)
    return tuple(
        Probe(
            token_ids=ids,
            logprobs=logprobs,
            base_logprobs=base_logprobs,
            pictures=tuple(_write_picture(folder, picture) for picture in sample.pictures),
        )
        for sample, ids, logprobs, base_logprobs in zip(samples, sequences, own, base, strict=True)
    )


def _write_picture(folder: Path, picture: Picture) -> str:
    """Writes a probe's picture, once; returns the file's name."""
    kind = "png" if picture.data.startswith(PNG) else "jpeg"
    name = f"probe-{hashlib.sha256(picture.data).hexdigest()[:16]}.{kind}"
    (folder / name).write_bytes(picture.data)
    return name


def mark_live(folder: Path) -> None:
    """Makes the link `live` beside the versions point to this one, which was accepted: a server
    that is restarted begins with it. Atomic."""
    partial = folder.parent / ".live.partial"
    partial.unlink(missing_ok=True)
    partial.symlink_to(folder.name)
    partial.replace(folder.parent / LIVE)


def _write_model(folder: Path, weights: dict[str, Tensor], config: PretrainedConfig) -> str:
    """Weights by transformers' names, and the config that serves them; returns their dtype.

    A tied head is written as a matrix of its own: vLLM's CPU build loads a tied model rightly when
    it starts, but keeps the old head when it loads again."""
    tensors = {name: tensor.detach().contiguous() for name, tensor in weights.items()}
    write_tensors(tensors, folder / WEIGHTS)
    dtype = str(next(iter(tensors.values())).dtype).removeprefix("torch.")
    served = type(config).from_dict(config.to_dict())
    served.dtype = getattr(torch, dtype)
    if served.tie_word_embeddings:
        served.tie_word_embeddings = False
        setattr(served, TIED_IN_TRAINING, True)
    served.save_pretrained(folder)
    return dtype


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
