"""What a seed's messages say."""

from __future__ import annotations

from envs.gyms.apps.mail.data_messages import (
    MessageWriter,
    list_colleagues,
    write_draft,
    write_invoices,
    write_newsletters,
    write_spam,
    write_thread,
)
from envs.gyms.apps.mail.vocabulary import INBOX, SENT, SPAM
from envs.gyms.kit.company import get_company

WORLD = get_company(4)


def test_a_thread_begins_with_a_phone_and_keeps_its_folder() -> None:
    writer = MessageWriter(WORLD)
    write_thread(writer, "Budget review costs", INBOX)
    first, *answers = writer.messages
    assert f"\nPhone {first['body'].rpartition('Phone ')[2]}" in first["body"]
    assert {message["thread"] for message in writer.messages} == {"t1"}
    assert all(message["subject"] == "Re: Budget review costs" for message in answers)
    assert {message["folder"] for message in writer.messages} <= {INBOX, SENT}


def test_invoices_add_up_and_are_due_thirty_days_later() -> None:
    writer = MessageWriter(WORLD)
    write_invoices(writer, WORLD.firms[0], ["fo1"])
    invoices = [m for m in writer.messages if m["subject"].startswith("Invoice ")]
    assert len(invoices) in (2, 3)
    for message in invoices:
        file = message["file"]
        assert file["total"] == file["subtotal"] + file["tax"]
        assert message["subject"] == f"Invoice {file['number']}"
        assert file["due"] > message["at"][:10]


def test_newsletters_are_numbered_week_by_week() -> None:
    writer = MessageWriter(WORLD)
    write_newsletters(writer, "Harbor Notes")
    numbers = [int(message["subject"].rpartition(" ")[2]) for message in writer.messages]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    days = [message["at"][:10] for message in writer.messages]
    assert days == sorted(days)


def test_strangers_and_drafts() -> None:
    writer = MessageWriter(WORLD)
    write_spam(writer, 3, SPAM)
    write_draft(writer, list_colleagues(WORLD)[0])
    spam, draft = writer.messages
    assert spam["email"].startswith("desk3@")
    assert (draft["to"], draft["email"]) == ([], WORLD.user.email)
    assert WORLD.user not in list_colleagues(WORLD)
