"""Files of a desktop's session: put into the home folder, and found there when they were made.

Guarantees: what programs keep for themselves (names that begin with a dot) is left out, links too;
a file that is as it was when the task began is not one that was made; counts and sizes are bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from envs.contract.files import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_FILES_BYTES,
    FileInfo,
    FileRefused,
    NoSuchFile,
    SessionFileList,
    clean_name,
    make_unique,
)
from envs.desktop.home import content_hashes


class HomeFiles:
    """Of one session; `folder` is the home folder. Blocking: call it in a thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._put: dict[str, int] = {}
        self._made: dict[str, Path] = {}
        self._before: Mapping[str, str] = {}

    def begin(self, before: Mapping[str, str]) -> None:
        """A task begins; `before`: hashes of the home folder's files."""
        self._put, self._made, self._before = {}, {}, before

    def put(self, name: str, data: bytes) -> FileInfo:
        """Writes a file into the home folder. Raises FileRefused."""
        others = {other: size for other, size in self._put.items() if other != name}
        if clean_name(name) != name:
            raise FileRefused(f"{name[:60]!r} is no file name of one part")
        if len(others) >= MAX_FILES or sum(others.values()) + len(data) > MAX_FILES_BYTES:
            most = f"{MAX_FILES} files of {MAX_FILES_BYTES} bytes in all"
            raise FileRefused(f"{name}: a session takes {most}")
        place = self._folder / name
        if name not in self._put and (place.exists() or place.is_symlink()):
            raise FileRefused(f"{name} is there already")
        place.write_bytes(data)
        self._put[name] = len(data)
        # As it was put there it is nothing that the task made.
        self._before = {**self._before, name: content_hashes(self._folder).get(name, "")}
        return FileInfo(name=name, size=len(data), is_input=True)

    def list(self) -> SessionFileList:
        """Files that were put there and are unchanged, and those that were made or changed."""
        hashes, notes, total = content_hashes(self._folder), list[str](), 0
        self._made = {}
        files: list[FileInfo] = []
        for path, digest in sorted(hashes.items()):
            place = self._folder / path
            if self._before.get(path) == digest or digest.startswith("link "):
                continue
            name, size = make_unique(clean_name(place.name), self._made), place.stat().st_size
            if len(self._made) >= MAX_FILES:
                notes.append(f"{path[:200]}: a session keeps {MAX_FILES} files")
                break
            if size > MAX_FILE_BYTES or total + size > MAX_FILES_BYTES:
                notes.append(f"{path[:200]}: more bytes than are kept")
                continue
            self._made[name], total = place, total + size
            files.append(FileInfo(name=name, size=size, is_input=False))
        unchanged = [
            FileInfo(name=name, size=size, is_input=True)
            for name, size in self._put.items()
            if name in hashes and name not in self._made
        ]
        return SessionFileList(files=(*unchanged, *files), notes=tuple(notes))

    def read(self, name: str) -> bytes:
        """A file of the last list. Raises NoSuchFile."""
        place = self._made.get(name)
        if place is None and name in self._put:
            place = self._folder / name
        if place is None or not place.is_file() or place.is_symlink():
            raise NoSuchFile(f"there is no file {name[:60]!r}")
        with place.open("rb") as file:
            return file.read(MAX_FILE_BYTES)
