"""A small drive: the user "me", a colleague "bo", three folders and two files."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.server.gym import State


def _file(key: str, name: str, folder: str, owner: str, **fields: Any) -> dict[str, Any]:
    version = {"id": "v1", "day": "2026-01-01", "by": owner, "size": 10, "note": "First version"}
    return {
        "id": key,
        "name": name,
        "kind": "PDF",
        "folder": folder,
        "owner": owner,
        "size": 10,
        "modified": "2026-01-01",
        "starred": False,
        "description": "",
        "link": "Off",
        "until": "",
        "shares": [],
        "versions": [version],
        "comments": [],
        "trashed": "",
        **fields,
    }


@pytest.fixture
def drive() -> State:
    """My Drive / Plans / Old, and "mine" of the user beside "theirs", which the user can read."""
    folders = [("root", "My Drive", ""), ("f1", "Plans", "root"), ("f2", "Old", "f1")]
    return {
        "folders": [
            {"id": key, "name": name, "parent": parent, "owner": "me", "trashed": ""}
            for key, name, parent in folders
        ],
        "files": [
            _file("d1", "mine", "f1", "me", shares=[{"id": "bo", "role": "Editor"}]),
            _file("d2", "theirs", "f1", "bo", shares=[{"id": "me", "role": "Viewer"}]),
        ],
    }
