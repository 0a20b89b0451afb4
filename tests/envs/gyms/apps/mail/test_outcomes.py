"""What success means in tasks of the same kind."""

from __future__ import annotations

from envs.gyms.apps.mail import outcomes
from envs.gyms.kit.company import get_company
from envs.gyms.server.gym import State

WORLD = get_company(1)


def test_an_action_on_one_message_or_on_several(mailbox: State) -> None:
    outcomes.expect_action("star")(WORLD, {"message": "m1"}, {"mail": mailbox})
    outcomes.expect_action("label", "all")(
        WORLD, {"all": ["m1", "m2"], "new_label": "Later"}, {"mail": mailbox}
    )
    first, second, _ = mailbox["messages"]
    assert (first["starred"], first["label"], second["label"]) == (True, "Later", "Later")


def test_messages_that_are_answered_forwarded_or_sent_from_drafts(mailbox: State) -> None:
    state = {"mail": mailbox}
    outcomes.expect_message("reply", "phone")(WORLD, {"message": "m1", "phone": "555"}, state)
    params = {"message": "m1", "email": "cy@firm.example"}
    outcomes.expect_message("forward")(WORLD, params, state)
    outcomes.expect_message("edit")(WORLD, {"message": "m3", "to": "cy@firm.example"}, state)
    draft, reply, forward = mailbox["messages"][2:]
    assert reply["body"].startswith("555\n")
    assert (reply["to"], forward["to"]) == (["bo@firm.example"], ["cy@firm.example"])
    assert (draft["folder"], draft["body"]) == ("sent", "Text 3\nMe, Chief")


def test_tool_calls_take_the_text_of_a_param() -> None:
    (call,) = outcomes.make_reply_calls("phone")({"message": "m1", "phone": "555"})
    assert (call.name, call.arguments) == ("mail.reply", {"message": "m1", "text": "555"})
