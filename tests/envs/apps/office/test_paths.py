from __future__ import annotations

from pathlib import Path

from envs.apps.office.paths import absolute_path


def test_a_relative_path_is_below_the_home_folder() -> None:
    assert absolute_path("Documents/../a.xlsx") == Path.home() / "a.xlsx"
    assert absolute_path("/tmp/a.xlsx") == Path("/tmp/a.xlsx")


def test_a_path_below_the_users_home_folder_may_begin_with_a_tilde() -> None:
    assert absolute_path("~/a.xlsx") == Path.home() / "a.xlsx"
    assert absolute_path("a~b.xlsx") == Path.home() / "a~b.xlsx"
