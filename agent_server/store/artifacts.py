"""Files of an episode: steps.jsonl, screenshots, evidence.zip, summary.json, perhaps a film under
`episodes/<episode id>/`.

Guarantees: a step is on disk when `append` returns and an earlier one is never touched again; a
write that fails (a full disk) leaves whole lines only; every episode has a folder of its own; no
id or name can point outside it. A folder holds the files on one machine; any fsspec URL (s3://...)
holds them for many, where an episode's files appear together when it ends.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import fsspec
import orjson
from pydantic import TypeAdapter

from agent_server.episodes.trajectory import Completion, EpisodeResult, Step, Trajectory
from envs.contract.observations import Screenshot
from envs.io.atomic_write import write_whole

STEPS = "steps.jsonl"
SUMMARY = "summary.json"
FILM = "recording.mp4"
EVIDENCE = "evidence.zip"
PAGE_BYTES = 8 * 2**20
"""Of the steps of one page."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\.[0-9]{1,4})?")
_SCREENSHOT = re.compile(r"([0-9]{3,6}|[0-9a-f]{64})\.(jpeg|png|webp)")


_step: TypeAdapter[Step] = TypeAdapter(Step)


class ArtifactError(RuntimeError):
    """Artifacts cannot be written or read; the message names the file and the way out."""


class EpisodeFiles(Protocol):
    """The files of one running episode, written by one worker."""

    def append(self, line: bytes) -> None:
        """Append a line to steps.jsonl."""
        ...

    def put(self, name: str, data: bytes) -> None:
        """Write a file, whole or not at all."""
        ...

    def close(self) -> None:
        """Finish; further writes are errors."""
        ...


