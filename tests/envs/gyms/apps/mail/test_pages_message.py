"""The pages of one message."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import pages_message as pages
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import NotFound, State
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_a_message_with_its_actions(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox)
    text = text_of(pages.show_message(request, "m1"))
    assert "From Bo Lee <bo@firm.example>" in text
    assert "Reply to all" in text
    assert logged_events(request) == ["mail:message:m1"]
    assert "Delete for good" in text_of(pages.show_message(request, "m2"))
    draft = text_of(pages.show_message(request, "m3"))
    assert "Edit draft" in draft
    assert "Reply" not in draft


def test_the_rest_of_a_thread(mailbox: State) -> None:
    mailbox["messages"][1]["thread"] = "t1"
    text = text_of(pages.show_message(make_request(MAIL, state=mailbox), "m1"))
    assert "In the same thread Ann, Acme: Subject 2" in text


def test_attachments_are_shown_in_the_world_s_locale(mailbox: State) -> None:
    invoice = {"name": "a.pdf", "kind": "invoice", "number": "A-1", "due": "2026-02-01"}
    mailbox["messages"][0]["file"] = invoice | {"subtotal": 1000, "tax": 200, "total": 1200}
    request = make_request(MAIL, state=mailbox)
    text = text_of(pages.show_attachment(request, "m1"))
    assert f"Total {request.locale.format_money(1200)}" in text
    with pytest.raises(NotFound, match="no attachment"):
        pages.show_attachment(request, "m2")


def test_forms_and_buttons(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox, form={"folder": "fo1", "label": "Later"})
    assert "Move message" in text_of(pages.show_move_form(request, "m1"))
    assert pages.save_move(request, "m1").flash == "✓ Moved to Team: 1"
    assert "Save label" in text_of(pages.show_label_form(request, "m1"))
    pages.save_label(request, "m1")
    pages.act_on_message(request, "m1", "star")
    message = mailbox["messages"][0]
    assert (message["folder"], message["label"], message["starred"]) == ("fo1", "Later", True)
    with pytest.raises(NotFound, match="no such action: burn"):
        pages.act_on_message(request, "m1", "burn")
    pages.delete_for_good(request, "m2")
    assert [message["id"] for message in mailbox["messages"]] == ["m1", "m3"]
