"""The pages of announcements."""

from __future__ import annotations

from envs.gyms.apps.people import pages_announcements as pages
from envs.gyms.apps.people.app import PEOPLE
from tests.envs.gyms.apps.app_requests import make_request, text_of

FORM = {"title": "Fire drill today", "text": "Please leave", "audience": "Everybody"}


def test_announcements_are_published_pinned_and_deleted() -> None:
    request = make_request(PEOPLE, form=FORM | {"until": "2099-01-01", "pinned": "yes"})
    assert "Publish" in text_of(pages.show_announcement_form(request))
    pages.publish_announcement(request)
    assert "Unpin" in text_of(pages.show_announcement(request, "a15"))
    assert pages.toggle_pin(request, "a15").flash == "✓ Not pinned any more"
    assert "15 found" in text_of(pages.show_announcements(request))
    pages.delete_announcement(request, "a15")
    assert "14 found" in text_of(pages.show_announcements(request))
