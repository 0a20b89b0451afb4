"""What mail allows in writing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.gyms.apps.mail import rules_writing as rules
from envs.gyms.kit.company import get_company
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State

WORLD = get_company(1)
FIELDS = {"to": "bo@firm.example", "cc": "", "subject": " Hello  there ", "text": "One\n\n two  "}
ADDRESSES = st.lists(st.sampled_from(["bo@firm.example", "a.b@x.de", "x-1@y.example"]), max_size=25)


@given(ADDRESSES, st.sampled_from([", ", ";", " ", " ,\n"]))
def test_addresses_are_separated_in_several_ways(addresses: list[str], separator: str) -> None:
    if len(addresses) > rules.MAX_RECIPIENTS:
        with pytest.raises(Refused, match="too many"):
            rules.parse_addresses(separator.join(addresses), "To")
    else:
        assert rules.parse_addresses(separator.join(addresses), "To") == addresses


@pytest.mark.parametrize("text", ["bo", "bo@firm", "@firm.example", "bo@@firm.example"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(Refused, match=r"Cc: .* is not an address"):
        rules.parse_addresses(text, "Cc")


def test_answers_and_forwards_are_prefilled(mailbox: State) -> None:
    message = get_record(mailbox, "messages", "m1")
    assert rules.prefill(mailbox, "reply", message) == {
        "to": "bo@firm.example",
        "cc": "",
        "subject": "Re: Subject 1",
        "text": "",
    }
    assert rules.prefill(mailbox, "reply-all", message)["cc"] == "cy@firm.example"
    forward = rules.prefill(mailbox, "forward", {**message, "subject": "Fwd: x"})
    assert (forward["to"], forward["subject"]) == ("", "Fwd: x")
    draft = get_record(mailbox, "messages", "m3")
    assert rules.prefill(mailbox, "edit", draft)["text"] == "Text 3"
    assert set(rules.prefill(mailbox, "new").values()) == {""}


def test_a_sent_message_is_tidy_and_signed(mailbox: State) -> None:
    message = rules.send_message(WORLD, mailbox, FIELDS)
    assert (message["id"], message["thread"], message["folder"]) == ("m4", "t4", "sent")
    assert message["subject"] == "Hello there"
    assert message["body"] == "One\n\ntwo\nMe, Chief"
    assert message["at"] == f"{WORLD.today} 17:00"
    assert rules.send_message(WORLD, mailbox, FIELDS)["at"] == f"{WORLD.today} 17:01"


def test_answers_stay_in_the_thread_and_forwards_take_the_message_along(mailbox: State) -> None:
    origin = get_record(mailbox, "messages", "m1")
    origin["file"] = {"name": "a.pdf"}
    assert rules.send_message(WORLD, mailbox, FIELDS, "reply", origin)["thread"] == "t1"
    forward = rules.send_message(WORLD, mailbox, FIELDS | {"text": ""}, "forward", origin)
    assert forward["body"] == "Forwarded message of Bo Lee:\nText 1\nMe, Chief"
    assert forward["file"] == {"name": "a.pdf"}


def test_a_draft_keeps_its_id_and_may_be_incomplete(mailbox: State) -> None:
    draft = get_record(mailbox, "messages", "m3")
    kept = rules.send_message(WORLD, mailbox, FIELDS | {"to": ""}, "edit", draft, as_draft=True)
    assert kept is draft
    assert (kept["folder"], kept["body"]) == ("drafts", "One\n\ntwo")
    sent = rules.send_message(WORLD, mailbox, FIELDS, "edit", draft)
    assert (sent["id"], sent["folder"]) == ("m3", "sent")
    with pytest.raises(Refused, match="Only drafts"):
        rules.send_message(WORLD, mailbox, FIELDS, "edit", get_record(mailbox, "messages", "m1"))


@pytest.mark.parametrize(
    ("field", "label"), [("to", "To"), ("subject", "Subject"), ("text", "Text")]
)
def test_required_fields(mailbox: State, field: str, label: str) -> None:
    with pytest.raises(Refused, match=f"{label} is required"):
        rules.send_message(WORLD, mailbox, FIELDS | {field: " "})
    assert len(mailbox["messages"]) == 3