class Artifacts:
    """Files of all episodes, in a folder or at any fsspec URL."""

    def __init__(self, url: str) -> None:
        self._root: Path | None = None
        if "://" not in url:
            self._root = Path(url).resolve() / "episodes"
        self._fs, path = fsspec.core.url_to_fs(url)
        self._base = f"{path.rstrip('/')}/episodes"

    def open(self, episode_id: str) -> EpisodeFiles:
        """Open an episode for writing. A folder with steps in it belongs to another episode and is
        refused."""
        folder = self._folder(episode_id)
        if self._root is None:
            return _RemoteFiles(self._fs, folder)
        return _LocalFiles(Path(folder))

    def read_trajectory(self, episode_id: str) -> Trajectory:
        """Raises KeyError if nothing was recorded under this id."""
        steps, _ = self.read_steps(episode_id, 0)
        summary = self.read_summary(episode_id)
        if summary is None and not steps:
            raise KeyError(f"no trajectory of episode {episode_id!r}")
        return Trajectory(episode_id=episode_id, steps=tuple(steps), summary=summary or {})

    def read_seen(self, episode_id: str) -> Trajectory:
        """The same, with the bytes of the pictures that its prompts showed. Raises KeyError."""
        trajectory = self.read_trajectory(episode_id)
        files: dict[str, bytes] = {}
        steps = [
            step.model_copy(
                update={"completion": self._with_pictures(episode_id, step.completion, files)}
            )
            if step.completion.all_pictures
            else step
            for step in trajectory.steps
        ]
        return trajectory.model_copy(update={"steps": tuple(steps)})

    def _with_pictures(
        self, episode_id: str, completion: Completion, files: dict[str, bytes]
    ) -> Completion:
        """`files`: those that were read already, and those that are read now."""
        pictures = []
        for picture in completion.pictures:
            if picture.name not in files:
                files[picture.name] = self.read_screenshot(episode_id, picture.name)
            pictures.append(picture.model_copy(update={"data": files[picture.name]}))
        plan = completion.plan
        if plan is not None:
            completed = self._with_pictures(episode_id, plan.completion, files)
            plan = plan.model_copy(update={"completion": completed})
        return completion.model_copy(update={"pictures": tuple(pictures), "plan": plan})

    def read_steps(self, episode_id: str, offset: int) -> tuple[list[Step], int]:
        """Complete steps from byte `offset` on, and the offset to continue from."""
        data = self._read_file(episode_id, STEPS, offset) or b""
        whole = data[: data.rfind(b"\n") + 1]
        steps = [Step.model_validate_json(line) for line in whole.splitlines()]
        return steps, offset + len(whole)

    def read_page(self, episode_id: str, after: int, limit: int) -> tuple[list[Step], bool]:
        """At most `limit` complete steps after the first `after`, and whether there are more. A
        page that would be larger than PAGE_BYTES is shorter, but never empty."""
        lines = islice(self._step_lines(episode_id), after, None)
        steps: list[Step] = []
        size = 0
        for line in lines:
            size += len(line)
            if len(steps) == limit or (steps and size > PAGE_BYTES):
                return steps, True
            steps.append(Step.model_validate_json(line))
        return steps, False

    def _step_lines(self, episode_id: str) -> Iterator[bytes]:
        """Whole lines, one at a time where the file can be read so."""
        path = f"{self._folder(episode_id)}/{STEPS}"
        try:
            with self._fs.open(path, "rb") if self._root is None else Path(path).open("rb") as file:
                for line in file:
                    if line.endswith(b"\n"):
                        yield line
        except FileNotFoundError:
            return

    def read_summary(self, episode_id: str) -> dict[str, Any] | None:
        """What is written when an episode ends; None before."""
        raw = self._read_file(episode_id, SUMMARY)
        return None if raw is None else orjson.loads(raw)

    def steps_size(self, episode_id: str) -> int:
        """Bytes of its steps so far; 0 where they come together at its end."""
        if self._root is None:
            return 0
        try:
            return Path(self._folder(episode_id), STEPS).stat().st_size
        except FileNotFoundError:
            return 0

    def read_screenshot(self, episode_id: str, name: str) -> bytes:
        """A recorded picture. Raises KeyError."""
        if not _SCREENSHOT.fullmatch(name):
            raise KeyError(f"{name!r} is not the name of a screenshot")
        data = self._read_file(episode_id, name)
        if data is None:
            raise KeyError(f"episode {episode_id!r} has no screenshot {name!r}")
        return data

    def newest_screenshot(self, episode_id: str) -> str | None:
        """Name of the last picture so far; None without one, or where all files come together at
        the episode's end."""
        if self._root is None:
            return None
        try:
            files = [entry.name for entry in Path(self._folder(episode_id)).iterdir()]
        except FileNotFoundError:
            return None
        # Pictures that a policy was shown have a hash for a name, and no order.
        names = (name for name in files if _SCREENSHOT.fullmatch(name) and len(name) < 64)
        return max(names, key=lambda name: (len(name), name), default=None)

    def read_film(self, episode_id: str) -> bytes | None:
        """The film (mp4); None without one."""
        return self._read_file(episode_id, FILM)

    def read_evidence(self, episode_id: str) -> bytes | None:
        """What its verdict was made from (see `envs.state.bundle`), if that was kept."""
        return self._read_file(episode_id, EVIDENCE)

    def put_file(self, episode_id: str, name: str, data: bytes) -> None:
        """Writes a file before the episode is opened, or of something that is no episode. Raises
        ArtifactError."""
        folder = self._folder(episode_id)
        try:
            if self._root is None:
                self._fs.makedirs(folder, exist_ok=True)
                self._fs.pipe_file(f"{folder}/{name}", data)
            else:
                Path(folder).mkdir(parents=True, exist_ok=True)
                write_whole(Path(folder, name), [data])
        except OSError as error:
            raise _cannot_write(f"{folder}/{name}", error) from error

    def read_file(self, episode_id: str, name: str) -> bytes | None:
        """A file by its name in the folder; None without one."""
        return self._read_file(episode_id, name)

    def size_of(self, episode_id: str) -> int:
        """Bytes of all its files."""
        folder = self._folder(episode_id)
        try:
            if self._root is None:
                return int(self._fs.du(folder))
            return sum(entry.stat(follow_symlinks=False).st_size for entry in os.scandir(folder))
        except FileNotFoundError:
            return 0

    def remove(self, episode_id: str) -> None:
        """Remove all its files; nothing if there are none."""
        folder = self._folder(episode_id)
        try:
            if self._root is None:
                self._fs.rm(folder, recursive=True)
            else:
                shutil.rmtree(folder)
        except FileNotFoundError:
            return

    def find_idle(self, moment: float) -> list[str]:
        """Ids with files that were not touched since `moment` (seconds since the epoch). Empty for
        an object store, which would have to be listed whole."""
        if self._root is None or not self._root.is_dir():
            return []
        return [
            entry.name
            for entry in os.scandir(self._root)
            if _ID.fullmatch(entry.name)
            and entry.is_dir(follow_symlinks=False)
            and entry.stat(follow_symlinks=False).st_mtime < moment
        ]

    def free_bytes(self) -> int | None:
        """Free space on the disk of the folder; None where it cannot be known."""
        if self._root is None:
            return None
        self._root.mkdir(parents=True, exist_ok=True)
        return shutil.disk_usage(self._root).free

    def _folder(self, episode_id: str) -> str:
        if not _ID.fullmatch(episode_id):
            raise KeyError(f"{episode_id!r} is not an episode id")
        return str(self._root / episode_id) if self._root else f"{self._base}/{episode_id}"

    def _read_file(self, episode_id: str, name: str, offset: int = 0) -> bytes | None:
        path = f"{self._folder(episode_id)}/{name}"
        try:
            if self._root is None:
                return bytes(self._fs.cat_file(path, start=offset))
            with Path(path).open("rb") as file:
                file.seek(offset)
                return file.read()
        except FileNotFoundError:
            return None


