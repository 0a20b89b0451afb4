"""What the drive allows with shares, links and ownership."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from envs.gyms.apps.drive import rules_sharing as rules
from envs.gyms.apps.drive.lookup import get_file, get_role
from envs.gyms.server.gym import NotFound, Refused, State

TODAY = "2026-03-01"


def test_shares_are_added_changed_and_removed(drive: State) -> None:
    rules.share(drive, "bo", "d1", "cy", "Viewer")
    rules.change_role(drive, "me", "d1", "cy", "Commenter")
    assert get_role(get_file(drive, "d1"), "cy") == "Commenter"
    rules.stop_sharing(drive, "me", "d1", "cy")
    assert [share["id"] for share in get_file(drive, "d1")["shares"]] == ["bo"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: rules.share(s, "me", "d2", "cy", "Viewer"), "role Editor"),
        (lambda s: rules.share(s, "me", "d1", "bo", "Viewer"), "access already"),
        (lambda s: rules.share(s, "me", "d1", "cy", "Boss"), "Choose one"),
        (lambda s: rules.change_role(s, "bo", "d1", "bo", "Viewer"), "your own role"),
        (lambda s: rules.stop_sharing(s, "bo", "d1", "bo"), "remove yourself"),
        (lambda s: rules.transfer_ownership(s, "bo", "d1", "cy"), "Only the owner"),
        (lambda s: rules.transfer_ownership(s, "me", "d1", "me"), "owner already"),
        (lambda s: rules.set_link_access(s, "me", "d1", "Off", "2026-04-01", TODAY), "no end"),
        (lambda s: rules.set_link_access(s, "me", "d1", "View", TODAY, TODAY), "in the future"),
        (lambda s: rules.set_link_access(s, "me", "d1", "All", "", TODAY), "Choose one"),
    ],
)
def test_what_is_refused_changes_nothing(
    drive: State, change: Callable[[State], Any], message: str
) -> None:
    before = copy.deepcopy(drive)
    with pytest.raises(Refused, match=message):
        change(drive)
    assert drive == before


def test_the_previous_owner_stays_an_editor(drive: State) -> None:
    rules.transfer_ownership(drive, "me", "d1", "bo")
    file = get_file(drive, "d1")
    assert file["owner"] == "bo"
    assert file["shares"] == [{"id": "me", "role": "Editor"}]


def test_people_without_a_share_are_not_found(drive: State) -> None:
    with pytest.raises(NotFound, match="cy"):
        rules.stop_sharing(drive, "me", "d1", "cy")
