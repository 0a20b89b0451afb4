"""Evidence: what a verdict is made from, and all that it is made from.

For each metric of an evaluator its name, its options, and its arguments as they were when the
episode ended: JSON, files, or why there is none. Files lie in a folder beside it, by `path`; what a
box says of a file is a claim until it was fetched and hashed.

Guarantees: no path leads out of the folder, whoever wrote it.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

INFEASIBLE = "infeasible"
MAX_FILE = 100 * 1024 * 1024
PIECE = 1 << 20
_NAME_CHARS = 120
_FOLDER = re.compile(r"[\w-]{1,40}", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f/\\]")


class TooLarge(ValueError):
    """A file that is too large to be judged."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} is larger than {MAX_FILE} bytes, the most that is judged")


def _below(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if (folder and not _FOLDER.fullmatch(folder)) or name != safe_name(name):
        raise ValueError("leads out of the folder of the evidence")
    return path


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class File(_Model):
    """`path`: below the folder of the evidence, "<folder>/<name>"; in a box's answer the name."""

    kind: Literal["file"] = "file"
    path: Annotated[str, AfterValidator(_below)]
    bytes: int = Field(ge=0, le=MAX_FILE)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Files(_Model):
    """`unchosen`: the task does not say which of them are meant; OSWorld takes the first."""

    kind: Literal["files"] = "files"
    files: tuple[File, ...] = Field(min_length=1, max_length=1000)
    unchosen: bool = False


class Data(_Model):
    """A JSON value."""

    kind: Literal["data"] = "data"
    value: JsonValue


class Missing(_Model):
    """What the task asked for is not there, which scores 0."""

    kind: Literal["missing"] = "missing"
    what: str


class Fault(_Model):
    """It could not be looked at, so there is no score."""

    kind: Literal["fault"] = "fault"
    reason: str


Value = Annotated[File | Files | Data | Missing | Fault, Field(discriminator="kind")]


class Collected(_Model):
    """A box's answer: a value for each getter, in the order in which they were asked for. `notes`:
    steps of the evaluator that failed and may, one sentence each."""

    values: tuple[Value, ...]
    notes: tuple[str, ...] = ()


class Measure(_Model):
    """One metric with its arguments; a None was not asked for."""

    func: str
    options: dict[str, JsonValue] = Field(default_factory=dict)
    result: Value | None = None
    expected: Value | None = None


class Evidence(_Model):
    """`infeasible`: whether the task is, `gave_up`: whether the agent said so. `notes`: of the
    collection."""

    format: Literal[1] = 1
    task_id: str
    infeasible: bool = False
    gave_up: bool = False
    conj: str = "and"
    measures: tuple[Measure, ...] = ()
    milestones: dict[str, Measure] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()


def safe_name(name: str) -> str:
    """The name as one that a file may have here: the end of it where it is long."""
    plain = _CONTROL.sub("_", writable(name))[-_NAME_CHARS:].strip()
    return plain if plain.strip(".") else "file"


def writable(text: str) -> str:
    """The text with what UTF-8 has no bytes for (parts of names of files) written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def pack_value(value: Any, folder: Path | None = None) -> File | Files | Data:
    """What a getter gave: a path, a list of them, or JSON. `folder`: that of the evidence, where
    the files lie; without it their paths are names. Raises TooLarge, FileNotFoundError for what is
    no file any more, ValueError for any other value."""
    if isinstance(value, Path):
        return _describe_file(value, folder)
    if isinstance(value, list) and value and all(isinstance(each, Path) for each in value):
        return Files(files=tuple(_describe_file(each, folder) for each in value))
    return Data(value=_plain(value))


def unpack_value(value: File | Files | Data, folder: Path) -> Any:
    """The value as a metric takes it: paths below `folder`, or JSON."""
    if isinstance(value, File):
        return folder / value.path
    if isinstance(value, Files):
        return [folder / file.path for file in value.files]
    return value.value


def _describe_file(path: Path, folder: Path | None) -> File:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise FileNotFoundError(str(path))
        with open(path, "rb", opener=_open_without_following) as file:
            size, digest = _hash_file(path, file)
    except OSError as error:
        raise FileNotFoundError(str(path)) from error
    name = safe_name(path.name) if folder is None else str(path.relative_to(folder))
    return File(path=name, bytes=size, sha256=digest)


def _open_without_following(path: str, flags: int) -> int:
    # What was a file may be a link or a pipe by now.
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _hash_file(path: Path, file: IO[bytes]) -> tuple[int, str]:
    status = os.fstat(file.fileno())
    if status.st_size > MAX_FILE:
        raise TooLarge(path)
    digest, size = hashlib.sha256(), 0
    while size <= status.st_size and (piece := file.read(PIECE)):
        digest.update(piece)
        size += len(piece)
    if size != status.st_size:
        raise ValueError(f"{path.name} changed while it was read")
    return size, digest.hexdigest()


def _plain(value: Any) -> Any:
    """JSON with texts that can be written."""
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, dict):
        return {_plain(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
