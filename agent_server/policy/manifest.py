"""The files of one published policy version: its manifest and its prompt format.

A version is a folder: config.json, model.safetensors, the tokenizer's files, prompt.json and
manifest.json, written last. One that is an adapter has adapter_config.json and
adapter_model.safetensors instead, and names its base. `read_manifest` refuses a folder that is
missing something or whose weights are not those the manifest was made for, with one sentence that
names the file.

prompt.json says how a message becomes the token ids of a prompt, for whichever model is served.
Collecting, samples and learner read the same file or make the same object, so that none of them
renders a chat template.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.contract.validation import describe_first

Published = TypeVar("Published", bound=BaseModel)
MANIFEST = "manifest.json"
WEIGHTS = "model.safetensors"
ADAPTER_CONFIG, ADAPTER_WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
PROMPT_FORMAT = "prompt.json"
"""What stands around a message, see `PromptFormat`."""
PROBE_TOKENS = 1
"""What a server adds to a probe."""
LIVE = "live"
"""Beside the versions: a link to the version that was accepted last."""


class Probe(BaseModel):
    """Token ids, and the learner's logprob of each token but the first given those before it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    token_ids: tuple[int, ...] = Field(min_length=2)
    logprobs: tuple[float, ...]
    base_logprobs: tuple[float, ...] = Field(
        (), description="of an adapter: the same without it, so that a dead one shows"
    )
    pictures: tuple[str, ...] = Field(
        (), description="files of the version that the tokens show, in order"
    )


class Base(BaseModel):
    """The version that an adapter belongs to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: str = Field(
        pattern=r"^\w[\w.-]*$", description="name of its folder, beside the adapter's"
    )
    sha256: str = Field(description="of its weights")


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
    sha256: str = Field(description="of the file of weights")
    base: Base | None = Field(None, description="of an adapter")
    probes: tuple[Probe, ...] = Field(min_length=1)
    created_at: str

    @property
    def weights(self) -> str:
        """Name of the file of weights."""
        return WEIGHTS if self.base is None else ADAPTER_WEIGHTS


class PictureFormat(BaseModel):
    """How a prompt shows a picture, and the sizes that the model's own processor leaves as they
    are. Pictures get such a size before they are sent: what is stored is what the model reads."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    before: tuple[int, ...] = Field(description="token ids before the picture's own")
    token: int = Field(ge=0, description="stands for a square of the picture, `factor` pixels wide")
    after: tuple[int, ...]
    factor: int = Field(ge=1, description="sides are multiples of it")
    min_pixels: int = Field(ge=1, description="smallest area")
    max_pixels: int = Field(ge=1, description="largest area")
    banned: tuple[int, ...] = Field(
        (), description="ids that an answer must not hold: they stand for pictures that are not"
    )

    def count_tokens(self, width: int, height: int) -> int:
        """Tokens of a picture of a size that the processor leaves as it is."""
        return (width // self.factor) * (height // self.factor)

    def show(self, tokens: int) -> list[int]:
        """Ids of one picture."""
        return [*self.before, *[self.token] * tokens, *self.after]


class PromptFormat(BaseModel):
    """Token ids that the model's chat template puts around the text of a user's message."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prefix: tuple[int, ...] = Field(description="before the text of the message")
    suffix: tuple[int, ...] = Field(description="after it, up to where the answer begins")
    ends: tuple[int, ...] = Field(
        min_length=1,
        description="each ends an answer; the first is what the chat template writes there",
    )
    picture: PictureFormat | None = Field(None, description="none: the model reads no pictures")

    def wrap(
        self, text_ids: Sequence[int], room: int | None = None, pictures: Sequence[int] = ()
    ) -> list[int]:
        """Ids of a prompt. Of the text the last `room` tokens are left, see `room`: a prompt begins
        with the page, and the task after it is not cut off. `pictures`: tokens of each picture;
        they stand before the text."""
        text = text_ids if room is None else text_ids[-room:]
        shown = [token for tokens in pictures for token in self._picture.show(tokens)]
        return [*self.prefix, *shown, *text, *self.suffix]

    def room(self, max_model_len: int, max_tokens: int, pictures: Sequence[int] = ()) -> int:
        """Tokens of a prompt's text beside an answer of `max_tokens`, the pictures and what a probe
        needs."""
        around = len(self.wrap((), pictures=pictures))
        return max(max_model_len - max_tokens - around - PROBE_TOKENS, 1)

    @property
    def _picture(self) -> PictureFormat:
        if self.picture is None:
            raise ValueError("the model reads no pictures: its prompt.json has no picture format")
        return self.picture


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
    manifest = parse_manifest(folder)
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


def model_folder(folder: Path) -> Path:
    """The folder with a version's whole weights: its own, or that of an adapter's base. Raises
    BadVersion."""
    base = parse_manifest(folder).base
    return folder if base is None else folder.parent / base.folder


def read_lora_rank(folder: Path) -> int:
    """Width of a version that is an adapter; 0 for whole weights. Raises BadVersion."""
    if parse_manifest(folder).base is None:
        return 0
    file = folder / ADAPTER_CONFIG
    try:
        return int(json.loads(file.read_bytes())["r"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadVersion(f"{file} does not say r, the adapter's rank: {error!r}") from error


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks a version. Of an adapter's base only the manifest is read: its weights were
    checked when they were loaded. Raises BadVersion."""
    manifest = parse_manifest(folder)
    model_config = "config.json" if manifest.base is None else ADAPTER_CONFIG
    for name in (manifest.weights, model_config, "tokenizer.json", PROMPT_FORMAT):
        if not (folder / name).is_file():
            raise BadVersion(f"{folder / name} is missing; publish this version again")
    if file_sha256(folder / manifest.weights) != manifest.sha256:
        raise BadVersion(
            f"{folder / manifest.weights} is truncated or was changed: its sha256 is not the "
            "manifest's"
        )
    if manifest.base is not None:
        base = parse_manifest(folder.parent / manifest.base.folder)
        if base.sha256 != manifest.base.sha256:
            raise BadVersion(
                f"{folder} is an adapter of another base: the weights of {manifest.base.folder} "
                "are not those that it was trained on"
            )
    return manifest


def parse_manifest(folder: Path) -> Manifest:
    """Reads a manifest alone. Raises BadVersion."""
    return read_published(folder / MANIFEST, Manifest)


def read_prompt_format(folder: Path) -> PromptFormat:
    """The format of a published version. Raises BadVersion."""
    return read_published(folder / PROMPT_FORMAT, PromptFormat)


def read_published(file: Path, model: type[Published]) -> Published:
    """One of the JSON files of a published version. Raises BadVersion."""
    try:
        return model.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadVersion(f"{file} is missing; publish this version again") from error
    except ValidationError as error:
        raise BadVersion(f"{file} is damaged: {describe_first(error)}") from error
