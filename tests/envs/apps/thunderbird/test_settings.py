"""Thunderbird's filters, contacts, preferences and identities on a real Thunderbird."""

from __future__ import annotations

import pytest

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


async def test_a_filter_is_written_runs_and_is_removed(user: DesktopUser) -> None:
    await received(user, "Invoice 7", "Party")
    await user.tool("thunderbird.create_folder", folder="Bills")
    made = await user.tool(
        "thunderbird.add_filter", filter_name="Bills", match="any",
        conditions=[{"field": "subject", "test": "contains", "text": "Invoice"},
                    {"field": "from", "test": "is", "text": "bank@example.com"}],
        actions=[{"action": "move", "value": "Bills"}],
    )  # fmt: skip
    assert (made["match"], made["actions"][0]["value"]) == ("any", "Bills")
    rules = (user.home / MAIL / "msgFilterRules.dat").read_text()
    assert 'condition="OR (subject,contains,Invoice) OR (from,is,bank@example.com)"' in rules
    await user.tool("thunderbird.run_filters", folder="Inbox")
    rows = await user.tool("thunderbird.messages", folder="Bills")
    assert [row["subject"] for row in rows] == ["Invoice 7"]
    await user.tool("thunderbird.remove_filter", filter_name="Bills")
    assert await user.tool("thunderbird.filters") == []
    with pytest.raises(ToolFailed, match="want a folder"):
        await user.tool(
            "thunderbird.add_filter", filter_name="B", actions=[{"action": "move"}],
            conditions=[{"field": "subject", "test": "is", "text": "Bills"}],
        )  # fmt: skip


async def test_contacts_are_added_found_and_removed(user: DesktopUser) -> None:
    added = await user.tool(
        "thunderbird.add_contact", display_name="Ann O'Neil", email="ann@example.com"
    )
    await user.tool("thunderbird.add_contact", display_name="Bob", email="bob@example.com")
    contacts = await user.tool("thunderbird.contacts", text="o'neil")
    assert contacts == [added]
    await user.tool("thunderbird.remove_contact", contact=added["contact"])
    assert [row["name"] for row in await user.tool("thunderbird.contacts")] == ["Bob"]


async def test_preferences_and_identity_are_saved(user: DesktopUser) -> None:
    key = "mailnews.default_sort_order"
    before = await user.tool("thunderbird.get_preference", preference=key)
    await user.tool("thunderbird.set_preference", preference=key, value=3 - before)
    await user.tool("thunderbird.set_identity", full_name='Ann "A"', signature="Regards, Ann")
    text = (user.home / PROFILE / "prefs.js").read_text()
    assert f'user_pref("{key}", {3 - before});' in text
    assert 'user_pref("mail.identity.id1.fullName", "Ann \\"A\\"");' in text
    with pytest.raises(ToolFailed, match="is a number"):
        await user.tool("thunderbird.set_preference", preference=key, value="down")
