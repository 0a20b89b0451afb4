"""How messages are shown in lists and found by a search."""

from __future__ import annotations

from envs.gyms.apps.mail import display
from envs.gyms.kit.company import get_company
from envs.gyms.server.gym import State

WORLD = get_company(1)


def test_labels_of_links(mailbox: State) -> None:
    message = mailbox["messages"][0]
    day = WORLD.locale.format_date("2026-01-01")
    assert display.format_moment(WORLD, message["at"]) == f"{day} 10:00"
    assert display.link_label(WORLD, message) == f"Subject 1, {day} 10:00"
    assert display.link_label(WORLD, {**message, "subject": ""}).startswith("No subject, ")


def test_own_messages_are_listed_by_their_addresses(mailbox: State) -> None:
    received, _, draft = mailbox["messages"]
    assert display.correspondent(received) == "Bo Lee"
    assert display.correspondent(draft) == "to nobody"
    assert display.correspondent({**draft, "to": ["a@x.example", "b@x.example"]}) == (
        "to a@x.example, b@x.example"
    )


def test_prefixes_tell_sender_and_subject_apart(mailbox: State) -> None:
    text = display.searchable_text(mailbox["messages"][0])
    for word in ("lee", "from:lee", "subject:subject", "bo@firm.example", "me@firm.example"):
        assert word in text.split()
    assert "subject:lee" not in text
