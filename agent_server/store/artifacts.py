"""Files of an episode: steps.jsonl, screenshots, evidence.zip, summary.json under
`episodes/<episode id>/`.

Guarantees: a step is on disk when `append` returns and an earlier one is never touched again; a
write that fails (a full disk) leaves whole lines only; every attempt has a folder of its own; no
id or name can point outside it. A folder holds the files on one machine; any fsspec URL (s3://...)
holds them for many, where an episode's files appear together when it ends.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import fsspec
import orjson

from agent_server.episodes.trajectory import Step, Trajectory

STEPS = "steps.jsonl"
SUMMARY = "summary.json"
EVIDENCE = "evidence.zip"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\.[0-9]{1,4})?")
_SCREENSHOT = re.compile(r"[0-9]{3,6}\.(jpeg|png|webp)")


class ArtifactError(RuntimeError):
    """Artifacts cannot be written or read; the message names the file and the way out."""


class EpisodeFiles(Protocol):
    """The files of one running episode, written by one worker."""

    def append(self, line: bytes) -> None: ...

    def put(self, name: str, data: bytes) -> None: ...

    def close(self) -> None: ...


class Artifacts:
    def __init__(self, url: str) -> None:
        self._root: Path | None = None
        if "://" not in url:
            self._root = Path(url).resolve() / "episodes"
        self._fs, path = fsspec.core.url_to_fs(url)
        self._base = f"{path.rstrip('/')}/episodes"

    def open(self, episode_id: str) -> EpisodeFiles:
        """For writing. A folder with steps in it belongs to another attempt and is refused."""
        folder = self._folder(episode_id)
        if self._root is None:
            return _RemoteFiles(self._fs, folder)
        return _LocalFiles(Path(folder))

    def read_trajectory(self, episode_id: str) -> Trajectory:
        """Raises KeyError if nothing was recorded under this id."""
        steps, _ = self.read_steps(episode_id, 0)
        raw = self._read(episode_id, SUMMARY)
        summary: dict[str, Any] = {} if raw is None else orjson.loads(raw)
        if raw is None and not steps:
            raise KeyError(f"no trajectory of episode {episode_id!r}")
        return Trajectory(episode_id=episode_id, steps=tuple(steps), summary=summary)

    def read_steps(self, episode_id: str, offset: int) -> tuple[list[Step], int]:
        """Whole steps from byte `offset` on, and the offset to go on from."""
        data = self._read(episode_id, STEPS, offset) or b""
        whole = data[: data.rfind(b"\n") + 1]
        steps = [Step.model_validate_json(line) for line in whole.splitlines()]
        return steps, offset + len(whole)

    def read_screenshot(self, episode_id: str, name: str) -> bytes:
        if not _SCREENSHOT.fullmatch(name):
            raise KeyError(f"{name!r} is not the name of a screenshot")
        data = self._read(episode_id, name)
        if data is None:
            raise KeyError(f"episode {episode_id!r} has no screenshot {name!r}")
        return data

    def read_evidence(self, episode_id: str) -> bytes | None:
        """What its verdict was made from (see `envs.verify.bundle`), if that was kept."""
        return self._read(episode_id, EVIDENCE)

    def free_bytes(self) -> int | None:
        """Room left on the disk of the folder; None where that cannot be known."""
        if self._root is None:
            return None
        self._root.mkdir(parents=True, exist_ok=True)
        return shutil.disk_usage(self._root).free

    def _folder(self, episode_id: str) -> str:
        if not _ID.fullmatch(episode_id):
            raise KeyError(f"{episode_id!r} is not an episode id")
        return str(self._root / episode_id) if self._root else f"{self._base}/{episode_id}"

    def _read(self, episode_id: str, name: str, offset: int = 0) -> bytes | None:
        path = f"{self._folder(episode_id)}/{name}"
        try:
            if self._root is None:
                return bytes(self._fs.cat_file(path, start=offset))
            with Path(path).open("rb") as file:
                file.seek(offset)
                return file.read()
        except FileNotFoundError:
            return None


class _LocalFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path = folder / STEPS
        try:
            folder.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._steps = os.open(path, flags, 0o644)
        except FileExistsError as error:
            raise ArtifactError(
                f"{path} is there already: it belongs to another attempt"
            ) from error
        except OSError as error:
            raise _cannot_write(path, error) from error
        self._size = 0

    def append(self, line: bytes) -> None:
        try:
            _write_all(self._steps, line + b"\n")
        except OSError as error:
            os.ftruncate(self._steps, self._size)
            os.lseek(self._steps, self._size, os.SEEK_SET)
            raise _cannot_write(self._folder / STEPS, error) from error
        self._size += len(line) + 1

    def put(self, name: str, data: bytes) -> None:
        path, part = self._folder / name, self._folder / f".{name}.part"
        try:
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise _cannot_write(path, error) from error

    def close(self) -> None:
        if self._steps >= 0:
            os.close(self._steps)
            self._steps = -1


class _RemoteFiles:
    """Object stores cannot append: files are kept in memory and put when the episode ends."""

    def __init__(self, fs: Any, folder: str) -> None:
        self._fs, self._folder = fs, folder
        self._lines: list[bytes] = []
        self._files: dict[str, bytes] = {}
        if fs.exists(f"{folder}/{STEPS}"):
            raise ArtifactError(f"{folder}/{STEPS} is there already: it belongs to another attempt")

    def append(self, line: bytes) -> None:
        self._lines.append(line)

    def put(self, name: str, data: bytes) -> None:
        self._files[name] = data

    def close(self) -> None:
        files = dict(self._all())
        self._lines, self._files = [], {}
        if not files:
            return
        try:
            self._fs.makedirs(self._folder, exist_ok=True)
            self._fs.pipe({f"{self._folder}/{name}": data for name, data in files.items()})
        except OSError as error:
            raise _cannot_write(f"{self._folder}/", error) from error

    def _all(self) -> Iterator[tuple[str, bytes]]:
        if self._lines:
            yield STEPS, b"".join(line + b"\n" for line in self._lines)
        yield from self._files.items()


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _cannot_write(path: Path | str, error: OSError) -> ArtifactError:
    return ArtifactError(
        f"cannot write {path}: {error.strerror or error}; "
        "free space there or point DESKHAND_ARTIFACTS_URL elsewhere"
    )
