"""Tasks that write on a ticket: a note, a canned reply, an escalation."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import NOTE, OPEN, REPLY, TEAMS, WAITING
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKET,
    VISITED_TICKETS,
    desk_state,
    is_in_progress,
    make_ticket_params,
    open_ticket,
    sample_ticket,
    send_message,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

REMARKS = (
    "Promised an answer by Friday",
    "Spare part is on order",
    "Speaks German only",
    "Call in the morning",
    "Contract ends this year",
    "Has a second device to lend",
)
REASONS = (
    "Third fault in one week",
    "The customer threatens to leave",
    "Their shop stands still",
    "Nobody here knows this device",
    "The warranty ends tomorrow",
)


def _sample_note(world: Company, rng: random.Random, state: State) -> Params:
    ticket = sample_ticket(rng, state, is_in_progress)
    return make_ticket_params(state, ticket) | {"text": rng.choice(REMARKS)}


def _leave_note(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    page = yield from navigation.open_link(page, "write on it", "Write")
    yield from send_message(page, {"Text": p["text"], "Send as": "Internal note"})
    return None


def _apply_note(world: Company, p: Params, state: State) -> None:
    author, today = world.user.name, world.today
    rules.add_post(desk_state(state), p["ticket"], NOTE, p["text"], author, today)


def _make_note_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "text": p["text"], "internal": True}
    return [Tool(name="desk.reply", arguments=arguments)]


def _sample_canned_reply(world: Company, rng: random.Random, state: State) -> Params:
    ticket = sample_ticket(rng, state, lambda t: t["status"] == OPEN)
    reply = rng.choice(desk_state(state)["canned"])
    return make_ticket_params(state, ticket) | {"canned": reply["id"], "title": reply["title"]}


def _apply_canned_reply(world: Company, p: Params, state: State) -> None:
    desk = desk_state(state)
    customer = get_record(desk, "customers", p["customer"])
    text = rules.fill_canned_reply(get_record(desk, "canned", p["canned"]), customer)
    rules.update_ticket(desk, p["ticket"], WAITING)
    rules.add_post(desk, p["ticket"], REPLY, text, world.user.name, world.today)


def _send_canned_reply(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    page = yield from navigation.open_link(page, "write to them", "Write")
    page = yield from navigation.fill_fields(page, {"Canned reply": p["title"]})
    page = yield from navigation.click(page, "take its text", "Insert text")
    yield from send_message(page, {"Send as": "Public reply", "Status afterwards": WAITING})
    return None


def _sample_escalation(world: Company, rng: random.Random, state: State) -> Params:
    ticket = sample_ticket(rng, state, is_in_progress)
    return make_ticket_params(state, ticket) | {
        "team": rng.choice(TEAMS),
        "reason": rng.choice(REASONS),
    }


def _apply_escalation(world: Company, p: Params, state: State) -> None:
    author, today = world.user.name, world.today
    rules.escalate_ticket(desk_state(state), p["ticket"], p["team"], p["reason"], author, today)


def _escalate_ticket(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    page = yield from navigation.click(page, "what else there is", "More")
    page = yield from navigation.open_link(page, "pass it on", "Escalate")
    fields = {"Escalate to": p["team"], "Reason": p["reason"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "send it", "Escalate ticket")
    return None


TEMPLATES = (
    Template(
        name="internal_note",
        skills=("search", "form"),
        oracle_steps=9,
        phrasings=(
            'Leave the internal note "{text}" on ticket {number}. The customer must not see it.',
            'Note on {number}, for colleagues only: "{text}"',
            'Add an internal note to {number} that reads "{text}".',
        ),
        sample_params=_sample_note,
        solve=_leave_note,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=_apply_note,
        tool_calls=_make_note_calls,
    ),
    Template(
        name="canned_answer",
        skills=("search", "form", "multi-step"),
        oracle_steps=10,
        phrasings=(
            'Answer ticket {number} with the canned reply "{title}", and set it to Waiting.',
            'Send the canned text "{title}" to the customer of {number} as a public reply; the '
            "ticket then waits.",
            '{number}: reply with "{title}" from the canned replies, status Waiting afterwards.',
        ),
        sample_params=_sample_canned_reply,
        solve=_send_canned_reply,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=_apply_canned_reply,
    ),
    Template(
        name="escalate_ticket",
        skills=("search", "menu", "form"),
        oracle_steps=10,
        phrasings=(
            'Escalate {number} to {team} with the reason "{reason}".',
            'Ticket {number} has to go to {team}. Escalate it; reason: "{reason}"',
        ),
        sample_params=_sample_escalation,
        solve=_escalate_ticket,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=_apply_escalation,
    ),
)
