"""Files that go into an environment and come out of it, by name.

Guarantees: a name that `clean_name` gives is of one part, leads nowhere else on any system, and is
short enough to be stored with a prefix.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MAX_FILES = 50
"""That go into one environment, and that come out of it."""
MAX_FILE_BYTES = 32 * 2**20
MAX_FILES_BYTES = 64 * 2**20
"""Of all files that go into one environment, and of all that come out of it."""
MAX_NAME_BYTES = 180
_UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')
_NAMELESS = "file"
_HIDDEN_KINDS = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
"""Characters that are not seen; those that turn the direction of writing make an extension look
like another."""


class NoSuchFile(Exception):
    """There is none of this name; the message names it."""


class FileRefused(Exception):
    """A file cannot be taken in; the message says why."""


def clean_name(text: str) -> str:
    """A file's name, of what a page, a program or a caller calls it. Never empty."""
    text = unicodedata.normalize("NFC", text).replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    text = "".join(each for each in text if unicodedata.category(each) not in _HIDDEN_KINDS)
    text = " ".join(_UNSAFE.sub("_", text).split()).strip(" .")
    stem, dot, extension = text.rpartition(".")
    if not dot or len(extension.encode()) > 20:
        stem, extension = text, ""
    kept = MAX_NAME_BYTES - len(f"{dot}{extension}".encode())
    stem = stem.encode()[:kept].decode(errors="ignore").strip(" .")
    return f"{stem or _NAMELESS}.{extension}" if extension else stem or _NAMELESS


def make_unique(name: str, taken: Collection[str]) -> str:
    """The name, or it with a number before its extension where it is taken."""
    stem, dot, extension = name.rpartition(".")
    if not dot:
        stem, extension = name, ""
    number, unique = 2, name
    while unique in taken:
        unique, number = f"{stem} ({number}){dot}{extension}", number + 1
    return unique


def _require_clean(name: str) -> str:
    if clean_name(name) != name:
        raise ValueError(
            f"{name[:60]!r} is no file name of one part, such as {clean_name(name)[:60]!r}"
        )
    return name


FileName = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_require_clean)]


class FileRef(BaseModel):
    """A file that came with a task; its bytes are kept beside the task's other files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: FileName
    size: int = Field(ge=0, le=MAX_FILE_BYTES, description="bytes")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class FileInfo(BaseModel):
    """A file of a session. `is_input`: it was put there; the others were made there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    size: int = Field(description="bytes")
    is_input: bool


class SessionFileList(BaseModel):
    """Files of a session, and why others are missing."""

    files: tuple[FileInfo, ...] = ()
    notes: tuple[str, ...] = Field((), description="a sentence about each file that was not kept")


def describe_files(names: Iterable[str], env: str) -> str:
    """What an agent is told of the files that came with its task."""
    listed = ", ".join(names)
    if env == "desktop":
        return f"These files are in your home folder: {listed}."
    return (
        f"You have these files: {listed}. Where a page wants one, click its upload control; then "
        "type the file's name, or answer the dialog with it (several: one on each line)."
    )
