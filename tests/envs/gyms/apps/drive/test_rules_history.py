"""What the drive allows with versions and comments."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive import rules_history as rules
from envs.gyms.apps.drive.lookup import get_file
from envs.gyms.server.gym import Refused, State


def test_a_restored_version_becomes_the_newest(drive: State) -> None:
    file = get_file(drive, "d1")
    file["versions"].append({**file["versions"][0], "id": "v2", "size": 20})
    file["size"] = 20
    rules.restore_version(drive, "bo", "d1", "v1", "2026-03-01")
    assert [version["id"] for version in file["versions"]] == ["v1", "v2", "v3"]
    assert (file["size"], file["modified"]) == (10, "2026-03-01")
    assert file["versions"][-1]["note"] == "Restored version 1"
    with pytest.raises(Refused, match="newest version already"):
        rules.restore_version(drive, "bo", "d1", "v3", "2026-03-01")


def test_comments_are_numbered_and_resolved_by_editors(drive: State) -> None:
    rules.add_comment(drive, "bo", "d2", "Why?", "2026-03-01")
    rules.add_comment(drive, "bo", "d2", "Ah.", "2026-03-02")
    comments = get_file(drive, "d2")["comments"]
    assert [comment["id"] for comment in comments] == ["c1", "c2"]
    rules.set_resolved(drive, "bo", "d2", "c1", True)
    assert [comment["resolved"] for comment in comments] == [True, False]
    for change in (
        lambda: rules.set_resolved(drive, "me", "d2", "c2", True),
        lambda: rules.add_comment(drive, "me", "d2", "Me too", "2026-03-03"),
        lambda: rules.add_comment(drive, "bo", "d2", "x" * 301, "2026-03-03"),
    ):
        with pytest.raises(Refused):
            change()
