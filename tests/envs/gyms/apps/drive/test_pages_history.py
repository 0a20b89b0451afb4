"""Pages of versions and comments."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive import pages_history as pages
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.server.gym import NotFound
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_old_versions_can_be_restored() -> None:
    request = make_request(DRIVE)
    user = request.world.user.id
    own = [f for f in request.state["files"] if f["owner"] == user and not f["trashed"]]
    file = next(f for f in own if len(f["versions"]) > 1)
    key, newest = file["id"], file["versions"][-1]["id"]
    assert "First version" in text_of(pages.show_versions(request, key))
    assert logged_events(request) == [f"drive:versions:{key}"]
    assert "This is the newest version" in text_of(pages.show_version(request, key, newest))
    assert "Restore this version" in text_of(pages.show_version(request, key, "v1"))
    pages.restore_version(request, key, "v1")
    assert file["versions"][-1]["note"] == "Restored version 1"
    with pytest.raises(NotFound, match="no such version"):
        pages.show_version(request, key, "v99")


def test_comments_are_added_resolved_and_reopened() -> None:
    request = make_request(DRIVE, form={"text": "Please check", "comment": "c1"})
    user = request.world.user.id
    own = [f for f in request.state["files"] if f["owner"] == user and not f["trashed"]]
    file = next(f for f in own if not f["comments"])
    key = file["id"]
    assert "No open comments" in text_of(pages.show_comments(request, key))
    pages.add_comment(request, key)
    assert "Please check" in text_of(pages.show_comments(request, key))
    pages.resolve_comment(request, key)
    assert file["comments"][0]["resolved"]
    assert "Resolved comments" in text_of(pages.show_comments(request, key))
    pages.reopen_comment(request, key)
    assert not file["comments"][0]["resolved"]
