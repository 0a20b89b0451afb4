"""Folders for the files that getters make."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.format.ending import Ending


def test_each_file_has_a_folder_of_its_own(tmp_path: Path) -> None:
    ending = Ending("yes", False, scratch=tmp_path)
    paths = [ending.make_path("a.txt") for _ in range(2)]
    assert [path.name for path in paths] == ["a.txt", "a.txt"]
    assert paths[0].parent != paths[1].parent
    assert all(path.parent.parent == tmp_path for path in paths)


@pytest.mark.parametrize("name", ["../../a.txt", "/etc/a.txt", "x/a.txt"])
def test_only_the_last_part_of_a_name_counts(tmp_path: Path, name: str) -> None:
    path = Ending(None, False, scratch=tmp_path).make_path(name)
    assert path.name == "a.txt"
    assert path.resolve().is_relative_to(tmp_path)


def test_an_episode_that_is_not_judged_has_no_folder() -> None:
    with pytest.raises(ValueError, match="no scratch folder"):
        Ending(None, False).make_folder()
