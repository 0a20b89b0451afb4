"""Uploads, and the files of tasks, in a folder and in an object store."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from agent_server.store import task_files
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.task_files import MADE, TaskFiles, made_name
from envs.contract.files import FileInfo, FileRefused, NoSuchFile, SessionFileList


@pytest.fixture(params=["folder", "store"])
def artifacts(request: pytest.FixtureRequest, tmp_path: Path) -> Artifacts:
    return Artifacts(str(tmp_path) if request.param == "folder" else f"memory://{tmp_path}")


def test_an_upload_becomes_the_tasks_own(artifacts: Artifacts) -> None:
    files = TaskFiles(artifacts)
    upload = files.upload("../cv.pdf", b"words")
    ((found_upload, reference),) = files.find_uploads([upload.id])
    assert (found_upload.name, reference.sha256) == ("cv.pdf", hashlib.sha256(b"words").hexdigest())
    files.give("t1", [upload])
    artifacts.remove(upload.id)
    assert files.read("t1", "t1", "cv.pdf", [reference]) == b"words"
    files.copy_inputs("t1", "t2", [reference])
    assert files.read_input("t2", reference) == b"words"
    with pytest.raises(NoSuchFile, match="last for a day"):
        files.find_uploads([upload.id])


def test_what_was_made_hides_an_input_of_its_name(artifacts: Artifacts) -> None:
    files = TaskFiles(artifacts)
    inputs = [reference for _, reference in files.find_uploads([files.upload("a", b"old").id])]
    files.give("t1", [files.upload("a", b"old")])
    with Recorder(artifacts, "t1") as recorder:
        recorder.save_file(made_name("a"), b"newer")
        made = SessionFileList(files=(FileInfo(name="a", size=5, is_input=False),), notes=("b",))
        recorder.save_file(MADE, made.model_dump_json().encode())
    assert files.list("t1", inputs) == made
    assert files.read("t1", "t1", "a", inputs) == b"newer"
    for name in ("steps.jsonl", MADE, "out.a", "../x"):
        with pytest.raises(NoSuchFile):
            files.read("t1", "t1", name, inputs)


def test_bounds_and_names(artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch) -> None:
    files = TaskFiles(artifacts)
    first, second = files.upload("a", b"1"), files.upload("a", b"2")
    with pytest.raises(FileRefused, match="one name"):
        files.find_uploads([first.id, second.id])
    with pytest.raises(NoSuchFile, match="no upload"):
        files.find_uploads(["e_1"])
    monkeypatch.setattr(task_files, "MAX_FILES_BYTES", 1)
    third = files.upload("b", b"3")
    with pytest.raises(FileRefused, match="in all"):
        files.find_uploads([first.id, third.id])
    monkeypatch.setattr(task_files, "MAX_FILE_BYTES", 0)
    with pytest.raises(FileRefused, match="at most"):
        files.upload("a", b"1")
