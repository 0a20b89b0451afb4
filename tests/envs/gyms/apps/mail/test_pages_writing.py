"""The pages that write a message."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import pages_writing as pages
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import NotFound, State
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

FORM = {"to": "bo@firm.example", "cc": "", "subject": "Hello", "text": "Text", "do": "send"}


def test_forms_are_prefilled(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox)
    assert 'value="bo@firm.example"' in pages.show_writing(request, "m1", "reply")
    assert "go along" in text_of(pages.show_writing(request, "m1", "forward"))
    assert "Save draft" in text_of(pages.show_new_message(request))
    assert logged_events(request) == ["mail:reply:m1", "mail:forward:m1", "mail:new"]
    for key, how in (("m1", "edit"), ("m3", "reply"), ("m1", "sing")):
        with pytest.raises(NotFound):
            pages.show_writing(request, key, how)


def test_messages_are_sent_or_kept_as_drafts(mailbox: State) -> None:
    sent = pages.send_new_message(make_request(MAIL, state=mailbox, form=FORM))
    assert (sent.path, sent.flash) == ("/mail/folders/sent", "✓ Message sent")
    form = FORM | {"do": "draft", "to": ""}
    kept = pages.send_written_message(make_request(MAIL, state=mailbox, form=form), "m1", "reply")
    assert kept.path == "/mail/folders/drafts"
    assert [m["folder"] for m in mailbox["messages"][3:]] == ["sent", "drafts"]
    with pytest.raises(NotFound):
        pages.send_written_message(make_request(MAIL, state=mailbox, form=FORM), "m1", "sing")
