"""A folder that an enemy writes into is read without following him."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from envs.browser.box_folder import BoxFolder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[BoxFolder]:
    made = BoxFolder(os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY), "/tmp/files")
    yield made
    made.close()


def test_files_go_in_and_out_and_folders_go_with_what_is_in_them(
    folder: BoxFolder, tmp_path: Path
) -> None:
    with closing(folder.open_folder("down")) as down:
        assert down.path == "/tmp/files/down"
        down.write("a", b"first")
        down.write("a", b"second")
        assert down.read("a", 3) == b"sec"
    folder.remove_folder("down")
    folder.remove_folder("down")
    assert list(tmp_path.iterdir()) == []


def test_links_and_pipes_are_no_files(folder: BoxFolder, tmp_path: Path) -> None:
    (tmp_path / "hosts").symlink_to("/etc/hosts")
    (tmp_path / "etc").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="symbolic links"):
        folder.read("hosts", 10)
    with pytest.raises(OSError, match=r"directory|symbolic"):
        folder.open_folder("etc")
    with pytest.raises(FileNotFoundError, match="no plain file"):
        folder.read("pipe", 10)
    folder.write("hosts", b"own")
    assert Path("/etc/hosts").read_bytes() != b"own"
