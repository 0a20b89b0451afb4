"""The drive's state in the world of a seed."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive.data import TRASH_SIZE, make_state
from envs.gyms.apps.drive.lookup import list_children, list_trash
from envs.gyms.kit.company import get_company


@pytest.mark.parametrize("seed", [0, 7, 10**9])
def test_a_seed_keeps_what_tasks_rely_on(seed: int) -> None:
    world = get_company(seed)
    state = make_state(world)
    assert state == make_state(world)
    sizes = [file["size"] for file in state["files"]]
    assert len(set(sizes)) == len(sizes), "the largest file is unique"
    assert len(list_trash(state)) == TRASH_SIZE
    assert {file["owner"] for file in list_trash(state)} == {world.user.id}
    for folder in state["folders"]:
        names = [item["name"].casefold() for item in list_children(state, folder["id"])]
        assert len(set(names)) == len(names), folder["name"]


def test_some_files_have_a_namesake_in_another_folder() -> None:
    files = make_state(get_company(1))["files"]
    places: dict[str, set[str]] = {}
    for file in files:
        places.setdefault(file["name"], set()).add(file["folder"])
    assert sum(len(folders) > 1 for folders in places.values()) >= 4


def test_the_last_version_is_the_file_as_it_is_now() -> None:
    for file in make_state(get_company(2))["files"]:
        days = [version["day"] for version in file["versions"]]
        assert days == sorted(set(days))
        assert file["versions"][-1]["size"] == file["size"]
        assert days[-1] == file["modified"]
