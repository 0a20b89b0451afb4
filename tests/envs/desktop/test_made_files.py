"""Files that were put into a home folder, and those that were made there."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.files import FileInfo, FileRefused, NoSuchFile
from envs.desktop import made_files
from envs.desktop.home import content_hashes
from envs.desktop.made_files import HomeFiles


@pytest.fixture
def files(tmp_path: Path) -> HomeFiles:
    (tmp_path / "Documents").mkdir()
    (tmp_path / "Documents" / "old.txt").write_text("as it was")
    made = HomeFiles(tmp_path)
    made.begin(content_hashes(tmp_path))
    return made


def test_what_was_made_or_changed_is_listed_and_nothing_else(
    files: HomeFiles, tmp_path: Path
) -> None:
    files.put("in.txt", b"unchanged")
    files.put("edit.txt", b"before")
    (tmp_path / "edit.txt").write_text("after")
    (tmp_path / "Documents" / "new.txt").write_text("made")
    (tmp_path / "new.txt").write_text("of the same name")
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "x").write_text("the programs' own")
    (tmp_path / "link.txt").symlink_to("/etc/hosts")
    listed = files.list()
    assert listed.notes == ()
    assert listed.files == (
        FileInfo(name="in.txt", size=9, is_input=True),
        FileInfo(name="new.txt", size=4, is_input=False),
        FileInfo(name="edit.txt", size=5, is_input=False),
        FileInfo(name="new (2).txt", size=16, is_input=False),
    )
    assert files.read("new (2).txt") == b"of the same name"
    assert files.read("in.txt") == b"unchanged"
    for name in ("link.txt", "x", "old.txt"):
        with pytest.raises(NoSuchFile):
            files.read(name)


def test_what_is_there_already_or_leads_elsewhere_is_refused(files: HomeFiles) -> None:
    files.put("a.txt", b"1")
    files.put("a.txt", b"2")
    assert files.read("a.txt") == b"2"
    with pytest.raises(FileRefused, match="there already"):
        files.put("Documents", b"")
    with pytest.raises(FileRefused, match="no file name"):
        files.put("../a", b"")


def test_counts_and_sizes_are_bounded(
    files: HomeFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made_files, "MAX_FILES", 2)
    monkeypatch.setattr(made_files, "MAX_FILE_BYTES", 3)
    for name in ("1", "2", "3"):
        (tmp_path / name).write_text(name)
    (tmp_path / "0").write_text("long")
    listed = files.list()
    assert [file.name for file in listed.files] == ["1", "2"]
    assert listed.notes == ("0: more bytes than are kept", "3: a session keeps 2 files")
