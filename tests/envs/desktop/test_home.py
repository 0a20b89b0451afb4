"""The home folder and the way back to its snapshot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from envs.desktop.home import MARK, Home, NotOurs, content_hashes


@pytest.fixture
def home(tmp_path: Path) -> Home:
    pristine = tmp_path / "pristine"
    (pristine / "Documents").mkdir(parents=True)
    (pristine / "Documents" / "a.txt").write_text("one")
    (pristine / ".config").mkdir()
    (pristine / ".config" / "settings").write_text("x=1")
    (pristine / "link").symlink_to("Documents/a.txt")
    made = Home(tmp_path / "home", pristine)
    made.claim()
    made.restore()
    return made


def test_a_second_restore_has_nothing_to_do(home: Home) -> None:
    assert home.restore() == 0


def test_changed_removed_and_added_files_are_put_right(home: Home) -> None:
    (home.folder / "Documents" / "a.txt").write_text("two")
    (home.folder / ".config" / "settings").unlink()
    (home.folder / "new").mkdir()
    (home.folder / "new" / "b").write_text("b")
    home.restore()
    assert (home.folder / "Documents" / "a.txt").read_text() == "one"
    assert (home.folder / ".config" / "settings").read_text() == "x=1"
    assert not (home.folder / "new").exists()


def test_a_change_that_hides_its_time_and_size_is_found(home: Home) -> None:
    file = home.folder / "Documents" / "a.txt"
    before = file.stat()
    file.write_text("two")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    home.restore()
    assert file.read_text() == "one"


def test_a_file_that_became_a_folder_or_a_link_is_a_file_again(home: Home) -> None:
    file = home.folder / "Documents" / "a.txt"
    file.unlink()
    file.mkdir()
    (file / "inside").write_text("x")
    settings = home.folder / ".config" / "settings"
    settings.unlink()
    settings.symlink_to("/etc/passwd")
    home.restore()
    assert file.read_text() == "one"
    assert not settings.is_symlink()


def test_a_folder_that_may_not_be_written_is_removed_all_the_same(home: Home) -> None:
    locked = home.folder / "locked"
    locked.mkdir()
    (locked / "x").write_text("x")
    locked.chmod(0o500)
    home.restore()
    assert not locked.exists()


def test_a_link_out_of_the_home_is_removed_and_not_followed(home: Home, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    (home.folder / "out").symlink_to(outside)
    home.restore()
    assert (outside / "kept").read_text() == "x"


def test_somebody_s_own_home_is_refused(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "thesis.odt").write_text("years of work")
    with pytest.raises(NotOurs, match="name an empty folder"):
        Home(real, tmp_path / "pristine").claim()
    assert (real / "thesis.odt").exists()
    assert not (real / MARK).exists()


def test_hashes_see_contents_and_leave_settings_out(home: Home) -> None:
    before = content_hashes(home.folder)
    assert sorted(before) == ["Documents/a.txt", "link"]
    (home.folder / "Documents" / "a.txt").write_text("two")
    (home.folder / ".config" / "settings").write_text("x=2")
    after = content_hashes(home.folder)
    assert {path for path in before if before[path] != after[path]} == {"Documents/a.txt"}
