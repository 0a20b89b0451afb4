"""The drive's API tools."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive import tools
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.drive.lookup import get_file, list_active_items
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_tool_context


def test_finding_by_name_and_kind() -> None:
    context = make_tool_context(DRIVE)
    matches = tools.find_items.function(context, "LOGO", "Image")
    assert matches
    assert all("logo" in row["name"].lower() and row["kind"] == "Image" for row in matches)
    assert len(tools.find_items.function(context, "")) == 20
    folders = tools.find_items.function(context, "Taxes", "Folder")
    assert folders[0]["path"] == "My Drive / Finance"
    assert folders[0]["size"] is None


def test_changes_by_id() -> None:
    context = make_tool_context(DRIVE)
    user = context.world.user.id
    items = list_active_items(context.state)
    file = next(item for item in items if item.get("kind") and item["owner"] == user)
    tools.star_file.function(context, file["id"], True)
    assert get_file(context.state, file["id"])["starred"]
    key = tools.create_folder.function(context, "Handover")
    assert tools.move_item.function(context, file["id"], key) == "moved to My Drive / Handover"
    with pytest.raises(Refused, match="nobody called"):
        tools.share_file.function(context, file["id"], "No One", "Viewer")
