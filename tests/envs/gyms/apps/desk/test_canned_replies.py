"""The help desk's pages of canned replies."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk import canned_replies as pages
from envs.gyms.apps.desk.app import DESK
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_canned_replies_are_searched() -> None:
    request = make_request(DESK, path="/canned", query={"q": "refund"})
    text = text_of(pages.show_canned_replies(request))
    assert "2 found, sorted by Title" in text
    assert "Refund approved" in text
    assert logged_events(request) == ["desk:canned"]


def test_a_text_is_kept_as_it_was_written() -> None:
    form = {"title": "Thanks", "text": "Thank you, %name%"}
    request = make_request(DESK, path="/canned/new/save", form=form)
    assert "Create reply" in text_of(pages.show_new_canned_reply(make_request(DESK)))
    assert pages.save_canned_reply(request, "new").flash == "✓ Saved Thanks"
    page = pages.show_canned_reply(make_request(DESK, state=request.state), "r14")
    assert ">Thank you, %name%</textarea>" in page
    with pytest.raises(Refused, match="already"):
        pages.save_canned_reply(request, "new")
    with pytest.raises(NotFound):
        pages.save_canned_reply(make_request(DESK, form={"title": "X", "text": "Y"}), "r99")
