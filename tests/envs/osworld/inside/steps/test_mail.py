"""Equal `mailbox` steps make equal bytes."""

from __future__ import annotations

import copy
from typing import Any

from envs.osworld.inside.steps.mail import mbox_bytes

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


def test_equal_mail_makes_equal_bytes() -> None:
    assert mbox_bytes("Inbox", MAIL["Inbox"]) == mbox_bytes("Inbox", copy.deepcopy(MAIL["Inbox"]))
