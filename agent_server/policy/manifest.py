"""The manifest of one published policy version.

A version is a folder: config.json, model.safetensors, the tokenizer's files, prompt.json and
manifest.json, written last. `read_manifest` refuses a folder that is missing something or whose
weights are not those the manifest was made for, with one sentence that names the file.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MANIFEST = "manifest.json"
WEIGHTS = "model.safetensors"
PROMPT_FORMAT = "prompt.json"
"""What stands around a message, see `agent_server.policy.prompt_format`."""
LIVE = "live"
"""Beside the versions: a link to the version that was accepted last."""


class Probe(BaseModel):
    """Token ids, and the learner's logprob of each token but the first given those before it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    token_ids: tuple[int, ...] = Field(min_length=2)
    logprobs: tuple[float, ...]


class Manifest(BaseModel):
    """Facts of a published version; written last."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int = Field(ge=0)
    parent: int | None = None
    phase: str = ""
    dtype: str = "bfloat16"
    max_model_len: int | None = Field(
        None, ge=1, description="longest prompt and answer, tokens; none: the model's own limit"
    )
    sha256: str = Field(description="of model.safetensors")
    probes: tuple[Probe, ...] = Field(min_length=1)
    created_at: str


class BadVersion(Exception):
    """A published version that cannot be served; the message names the file."""


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def read_max_model_len(folder: Path) -> int:
    """Longest prompt and answer of a version, tokens: the manifest's, or the model's own limit.
    Raises BadVersion."""
    manifest = _parse_manifest(folder)
    if manifest.max_model_len is not None:
        return manifest.max_model_len
    file = folder / "config.json"
    try:
        return int(json.loads(file.read_bytes())["max_position_embeddings"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadVersion(f"{file} does not say max_position_embeddings: {error!r}") from error


def version_folder(policy_dir: Path, version: int) -> Path:
    """Folder of a version below the policy folder."""
    return policy_dir / f"v{version:06d}"


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks a version. Raises BadVersion."""
    for name in (MANIFEST, WEIGHTS, "config.json", "tokenizer.json", PROMPT_FORMAT):
        if not (folder / name).is_file():
            raise BadVersion(f"{folder / name} is missing; publish this version again")
    manifest = _parse_manifest(folder)
    if file_sha256(folder / WEIGHTS) != manifest.sha256:
        raise BadVersion(
            f"{folder / WEIGHTS} is truncated or was changed: its sha256 is not the manifest's"
        )
    return manifest


def _parse_manifest(folder: Path) -> Manifest:
    file = folder / MANIFEST
    try:
        return Manifest.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadVersion(f"{file} is missing; publish this version again") from error
    except ValidationError as error:
        raise BadVersion(f"{file} is damaged: {error.errors()[0]['msg']}") from error
