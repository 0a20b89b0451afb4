"""`mail_is` on mail that a `mailbox` step made: one small difference fails."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from envs.osworld.format.mbox import read_mbox
from envs.osworld.inside.steps.mail import mbox_bytes
from envs.osworld.outside.metrics.mail import mail_is

Folders = dict[str, list[dict[str, Any]]]
MAIL: Folders = {
    "Inbox": [
        {"from": "Ada <ada@example.com>", "subject": "One", "text": "Hello\nFrom here on"},
        {"from": "b@example.com", "subject": "Zwölf", "text": "2", "starred": True,
         "tags": ["Work"]},
        {"from": "c@example.com", "subject": "Three", "text": "3", "cc": "d@example.com",
         "attachments": [{"name": "a.txt", "text": "inside\n"}]},
    ],
    "Work/Old": [{"from": "e@example.com", "subject": "Five", "text": "5", "read": True}],
}  # fmt: skip


def kept(folders: Folders) -> dict[str, Any]:
    """As the getter gives them."""
    return {name: list(read_mbox(mbox_bytes(name, messages))) for name, messages in folders.items()}


def first(**parts: Any) -> Callable[[Folders], object]:
    return lambda mail: mail["Inbox"][0].update(parts)


EDITS: dict[str, Callable[[Folders], object]] = {
    "the subject": first(subject="One!"),
    "the sender": first(**{"from": "Ada <ada@example.org>"}),
    "the recipient": first(to="x@example.com"),
    "a copy": first(cc="x@example.com"),
    "the text": first(text="Hello\nFrom here"),
    "a star": first(starred=True),
    "a tag": first(tags=["Later"]),
    "an attachment": first(attachments=[{"name": "b.txt", "text": "b"}]),
    "an attachment's content": lambda mail: mail["Inbox"][2].update(
        attachments=[{"name": "a.txt", "text": "outside"}]
    ),
    "a message less": lambda mail: mail["Inbox"].pop(),
    "a message twice": lambda mail: mail["Inbox"].append(mail["Inbox"][0]),
    "a message elsewhere": lambda mail: mail.update(Trash=[mail["Inbox"].pop()]),
    "a folder more": lambda mail: mail.update(Play=[]),
    "a folder less": lambda mail: mail.pop("Work/Old"),
}


def test_mail_is_what_it_was_made_of_in_any_order() -> None:
    turned = {name: messages[::-1] for name, messages in MAIL.items()}
    assert mail_is(kept(MAIL), MAIL) == 1
    assert mail_is(kept(turned), MAIL) == 1


@pytest.mark.parametrize("what", EDITS)
def test_one_small_difference_fails(what: str) -> None:
    changed = copy.deepcopy(MAIL)
    EDITS[what](changed)
    assert mail_is(kept(changed), MAIL) == 0
    assert mail_is(kept(MAIL), changed) == 0


def test_empty_folders_of_the_programs_own_do_not_matter() -> None:
    assert mail_is(kept(MAIL | {"Trash": [], "Archives": []}), MAIL) == 1


def test_reading_matters_only_where_it_is_asked_for() -> None:
    read = copy.deepcopy(MAIL)
    read["Inbox"][0]["read"] = True
    assert mail_is(kept(read), MAIL) == 1
    expected = copy.deepcopy(MAIL)
    expected["Inbox"][0]["must_read"] = True
    assert mail_is(kept(read), expected) == 1
    assert mail_is(kept(MAIL), expected) == 0
