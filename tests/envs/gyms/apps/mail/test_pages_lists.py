"""The lists of messages and their bulk forms."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import pages_lists as pages
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import Refused, State
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_what_can_be_done_with_a_folder(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox)
    assert "Empty Trash" in text_of(pages.show_folder(request, "trash"))
    assert "A rule uses this folder" in text_of(pages.show_folder(request, "fo1"))
    assert "Spam is not searched" in text_of(pages.show_folder(request, "spam"))
    assert "Archive selected" not in text_of(pages.show_folder(request, "archive"))
    assert logged_events(request)[:2] == ["mail:folder:trash", "mail:list"]


def test_all_mail_leaves_out_trash_and_drafts(mailbox: State) -> None:
    assert "1 found" in text_of(pages.show_all_mail(make_request(MAIL, state=mailbox)))


def test_ticked_messages_are_changed_and_the_query_is_kept(mailbox: State) -> None:
    form = {"m1": "yes", "do": "label", "label": "Urgent", "query": "q=bo&page=2"}
    redirect = pages.act_in_all_mail(make_request(MAIL, state=mailbox, form=form))
    assert redirect.path == "/mail/all?q=bo&page=2"
    assert mailbox["messages"][0]["label"] == "Urgent"
    form = {"m1": "yes", "do": "move", "folder": "fo1"}
    redirect = pages.act_in_folder(make_request(MAIL, state=mailbox, form=form), "inbox")
    assert (redirect.path, redirect.flash) == ("/mail/folders/inbox", "✓ Moved to Team: 1")
    with pytest.raises(Refused, match="at least one"):
        pages.act_in_folder(make_request(MAIL, state=mailbox, form={"do": "star"}), "inbox")
