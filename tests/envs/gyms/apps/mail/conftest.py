"""A small mailbox: a message of a colleague, one of a firm, a draft, a folder and a rule."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.apps.mail.vocabulary import MOVE, SYSTEM_FOLDERS
from envs.gyms.server.gym import State

ME = "me@firm.example"


def _message(number: int, folder: str, name: str, email: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"m{number}",
        "thread": f"t{number}",
        "folder": folder,
        "name": name,
        "email": email,
        "to": [ME],
        "cc": [],
        "subject": f"Subject {number}",
        "body": f"Text {number}",
        "at": f"2026-01-0{number} 10:00",
        "starred": False,
        "unread": True,
        "label": "",
        "file": None,
        **fields,
    }


@pytest.fixture
def mailbox() -> State:
    """m1 of Bo in Inbox, m2 of a firm in Trash, m3 a draft; rule r1 moves Bo's mail to Team."""
    folders = [{"id": key, "name": name, "own": False} for key, name in SYSTEM_FOLDERS]
    rule = {"field": "Sender", "text": "bo@", "does": MOVE, "folder": "fo1", "label": ""}
    return {
        "me": ME,
        "folders": [*folders, {"id": "fo1", "name": "Team", "own": True}],
        "messages": [
            _message(1, "inbox", "Bo Lee", "bo@firm.example", cc=["cy@firm.example"]),
            _message(2, "trash", "Ann, Acme", "ann@acme.example"),
            _message(3, "drafts", "Me", ME, to=[], unread=False),
        ],
        "rules": [{"id": "r1", **rule, "active": True}],
        "settings": {
            "signature": "Me, Chief",
            "vacation": {"on": False, "first": "", "last": "", "text": ""},
        },
    }
