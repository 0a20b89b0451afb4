"""Metrics of files and folders."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MAX_MEMBER = 10 * 1024 * 1024
_ARCHIVE_ERRORS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
)


def folder_is(result: Mapping[str, str | None], rules: Mapping[str, str | None]) -> float:
    """1 when the folder holds just these: text of each file by its path, null for a folder. Folders
    that hold something are implied. A final line break more or less does not matter."""
    expected = dict(rules)
    for path in rules:
        for above in list(Path(path).parents)[:-1]:
            expected.setdefault(above.as_posix(), None)
    return float(
        result.keys() == expected.keys()
        and all(
            _without_final_break(result[path]) == _without_final_break(expected[path])
            for path in expected
        )
    )


def text_is(result: Path, rules: str) -> float:
    """1 when the file is this text, but for a final line break."""
    try:
        text = result.read_bytes().decode()
    except UnicodeDecodeError:
        return 0.0
    return float(_without_final_break(text) == _without_final_break(rules))


def archive_is(result: Path, rules: Mapping[str, Any]) -> float:
    """1 when the file is an archive of this `kind` ("zip" or "tar") with just these `files`: text
    by path. Entries of folders do not matter. A file that is no such archive scores 0."""
    try:
        contents = _read_zip(result) if rules["kind"] == "zip" else _read_tar(result)
    except _ARCHIVE_ERRORS:
        return 0.0
    return float(contents == {path: text.encode() for path, text in rules["files"].items()})


def _read_zip(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if any(member.file_size > MAX_MEMBER for member in members):
            raise zipfile.BadZipFile("a member is too large")
        return {member.filename: archive.read(member) for member in members}


def _read_tar(path: Path) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isdir():
                continue
            content = archive.extractfile(member) if member.isfile() else None
            if content is None or member.size > MAX_MEMBER:
                raise tarfile.ReadError(f"{member.name} is not a file that can be judged")
            contents[member.name.removeprefix("./")] = content.read()
    return contents


def _without_final_break(text: str | None) -> str | None:
    return text if text is None else text.removesuffix("\n")
