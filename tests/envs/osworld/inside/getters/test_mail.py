"""Messages by the path of their folder."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters.mail import mailboxes
from envs.osworld.inside.machine import local_path
from envs.osworld.inside.steps.mail import MAIL, mailbox


def test_folders_within_folders(tmp_path: Path) -> None:
    machine: Any = SimpleNamespace(home=tmp_path)
    message = {"from": "Ada <ada@example.com>", "subject": "Hello", "text": "One"}
    step = {"folders": {"Inbox": [message], "Work/Reports": [message], "Empty": []}}
    asyncio.run(mailbox(machine, step))
    (local_path(machine, MAIL) / "Inbox.msf").write_text("an index, no mail")
    boxes = asyncio.run(mailboxes(machine, Ending(None, False), {}))
    assert {name: len(messages) for name, messages in boxes.items()} == {
        "Empty": 0, "Inbox": 1, "Work/Reports": 1,
    }  # fmt: skip
    assert boxes["Inbox"][0]["from"] == ["ada@example.com"]
