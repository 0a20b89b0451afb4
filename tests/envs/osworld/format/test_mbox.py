"""Messages are read as a mail program shows them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.format.mbox import read_mbox
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


def test_deleted_messages_do_not_count() -> None:
    written = mbox_bytes("Inbox", MAIL["Inbox"]).replace(b"Status: 0004", b"Status: 000c")
    assert [mail["subject"] for mail in read_mbox(written)] == ["One", "Three"]


def test_html_counts_as_what_it_shows() -> None:
    source = (
        b"From - Mon Mar  3 09:00:00 2025\nSubject: Draft\nContent-Type: text/html\n\n"
        b"<html><body><p>Call Ada<br>by <b>Friday</b>.</p></body></html>\n\n"
    )
    assert next(read_mbox(source))["text"] == "Call Ada by Friday."


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=60)))
def test_any_text_reads_as_it_was_written(lines: list[str]) -> None:
    text = "\n".join(["From me", ">From you", *lines])
    message = {"from": "a@example.com", "subject": "S", "text": text}
    messages = list(read_mbox(mbox_bytes("Inbox", [message, message])))
    assert [mail["text"] for mail in messages] == [" ".join(text.split())] * 2
