"""Mail's API tools."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import tools
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_tool_context


def test_searching_by_words_and_folder() -> None:
    context = make_tool_context(MAIL)
    rows = tools.search_messages.function(context, "invoice")
    moments = [row["at"] for row in rows]
    assert len(rows) == 20
    assert moments == sorted(moments, reverse=True)
    sender = rows[0]["sender"].split()[0].lower()
    assert all(
        row["folder"] == "Inbox"
        for row in tools.search_messages.function(context, f"from:{sender}", "Inbox")
    )
    assert tools.read_message.function(context, rows[0]["id"])["subject"] == rows[0]["subject"]


def test_writing_and_moving() -> None:
    context = make_tool_context(MAIL)
    sent = tools.send_new_message.function(context, "a@b.example", "Hello", "Text")
    assert tools.read_message.function(context, sent)["folder"] == "sent"
    inbox = [m["id"] for m in context.state["messages"] if m["folder"] == "inbox"]
    answer = tools.reply_to_message.function(context, inbox[0], "Yes")
    assert tools.read_message.function(context, answer)["subject"].startswith("Re: ")
    assert tools.move_messages.function(context, inbox[:2], "Archive") == "Moved to Archive: 2"
    assert tools.mark_messages.function(context, inbox[:3], "star") == "Changed: 3"
    for refuse in (
        lambda: tools.move_messages.function(context, inbox[2:3], "Nowhere"),
        lambda: tools.mark_messages.function(context, inbox[:1], "spam"),
    ):
        with pytest.raises(Refused):
            refuse()
