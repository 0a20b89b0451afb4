"""Folders, texts and archives: what is asked is there and nothing more."""

from __future__ import annotations

import asyncio
import io
import os
import tarfile
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters.folders import vm_folder
from envs.osworld.outside.metrics.folders import archive_is, folder_is, text_is

ENDING = Ending(None, False)
WANTED = {"a.txt": "one\n", "sub/b.txt": "two\n", "empty": None}


def listed(home: Path) -> dict[str, str | None]:
    machine: Any = SimpleNamespace(home=home, baseline={})
    return asyncio.run(vm_folder(machine, ENDING, {"path": "/home/user/Documents"}))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    documents = tmp_path / "Documents"
    (documents / "sub").mkdir(parents=True)
    (documents / "empty").mkdir()
    (documents / "a.txt").write_text("one\n")
    (documents / "sub/b.txt").write_text("two\n")
    (documents / ".hidden").write_text("three\n")
    return tmp_path


def test_a_folder_with_just_that(home: Path) -> None:
    assert folder_is(listed(home), WANTED) == 1


def test_a_final_line_break_does_not_matter(home: Path) -> None:
    (home / "Documents/a.txt").write_text("one")
    assert folder_is(listed(home), WANTED) == 1


def test_each_small_difference_counts(home: Path) -> None:
    documents = home / "Documents"
    (documents / "a.txt").write_text("One\n")
    assert folder_is(listed(home), WANTED) == 0
    (documents / "a.txt").write_text("one\n")
    (documents / "further").mkdir()
    assert folder_is(listed(home), WANTED) == 0
    (documents / "further").rmdir()
    (documents / "empty").rmdir()
    assert folder_is(listed(home), WANTED) == 0
    (documents / "empty").write_text("")
    assert folder_is(listed(home), WANTED) == 0, "a file is no folder"


def test_a_link_is_not_what_it_leads_to(home: Path) -> None:
    file = home / "Documents/a.txt"
    file.rename(home / "elsewhere")
    file.symlink_to(home / "elsewhere")
    assert folder_is(listed(home), WANTED) == 0


def test_a_pipe_does_not_block(home: Path) -> None:
    os.mkfifo(home / "Documents/pipe")
    assert listed(home)["pipe"] == "special"


def test_a_linked_or_missing_folder_is_none(home: Path) -> None:
    (home / "Documents").rename(home / "Other")
    with pytest.raises(FileNotFoundError):
        listed(home)
    (home / "Documents").symlink_to(home / "Other")
    with pytest.raises(FileNotFoundError):
        listed(home)


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo")
    assert text_is(path, "one\ntwo\n") == 1
    assert text_is(path, "one\ntwo\n\n") == 0
    assert text_is(path, "one\n two\n") == 0


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\xff\xfe")
    assert text_is(path, "one") == 0


FILES = {"a.txt": "one", "sub/b.txt": "two"}


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.mkdir("sub")
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def tarred(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


@pytest.mark.parametrize(("kind", "pack"), [("zip", zipped), ("tar", tarred)])
def test_archives(tmp_path: Path, kind: str, pack: Any) -> None:
    rules = {"kind": kind, "files": FILES}
    assert archive_is(pack(tmp_path / "1", FILES), rules) == 1
    assert archive_is(pack(tmp_path / "2", FILES | {"c.txt": ""}), rules) == 0
    assert archive_is(pack(tmp_path / "3", FILES | {"a.txt": "One"}), rules) == 0
    assert archive_is(pack(tmp_path / "4", {"a.txt": "one"}), rules) == 0


def test_an_archive_of_another_kind(tmp_path: Path) -> None:
    assert archive_is(zipped(tmp_path / "a.zip", FILES), {"kind": "tar", "files": FILES}) == 0
    assert archive_is(tarred(tmp_path / "a.tgz", FILES), {"kind": "zip", "files": FILES}) == 0


def test_a_tar_with_a_link_inside(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        member = tarfile.TarInfo("a.txt")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(member)
    assert archive_is(path, {"kind": "tar", "files": {"a.txt": "one"}}) == 0
