"""Thunderbird's messages and folders on a real Thunderbird; results are read from its files."""

from __future__ import annotations

import asyncio
import mailbox

import pytest

from envs.contract.actions import ActionError
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop

PROFILE = ".thunderbird/user.default"

MAIL = f"{PROFILE}/Mail/Local Folders"


def letter(number: int, subject: str, sender: str = "ann@example.com") -> str:
    return (
        f"From: Ann <{sender}>\nTo: user@example.com\nSubject: {subject}\n"
        f"Date: Mon, 2 Mar 2026 10:0{number}:00 +0000\nMessage-ID: <{number}@example.com>\n"
        f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nBody {number} ö\n"
    )


async def received(user: DesktopUser, *subjects: str) -> list[int]:
    """Messages in the Inbox with these subjects; their numbers."""
    numbers = []
    for number, subject in enumerate(subjects):
        (user.home / "Documents" / "mail.eml").write_text(letter(number, subject))
        row = await user.tool("thunderbird.import_message", path="Documents/mail.eml")
        numbers.append(row["message"])
    return numbers


async def wait_for_texts(user: DesktopUser, *texts: str) -> None:
    """Returns once the window's accessibility tree holds all texts."""
    async with asyncio.timeout(20):
        while True:
            tree = await user.see()
            if all(text in tree for text in texts):
                return
            await asyncio.sleep(0.2)


async def test_a_fresh_profile_has_a_mailbox_and_no_wizard(user: DesktopUser) -> None:
    names = {row["folder"] for row in await user.tool("thunderbird.folders")}
    assert {"Inbox", "Drafts", "Sent", "Trash"} <= names
    await wait_for_texts(user, "Inbox", "Drafts", "Outbox")
    titles = [line for line in (await user.see()).splitlines() if line.startswith("window")]
    assert titles == ["window Local Folders - Mozilla Thunderbird (active) #1"]
    accounts = await user.tool("thunderbird.accounts")
    emails = [i["email"] for account in accounts for i in account["identities"]]
    assert emails == ["user@example.com"]


async def test_messages_are_imported_read_and_searched(user: DesktopUser) -> None:
    first, _ = await received(user, "Lunch", 'Größe $1 "q" `x`')
    rows = await user.tool("thunderbird.messages", folder="Inbox")
    assert [row["subject"] for row in rows] == ['Größe $1 "q" `x`', "Lunch"]
    read = await user.tool("thunderbird.read_message", folder="Inbox", message=first)
    assert (read["subject"], read["text"]) == ("Lunch", "Body 0 ö\n")
    messages = await user.tool("thunderbird.search_messages", text="LUNCH")
    assert [row["message"] for row in messages] == [first]
    with pytest.raises(ToolFailed, match="Inbox") as missing:
        await user.tool("thunderbird.messages", folder="Nowhere")
    assert missing.value.error == ActionError.NOT_FOUND


async def test_messages_move_copy_and_go_to_the_trash(user: DesktopUser) -> None:
    first, second = await received(user, "One", "Two")
    await user.tool("thunderbird.create_folder", folder="Work/Reports")
    await user.tool(
        "thunderbird.move_messages", folder="Inbox", messages=[first], to="Work/Reports"
    )
    await user.tool(
        "thunderbird.move_messages", folder="Inbox", messages=[second], to="Work", keep=True
    )
    await user.tool("thunderbird.delete_messages", folder="Inbox", messages=[second])
    counts = {row["folder"]: row["messages"] for row in await user.tool("thunderbird.folders")}
    assert counts["Work/Reports"] == counts["Work"] == counts["Trash"] == 1
    assert counts["Inbox"] == 0
    await wait_for_texts(user, "Reports")
    box = mailbox.mbox(user.home / MAIL / "Work.sbd" / "Reports")
    assert [message["Subject"] for message in box] == ["One"]
    await user.tool("thunderbird.rename_folder", folder="Work/Reports", new_name="Old")
    await user.tool("thunderbird.delete_folder", folder="Work/Old")
    assert not any("Old" in row["folder"] for row in await user.tool("thunderbird.folders"))
    with pytest.raises(ToolFailed, match="belongs to Thunderbird"):
        await user.tool("thunderbird.delete_folder", folder="Inbox")


async def test_messages_are_marked_and_tagged(user: DesktopUser) -> None:
    (number,) = await received(user, "Mark me")
    (row,) = await user.tool(
        "thunderbird.mark_messages", folder="Inbox", messages=[number], read=True, starred=True,
        add_tags=["important"],
    )  # fmt: skip
    assert (row["read"], row["starred"], row["tags"]) == (True, True, ["Important"])
    (row,) = await user.tool(
        "thunderbird.mark_messages", folder="Inbox", messages=[number], starred=False,
        remove_tags=["Important"],
    )  # fmt: skip
    assert (row["starred"], row["tags"]) == (False, [])
    with pytest.raises(ToolFailed, match="Work"):
        await user.tool(
            "thunderbird.mark_messages", folder="Inbox", messages=[number], add_tags=["Blue"]
        )


async def test_a_draft_with_an_attachment_and_a_queued_message(user: DesktopUser) -> None:
    (user.home / "Documents" / "plan.txt").write_text("the plan")
    draft = await user.tool(
        "thunderbird.compose", to=["Bob <bob@example.com>"], cc=["c@example.com"],
        subject="Plän", text="See the file", attachments=["Documents/plan.txt"],
    )  # fmt: skip
    read = await user.tool("thunderbird.read_message", folder="Drafts", message=draft["message"])
    assert (read["subject"], read["cc"]) == ("Plän", "c@example.com")
    assert read["attachments"] == ["plan.txt"]
    await user.tool(
        "thunderbird.save_attachment", folder="Drafts", message=draft["message"],
        attachment="plan.txt", path="Downloads",
    )  # fmt: skip
    assert (user.home / "Downloads" / "plan.txt").read_text() == "the plan"
    queued = await user.tool(
        "thunderbird.compose", to=["b@example.com"], subject="Later", text="x", save_in="Outbox"
    )
    assert queued["folder"] == "Unsent Messages"
    await wait_for_texts(user, "Outbox")
    with pytest.raises(ToolFailed, match="addresses such as"):
        await user.tool("thunderbird.compose", to=["bob"], subject="s", text="t")
