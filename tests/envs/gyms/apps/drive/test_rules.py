"""What the drive allows with files and folders."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from envs.gyms.apps.drive import lookup, rules
from envs.gyms.server.gym import Refused, State


def test_renaming_needs_a_new_name_and_a_role(drive: State) -> None:
    rules.rename(drive, "bo", "d1", "shared plan")
    assert lookup.get_file(drive, "d1")["name"] == "shared plan"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: rules.rename(s, "me", "d2", "x"), "people with the role Editor can rename"),
        (lambda s: rules.rename(s, "me", "d1", "THEIRS"), "has an item called"),
        (lambda s: rules.rename(s, "me", "d1", "a/b"), "no /"),
        (lambda s: rules.rename(s, "me", "d1", "mine"), "called so already"),
        (lambda s: rules.rename(s, "me", "root", "x"), "My Drive itself"),
        (lambda s: rules.rename(s, "bo", "f1", "x"), "Only the owner"),
        (lambda s: rules.move(s, "me", "f1", "f2"), "into itself"),
        (lambda s: rules.move(s, "me", "d1", "f1"), "in that folder already"),
        (lambda s: rules.move(s, "me", "d2", "f2"), "role Editor"),
        (lambda s: rules.create_folder(s, "me", "old", "f1"), "has an item called"),
        (lambda s: rules.set_description(s, "me", "d1", "x" * 301), "too long"),
        (lambda s: rules.move_to_trash(s, "bo", "d1", "2026-02-01"), "Only the owner"),
        (lambda s: rules.restore_from_trash(s, "me", "d1"), "not in the trash"),
        (lambda s: rules.empty_trash(s, "me"), "trash is empty"),
    ],
)
def test_what_is_refused_changes_nothing(
    drive: State, change: Callable[[State], Any], message: str
) -> None:
    before = copy.deepcopy(drive)
    with pytest.raises(Refused, match=message):
        change(drive)
    assert drive == before


def test_a_copy_belongs_to_who_made_it(drive: State) -> None:
    copied = rules.copy_file(drive, "me", "d2", "theirs - copy", "f2", "2026-03-01")
    assert (copied["id"], copied["owner"], copied["shares"]) == ("d3", "me", [])
    assert copied["versions"][0]["by"] == "me"


def test_new_folders_get_the_announced_id(drive: State) -> None:
    key = rules.next_folder_id(drive)
    assert rules.create_folder(drive, "bo", "New", "f2")["id"] == key == "f3"


def test_the_trash_keeps_items_until_they_are_deleted(drive: State) -> None:
    rules.move_to_trash(drive, "me", "d1", "2026-02-01")
    with pytest.raises(Refused, match="restore it first"):
        rules.rename(drive, "me", "d1", "x")
    rules.restore_from_trash(drive, "me", "d1")
    assert lookup.get_file(drive, "d1")["trashed"] == ""


def test_restoring_from_a_trashed_folder_leads_to_my_drive(drive: State) -> None:
    rules.move_to_trash(drive, "me", "d1", "2026-02-01")
    rules.move_to_trash(drive, "me", "f1", "2026-02-02")
    rules.restore_from_trash(drive, "me", "d1")
    assert lookup.get_file(drive, "d1")["folder"] == "root"


def test_a_folder_is_deleted_with_all_that_is_in_it(drive: State) -> None:
    rules.move_to_trash(drive, "me", "f1", "2026-02-01")
    rules.empty_trash(drive, "me")
    assert [folder["id"] for folder in drive["folders"]] == ["root"]
    assert drive["files"] == []
