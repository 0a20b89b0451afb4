"""The pages of all folders."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import pages_folders as pages
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import Refused, State
from tests.envs.gyms.apps.app_requests import make_request, text_of


def test_folders_count_their_messages(mailbox: State) -> None:
    text = text_of(pages.show_folders(make_request(MAIL, state=mailbox)))
    assert "Inbox 1 1" in text
    assert "Drafts 1 0" in text
    assert "Team 0 0" in text


def test_folders_are_created_and_deleted(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox, form={"name": "Travel"})
    assert "Create folder" in text_of(pages.show_folder_form(request))
    assert pages.create_folder(request).flash == "✓ Created folder Travel"
    pages.delete_folder(request, "fo2")
    with pytest.raises(Refused, match="A rule uses this folder"):
        pages.delete_folder(request, "fo1")


def test_trash_is_emptied(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox)
    assert pages.empty_trash(request, "trash").path == "/mail/folders/trash"
    assert all(message["folder"] != "trash" for message in mailbox["messages"])
