"""The desktop user's home folder: a snapshot of it, and the way back to that snapshot.

Guarantees: after `restore` every file, link and folder is as in the snapshot and nothing else is
there. What was left alone since the last restore is recognised by inode, change time and size; the
change time is the kernel's own and cannot be set back, so a file that was touched is copied anew.
A folder that this module did not mark as its own is never restored over.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

MARK = ".deskhand-home"
REMOVE_TRIES = 20
REMOVE_PAUSE_S = 0.01
Stamp = tuple[int, int, int, int]
"""inode, change time (ns), size, mode"""


class NotOurs(Exception):
    """The folder holds files and carries no mark: it may be somebody's real home."""


class Home:
    """`folder`: what the desktop's programs see; `pristine`: the snapshot, never written to."""

    def __init__(self, folder: Path, pristine: Path) -> None:
        self.folder, self._pristine = folder, pristine
        self._stamps: dict[str, Stamp] = {}

    def claim(self) -> None:
        """Raises NotOurs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / MARK).exists() and any(self.folder.iterdir()):
            raise NotOurs(
                f"{self.folder} is not empty and has no {MARK}: resetting a desktop would delete "
                "what is in it; name an empty folder"
            )
        (self.folder / MARK).touch()

    def restore(self) -> int:
        """Makes the folder equal to the snapshot; how many files were written or removed."""
        snapshot = {path: entry for path, entry in _walk(self._pristine) if path != MARK}
        changed = self._remove_strangers(snapshot)
        stamps: dict[str, Stamp] = {}
        for path, entry in snapshot.items():
            there = self.folder / path
            if path not in self._stamps or self._stamps[path] != _stamp(there):
                changed += self._put(there, Path(entry.path), entry)
            stamp = _stamp(there)
            assert stamp is not None
            stamps[path] = stamp
        self._stamps = stamps
        return changed

    def _remove_strangers(self, snapshot: dict[str, os.DirEntry[str]]) -> int:
        removed = 0
        for path, entry in list(_walk(self.folder)):
            if path == MARK:
                continue
            counterpart = snapshot.get(path)
            if counterpart is None or _kind(counterpart) != _kind(entry):
                remove(self.folder / path)
                removed += 1
        return removed

    def _put(self, there: Path, source: Path, entry: os.DirEntry[str]) -> int:
        if entry.is_symlink():
            remove(there)
            there.symlink_to(source.readlink())
        elif entry.is_dir(follow_symlinks=False):
            there.mkdir(exist_ok=True)
            if stat.S_IMODE(there.lstat().st_mode) == stat.S_IMODE(source.lstat().st_mode):
                return 0
            there.chmod(stat.S_IMODE(source.lstat().st_mode))
        else:
            remove(there)
            shutil.copy2(source, there)
        return 1


def content_hashes(folder: Path) -> dict[str, str]:
    """Hash of each file and link below `folder` by its path; what programs keep for themselves
    (names that begin with a dot) is left out."""
    hashes: dict[str, str] = {}
    for path, entry in _walk(folder):
        if any(part.startswith(".") for part in path.split("/")):
            continue
        with contextlib.suppress(FileNotFoundError):
            if entry.is_symlink():
                hashes[path] = f"link {Path(entry.path).readlink()}"
            elif entry.is_file(follow_symlinks=False):
                content = Path(entry.path).read_bytes()
                hashes[path] = hashlib.blake2b(content, digest_size=16).hexdigest()
    return hashes


def _walk(folder: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """(relative path, entry) of everything below, a folder before what it holds."""
    pending = [(str(folder), "")]
    while pending:
        folder_path, prefix = pending.pop()
        try:
            with os.scandir(folder_path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            continue  # it went away meanwhile
        for entry in entries:
            path = f"{prefix}{entry.name}"
            yield path, entry
            if entry.is_dir(follow_symlinks=False):
                pending.append((entry.path, f"{path}/"))


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "special"


def _stamp(path: Path) -> Stamp | None:
    with contextlib.suppress(FileNotFoundError):
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            return (status.st_ino, 0, 0, status.st_mode)
        return (status.st_ino, status.st_ctime_ns, status.st_size, status.st_mode)
    return None


def remove(path: Path) -> None:
    """Programs of the desktop itself may be writing there: bounded tries. Raises OSError."""
    for attempt in range(REMOVE_TRIES):
        try:
            if path.is_dir() and not path.is_symlink():
                for folder, _, _ in os.walk(path):
                    Path(folder).chmod(0o700)
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.ENOENT) or attempt + 1 == REMOVE_TRIES:
                raise
            time.sleep(REMOVE_PAUSE_S)
