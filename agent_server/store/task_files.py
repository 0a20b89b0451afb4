"""Files of tasks beside their steps: what came with a task, and what it made.

Guarantees: what a caller uploads is kept for a day; a task that names it has a copy of its own;
what a task made is listed once it has ended. All files of a task go when its episodes are pruned.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable

from pydantic import BaseModel, Field

from agent_server.store.artifacts import Artifacts
from envs.contract.files import (
    MAX_FILE_BYTES,
    MAX_FILES_BYTES,
    FileInfo,
    FileRef,
    FileRefused,
    NoSuchFile,
    SessionFileList,
    clean_name,
)

UPLOAD_ID = r"f_[0-9a-f]{16}"
MADE = "files.json"
"""What an episode made: a `SessionFileList`."""
_UPLOADED, _UPLOAD = "upload.json", "upload.bin"


class Upload(BaseModel):
    """A file that tasks can name."""

    id: str = Field(description="for `files` of a task")
    name: str = Field(description="how the task will know it")
    size: int = Field(description="bytes")
    sha256: str


def input_name(name: str) -> str:
    """Of a task's input in the folder of its first episode."""
    return f"in.{name}"


def made_name(name: str) -> str:
    """Of a file that an episode made, in its folder."""
    return f"out.{name}"


class TaskFiles:
    """In the artifacts of a stack."""

    def __init__(self, artifacts: Artifacts) -> None:
        self._artifacts = artifacts

    def upload(self, name: str, data: bytes) -> Upload:
        """Keeps a file for a task to come. Raises FileRefused, ArtifactError."""
        if len(data) > MAX_FILE_BYTES:
            raise FileRefused(f"a file has at most {MAX_FILE_BYTES} bytes")
        upload = Upload(
            id=f"f_{secrets.token_hex(8)}",
            name=clean_name(name),
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
        )
        self._artifacts.put_file(upload.id, _UPLOAD, data)
        # Last: an upload that was not written whole is none.
        self._artifacts.put_file(upload.id, _UPLOADED, upload.model_dump_json().encode())
        return upload

    def find_uploads(self, ids: Iterable[str]) -> list[tuple[Upload, FileRef]]:
        """Raises NoSuchFile, FileRefused."""
        found_uploads: list[tuple[Upload, FileRef]] = []
        for upload_id in ids:
            raw = None
            if re.fullmatch(UPLOAD_ID, upload_id):
                raw = self._artifacts.read_file(upload_id, _UPLOADED)
            if raw is None:
                raise NoSuchFile(f"there is no upload {upload_id[:60]!r}; uploads last for a day")
            upload = Upload.model_validate_json(raw)
            reference = FileRef(name=upload.name, size=upload.size, sha256=upload.sha256)
            found_uploads.append((upload, reference))
        names = [upload.name for upload, _ in found_uploads]
        if len(set(names)) < len(names):
            raise FileRefused("two of the files have one name")
        if sum(upload.size for upload, _ in found_uploads) > MAX_FILES_BYTES:
            raise FileRefused(f"the files have more than {MAX_FILES_BYTES} bytes in all")
        return found_uploads

    def give(self, task_id: str, uploads: Iterable[Upload]) -> None:
        """Copies uploads to a task. Raises NoSuchFile, ArtifactError."""
        for upload in uploads:
            data = self._artifacts.read_file(upload.id, _UPLOAD)
            if data is None:
                raise NoSuchFile(f"the upload {upload.id} is gone")
            self._artifacts.put_file(task_id, input_name(upload.name), data)

    def copy_inputs(self, task_id: str, other_id: str, files: Iterable[FileRef]) -> None:
        """Copies the inputs of a task to another one. Raises NoSuchFile, ArtifactError."""
        for file in files:
            self._artifacts.put_file(
                other_id, input_name(file.name), self.read_input(task_id, file)
            )

    def read_input(self, task_id: str, file: FileRef) -> bytes:
        """Raises NoSuchFile."""
        data = self._artifacts.read_file(task_id, input_name(file.name))
        if data is None or hashlib.sha256(data).hexdigest() != file.sha256:
            raise NoSuchFile(f"the file {file.name} of the task is gone, or was changed")
        return data

    def list(self, episode_id: str, inputs: Iterable[FileRef]) -> SessionFileList:
        """Files of a task whose newest episode this is. One that it made hides an input of the same
        name, which it changed."""
        raw = self._artifacts.read_file(episode_id, MADE)
        made = SessionFileList() if raw is None else SessionFileList.model_validate_json(raw)
        names = {file.name for file in made.files}
        before = tuple(
            FileInfo(name=file.name, size=file.size, is_input=True)
            for file in inputs
            if file.name not in names
        )
        return SessionFileList(files=(*before, *made.files), notes=made.notes)

    def read(self, task_id: str, episode_id: str, name: str, inputs: Iterable[FileRef]) -> bytes:
        """One of them. Raises NoSuchFile."""
        by_name = {file.name: file for file in inputs}
        for info in self.list(episode_id, by_name.values()).files:
            if info.name != name:
                continue
            if info.is_input:
                return self.read_input(task_id, by_name[name])
            data = self._artifacts.read_file(episode_id, made_name(name))
            if data is not None:
                return data
        raise NoSuchFile(f"the task has no file {name[:60]!r}")
