"""What mail allows with folders."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import rules_folders as rules
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def test_names_are_new_and_short(mailbox: State) -> None:
    assert rules.create_folder(mailbox, "Travel")["id"] == "fo2"
    for name, message in (("TEAM", "folder of this name"), ("x" * 31, "too long")):
        with pytest.raises(Refused, match=message):
            rules.create_folder(mailbox, name)


def test_messages_of_a_deleted_folder_go_to_archive(mailbox: State) -> None:
    get_record(mailbox, "messages", "m1")["folder"] = "fo1"
    with pytest.raises(Refused, match="Sender contains bo@: move to Team"):
        rules.delete_folder(mailbox, "fo1")
    mailbox["rules"].clear()
    rules.delete_folder(mailbox, "fo1")
    assert get_record(mailbox, "messages", "m1")["folder"] == "archive"
    with pytest.raises(Refused, match="cannot be deleted"):
        rules.delete_folder(mailbox, "inbox")
