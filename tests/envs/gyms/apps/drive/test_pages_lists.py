"""Pages that list the drive's files."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive import pages_lists as pages
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.drive.lookup import list_trash
from envs.gyms.server.gym import Refused, State
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_all_files_filtered_by_owner_and_sharing() -> None:
    request = make_request(DRIVE, path="/files", query={"shared": "Shared with me"})
    text = text_of(pages.show_files(request))
    assert " found, sorted by Name" in text
    assert logged_events(request) == ["drive:files"]
    own = request.world.user.name
    request = make_request(DRIVE, query={"shared": "Shared with me", "owner": own})
    assert "0 found" in text_of(pages.show_files(request))


def test_storage_adds_up_the_user_s_files() -> None:
    request = make_request(DRIVE)
    user = request.world.user.id
    files = [file for file in request.state["files"] if file["owner"] == user]
    used = sum(file["size"] for file in files if not file["trashed"])
    assert f"Used by your files {used} KB" in text_of(pages.show_storage(request))


def test_starred_and_shared_say_when_they_are_empty(drive: State) -> None:
    request = make_request(DRIVE, state={"folders": drive["folders"][:1], "files": []})
    assert "Nothing is starred" in text_of(pages.show_starred(request))
    assert "Nobody has shared anything" in text_of(pages.show_shared(request))
    assert "The trash is empty" in text_of(pages.show_trash(request))
    with pytest.raises(Refused, match="trash is empty"):
        pages.empty_trash(request)


def test_emptying_the_trash() -> None:
    request = make_request(DRIVE)
    assert "Empty trash" in pages.show_trash(request)
    assert pages.empty_trash(request).path == "/drive/trash"
    assert list_trash(request.state) == []