class Recorder:
    """Records one episode. A write that fails raises ArtifactError; everything written before
    stays."""

    def __init__(self, artifacts: Artifacts, episode_id: str) -> None:
        self.episode_id = episode_id
        self._files = artifacts.open(episode_id)
        self._pictures: set[str] = set()

    def save_screenshot(self, index: int, screenshot: Screenshot) -> str:
        """Save the picture that the policy saw before step `index`; returns the file's name."""
        name = f"{index:03d}.{screenshot.format}"
        self._files.put(name, base64.b64decode(screenshot.data))
        return name

    def save_film(self, film: bytes) -> None:
        """Save the film (mp4)."""
        self._files.put(FILM, film)

    def record_step(self, step: Step) -> None:
        """Append one step; before it the files of pictures that no earlier step showed."""
        for picture in step.completion.all_pictures:
            if picture.name not in self._pictures:
                self._files.put(picture.name, picture.data)
                self._pictures.add(picture.name)
        self._files.append(_step.dump_json(step))

    def save_file(self, name: str, data: bytes) -> None:
        """Save a file under this name in the episode's folder."""
        self._files.put(name, data)

    def save_evidence(self, data: bytes) -> None:
        """Save the evidence that the verdict is computed from."""
        self._files.put(EVIDENCE, data)

    def finish(self, result: EpisodeResult, row_fields: dict[str, Any]) -> None:
        """Write the summary. `row_fields`: the episode's task, run and attempt."""
        summary = {"episode_id": self.episode_id, **row_fields}
        summary |= {field.name: getattr(result, field.name) for field in fields(result)}
        summary |= {"score": result.score, "success": result.success}
        if result.verdict is not None:
            summary["verdict"] = result.verdict.model_dump(mode="json")
        self._files.put(SUMMARY, orjson.dumps(summary, option=orjson.OPT_INDENT_2))

    def close(self) -> None:
        """Close the files."""
        self._files.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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
                f"{path} is there already: it belongs to another episode"
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
            raise ArtifactError(f"{folder}/{STEPS} is there already: it belongs to another episode")

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
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[os.write(descriptor, remaining) :]


def _cannot_write(path: Path | str, error: OSError) -> ArtifactError:
    return ArtifactError(
        f"cannot write {path}: {error.strerror or error}; "
        "free space there or point DESKHAND_ARTIFACTS_URL elsewhere"
    )
