"""What the portal allows with announcements."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import rules_announcements as rules
from envs.gyms.server.gym import NotFound, Refused, State


def test_announcements_are_published_and_deleted(portal: State) -> None:
    arguments = ("Fire drill", "Please leave", "Everybody")
    rules.publish_announcement(portal, *arguments, "2026-03-03", True, "2026-03-02")
    announcement = portal["announcements"][-1]
    assert (announcement["id"], announcement["date"]) == ("a15", "2026-03-02")
    with pytest.raises(Refused, match="future"):
        rules.publish_announcement(portal, *arguments, "2026-03-02", True, "2026-03-02")
    with pytest.raises(Refused, match="Audience"):
        rules.publish_announcement(portal, "a", "b", "Cats", "2026-03-03", True, "2026-03-02")
    rules.delete_announcement(portal, "a15")
    with pytest.raises(NotFound):
        rules.delete_announcement(portal, "a15")
