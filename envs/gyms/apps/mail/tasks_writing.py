"""Tasks that write: answers, new messages, forwards, drafts."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.mail import rules_writing, sampling
from envs.gyms.apps.mail.data_messages import list_colleagues
from envs.gyms.apps.mail.display import link_label
from envs.gyms.apps.mail.oracle_moves import (
    open_folder,
    open_message,
    open_search_result,
    send_answer,
)
from envs.gyms.apps.mail.outcomes import (
    VISITED_LIST,
    VISITED_MESSAGE,
    VISITED_SOURCE,
    expect_message,
    make_reply_calls,
)
from envs.gyms.apps.mail.sampling import (
    NOTES,
    choose_message,
    is_colleague,
    mail_part,
    message_params,
    sample_recipient,
)
from envs.gyms.apps.mail.vocabulary import DETAILS, DRAFTS, TOPICS
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_reply(world: Company, rng: random.Random, state: State) -> Params:
    message = choose_message(world, rng, state, lambda m: is_colleague(world, m))
    return message_params(world, message) | {"text": rng.choice(NOTES)}


def _sample_reply_all(world: Company, rng: random.Random, state: State) -> Params:
    message = choose_message(world, rng, state, lambda m: bool(m["cc"]))
    return message_params(world, message) | {"text": rng.choice(NOTES)}


def _sample_new(world: Company, rng: random.Random, state: State) -> Params:
    to, cc = rng.sample(list_colleagues(world), 2)
    return {
        "to": to.email,
        "to_name": to.name,
        "cc": cc.email,
        "text": rng.choice(NOTES),
        "subject": f"{rng.choice(TOPICS[world.split])} {rng.choice(DETAILS)}",
    }


def _sample_without_file(world: Company, rng: random.Random, state: State) -> Params:
    message = choose_message(world, rng, state, lambda m: not m["file"] and is_colleague(world, m))
    to = rng.choice([person for person in list_colleagues(world) if person.name != message["name"]])
    return message_params(world, message) | {"email": to.email}


def _sample_draft(world: Company, rng: random.Random, state: State) -> Params:
    draft = rng.choice([m for m in mail_part(state)["messages"] if m["folder"] == DRAFTS])
    to = rng.choice(list_colleagues(world))
    return message_params(world, draft) | {"to": to.email}


def _sample_phone(world: Company, rng: random.Random, state: State) -> Params:
    """A colleague who signs a message with a phone number, and a message to answer with it."""
    source = choose_message(world, rng, state, lambda m: "\nPhone " in m["body"])
    person = next(p for p in world.people if p.email == source["email"])
    return sample_recipient(world, rng, state, person.name) | {
        "source": source["id"],
        "source_label": link_label(world, source),
        "person": person.name,
        "phone": person.phone,
    }


def _reply(page: Page, p: Params) -> Script:
    page = yield from open_message(page, p)
    return (yield from send_answer(page, "Reply", p["text"]))


def _reply_all(page: Page, p: Params) -> Script:
    page = yield from open_message(page, p)
    return (yield from send_answer(page, "Reply to all", p["text"]))


def _write_new(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "New message")
    page = yield from navigation.fill_fields(
        page, {"To": p["to"], "Cc": p["cc"], "Subject": p["subject"], "Text": p["text"]}
    )
    yield from navigation.click(page, "send it", "Send")
    return None


def _forward(page: Page, p: Params) -> Script:
    page = yield from open_search_result(
        page, f"from:{p['person'].replace(' ', ' from:')}", p["other_label"]
    )
    address = _sender_address(page)
    page = yield from open_message(page, p)
    page = yield from navigation.open_link(page, "pass it on", "Forward")
    page = yield from navigation.fill_fields(page, {"To": address})
    yield from navigation.click(page, "send it", "Send")
    return None


def _sender_address(page: Page) -> str:
    """Of the sender of the message that is open."""
    return navigation.read_value(page, "From").partition("<")[2].rstrip(">")


def _find_no_file(page: Page, p: Params) -> Script:
    page = yield from open_message(page, p)
    if page.text_after("Attachment none") is not None:
        raise GiveUp("there is no attachment")
    return None


def _send_draft(page: Page, p: Params) -> Script:
    page = yield from open_folder(page, "Drafts")
    page = yield from navigation.open_item(page, p["label"])
    page = yield from navigation.open_link(page, "go on with it", "Edit draft")
    page = yield from navigation.fill_fields(page, {"To": p["to"]})
    yield from navigation.click(page, "send it", "Send")
    return None


def _reply_with_phone(page: Page, p: Params) -> Script:
    page = yield from open_search_result(
        page, f"from:{p['person'].replace(' ', ' from:')}", p["source_label"]
    )
    phone = navigation.read_value(page, "Phone")
    page = yield from open_message(page, p)
    return (yield from send_answer(page, "Reply", phone))


def _message_fields(p: Params) -> dict[str, str]:
    return {key: p[key] for key in ("to", "cc", "subject", "text")}


TEMPLATES = (
    Template(
        name="reply",
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=(
            "Reply to the message “{subject}” from {sender} alone: {text}",
            "Answer {sender}'s “{subject}” (nobody else) with this text: {text}",
        ),
        sample_params=_sample_reply,
        solve=_reply,
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_message("reply"),
        tool_calls=make_reply_calls("text"),
    ),
    Template(
        name="reply_all",
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=(
            "Reply to all who got “{subject}” from {sender}: {text}",
            "Answer everybody on {sender}'s message “{subject}” with this text: {text}",
        ),
        sample_params=_sample_reply_all,
        solve=_reply_all,
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_message("reply-all"),
    ),
    Template(
        name="new_message",
        skills=("form",),
        oracle_steps=8,
        phrasings=(
            "Write to {to}, with a copy to {cc}. Subject: {subject}. Text: {text}",
            "Send a new message to {to}, cc {cc}, subject “{subject}”, with this text: {text}",
        ),
        sample_params=_sample_new,
        solve=_write_new,
        milestones=(("new", visited_page("mail:new")), FINISHED),
        apply_expected=lambda world, p, state: rules_writing.send_message(
            world, mail_part(state), _message_fields(p)
        ),
        tool_calls=lambda p: [Tool(name="mail.send", arguments=_message_fields(p))],
    ),
    Template(
        name="forward",
        skills=("search", "recall", "form", "multi-step"),
        oracle_steps=12,
        phrasings=(
            "Forward the message “{subject}” from {sender} to {person}, without a text of your "
            "own. {person}'s address stands on messages from there.",
            "{person} needs “{subject}” of {sender}: forward it, adding no text. Look the address "
            "up in {person}'s messages.",
        ),
        sample_params=sampling.sample_invoice_and_person,
        solve=_forward,
        milestones=(VISITED_MESSAGE, FINISHED),
        apply_expected=expect_message("forward"),
    ),
    Template(
        name="forward_nothing",
        skills=("search", "refuse"),
        oracle_steps=5,
        phrasings=(
            "Forward the attachment of “{subject}” from {sender} to {email}. If it has none, say "
            "that it cannot be done.",
            "Send the file attached to {sender}'s “{subject}” on to {email}, if there is one.",
        ),
        sample_params=_sample_without_file,
        solve=_find_no_file,
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        infeasible=True,
        required_events=("mail:message:{message}",),
        tool_calls=lambda p: [Tool(name="mail.read", arguments={"message": p["message"]})],
    ),
    Template(
        name="send_draft",
        skills=("form", "multi-step"),
        oracle_steps=6,
        phrasings=(
            "Send the draft “{subject}” to {to}, with its text as it is.",
            "The draft “{subject}” lacks an address only: {to}. Complete and send it.",
        ),
        sample_params=_sample_draft,
        solve=_send_draft,
        milestones=(VISITED_MESSAGE, FINISHED),
        apply_expected=expect_message("edit"),
    ),
    Template(
        name="tell_phone",
        skills=("search", "recall", "form", "multi-step"),
        oracle_steps=12,
        phrasings=(
            "Reply to “{subject}” from {sender} with {person}'s phone number, which stands below "
            "messages from {person}. The text is the number alone, as it is written there.",
            "{sender} asks in “{subject}” for the phone number of {person}. Reply with just the "
            "number, as a message signed by {person} shows it.",
        ),
        sample_params=_sample_phone,
        solve=_reply_with_phone,
        milestones=(VISITED_SOURCE, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_message("reply", "phone"),
        tool_calls=make_reply_calls("phone"),
    ),
)
