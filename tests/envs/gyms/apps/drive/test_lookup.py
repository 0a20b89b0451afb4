"""Looking up files and folders."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive import lookup
from envs.gyms.server.gym import NotFound, State


def test_items_by_id(drive: State) -> None:
    assert lookup.get_item(drive, "f2")["name"] == "Old"
    assert lookup.get_item(drive, "d2")["name"] == "theirs"
    for get in (lookup.get_file, lookup.get_folder, lookup.get_item):
        with pytest.raises(NotFound, match="x9"):
            get(drive, "x9")
    with pytest.raises(NotFound):
        lookup.get_file(drive, "f1")


def test_places_and_paths(drive: State) -> None:
    file = lookup.get_file(drive, "d1")
    assert [folder["id"] for folder in lookup.ancestors_of(drive, file)] == ["root", "f1"]
    assert lookup.folder_path(drive, "f2") == "My Drive / Plans / Old"
    assert lookup.parent_id(lookup.get_folder(drive, "root")) == ""
    assert [item["id"] for item in lookup.list_children(drive, "f1")] == ["f2", "d1", "d2"]


def test_what_is_in_a_trashed_folder_is_in_the_trash(drive: State) -> None:
    lookup.get_folder(drive, "f1")["trashed"] = "2026-02-01"
    assert lookup.is_in_trash(drive, lookup.get_file(drive, "d1"))
    assert lookup.list_active_items(drive) == []
    assert [item["id"] for item in lookup.list_trash(drive)] == ["f1"]


def test_roles(drive: State) -> None:
    file = lookup.get_file(drive, "d1")
    assert [lookup.get_role(file, who) for who in ("me", "bo", "cy")] == [
        "Owner",
        "Editor",
        "Viewer",
    ]
    assert lookup.has_role(file, "bo", "Commenter")
    assert not lookup.has_role(file, "cy", "Commenter")


def test_kinds(drive: State) -> None:
    assert lookup.kind_of(lookup.get_file(drive, "d1")) == "PDF"
    assert lookup.kind_of(lookup.get_folder(drive, "f1")) == "Folder"
