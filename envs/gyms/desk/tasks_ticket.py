"""Tasks on one ticket: assign, change, write on, escalate, tag, create it.

Where no number names the ticket, its customer and subject fit no other one.
"""

from __future__ import annotations

import random

from envs.actions import Tool
from envs.gyms.desk import rules
from envs.gyms.desk.data import (
    DUE_DAYS,
    NEW,
    NOTE,
    OPEN,
    PRIORITIES,
    PRODUCTS,
    REPLY,
    SUBJECTS,
    TAGS,
    TEAMS,
    WAITING,
)
from envs.gyms.desk.drawing import (
    TICKET,
    TICKETS,
    an_agent,
    is_live,
    known,
    part_of,
    pick,
    save,
    to_subject,
    to_ticket,
    write,
)
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.view import Page

REMARKS = (
    "Promised an answer by Friday", "Spare part is on order", "Speaks German only",
    "Call in the morning", "Contract ends this year", "Has a second device to lend",
)  # fmt: skip
REASONS = (
    "Third fault in one week", "The customer threatens to leave", "Their shop stands still",
    "Nobody here knows this device", "The warranty ends tomorrow",
)  # fmt: skip
CALLS = (
    "The display stays dark", "It restarts every hour", "It beeps without end",
    "The cable is broken", "The battery is empty after an hour",
)  # fmt: skip


def _draw_assign(world: Company, rng: random.Random, state: State) -> Params:
    ticket = pick(rng, state, lambda t: t["status"] in (NEW, OPEN))
    return known(state, ticket) | an_agent(rng, state, ticket["assignee"])


def _assign(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    yield from save(page, Assignee=p["agent_name"])
    return None


def _draw_set(world: Company, rng: random.Random, state: State) -> Params:
    ticket = pick(rng, state, is_live)
    return known(state, ticket) | {
        "priority": rng.choice([x for x in PRIORITIES if x != ticket["priority"]]),
        "status": OPEN if ticket["status"] == WAITING else WAITING,
    }


def _set(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    yield from save(page, Status=p["status"], Priority=p["priority"])
    return None


def _set_calls(p: Params) -> list[Tool]:
    number = p["number"]
    return [
        Tool(name="desk.set_status", arguments={"number": number, "status": p["status"]}),
        Tool(name="desk.set_priority", arguments={"number": number, "priority": p["priority"]}),
    ]


def _draw_note(world: Company, rng: random.Random, state: State) -> Params:
    return known(state, pick(rng, state, is_live)) | {"text": rng.choice(REMARKS)}


def _leave_note(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    page = yield from ways.open_link(page, "write on it", "Write")
    yield from write(page, {"Text": p["text"], "Send as": "Internal note"})
    return None


def _expect_note(world: Company, p: Params, state: State) -> None:
    rules.post(part_of(state), p["ticket"], NOTE, p["text"], world.user.name, world.today)


def _note_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "text": p["text"], "internal": True}
    return [Tool(name="desk.reply", arguments=arguments)]


def _draw_canned(world: Company, rng: random.Random, state: State) -> Params:
    ticket = pick(rng, state, lambda t: t["status"] == OPEN)
    canned = rng.choice(part_of(state)["canned"])
    return known(state, ticket) | {"canned": canned["id"], "title": canned["title"]}


def _expect_canned(world: Company, p: Params, state: State) -> None:
    part = part_of(state)
    who = one(part, "customers", p["customer"])
    text = rules.inserted(one(part, "canned", p["canned"]), who)
    rules.update(part, p["ticket"], WAITING)
    rules.post(part, p["ticket"], REPLY, text, world.user.name, world.today)


def _send_canned(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    page = yield from ways.open_link(page, "write to them", "Write")
    page = yield from ways.fill(page, {"Canned reply": p["title"]})
    page = yield from ways.press(page, "take its text", "Insert text")
    yield from write(page, {"Send as": "Public reply", "Status afterwards": WAITING})
    return None


def _draw_escalate(world: Company, rng: random.Random, state: State) -> Params:
    return known(state, pick(rng, state, is_live)) | {
        "team": rng.choice(TEAMS),
        "reason": rng.choice(REASONS),
    }


def _expect_escalate(world: Company, p: Params, state: State) -> None:
    by = (world.user.name, world.today)
    rules.escalate(part_of(state), p["ticket"], p["team"], p["reason"], *by)


def _escalate(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "pass it on", "Escalate")
    page = yield from ways.fill(page, {"Escalate to": p["team"], "Reason": p["reason"]})
    yield from ways.press(page, "send it", "Escalate ticket")
    return None


def _draw_details(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    alone = [(t["customer"], t["subject"]) for t in part["tickets"]]
    ticket = pick(
        rng, state, lambda t: is_live(t) and alone.count((t["customer"], t["subject"])) == 1
    )
    day = world.day(rng.randint(20, 60))
    return known(state, ticket) | {
        "tag": rng.choice([tag for tag in TAGS if tag not in ticket["tags"]]),
        "day": day,
        "date": world.look.date(day),
    }


def _expect_details(world: Company, p: Params, state: State) -> None:
    found = one(part_of(state), "tickets", p["ticket"])
    tags = ", ".join((*found["tags"], p["tag"]))
    rules.edit(part_of(state), p["ticket"], found["subject"], found["product"], p["day"], tags)


def _change_details(page: Page, p: Params) -> Script:
    page = yield from to_subject(page, p)
    page = yield from ways.open_link(page, "change it", "Edit details")
    tags = page.need("box", "Tags").value or ""
    fields = {"Due": p["date"], "Tags": f"{tags}, {p['tag']}" if tags else p["tag"]}
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save details")
    return None


def _draw_new(world: Company, rng: random.Random, state: State) -> Params:
    who = rng.choice(part_of(state)["customers"])
    priority, product = rng.choice(PRIORITIES), rng.choice(PRODUCTS)
    return {
        "customer": who["id"], "name": who["name"], "org": who["org"], "product": product,
        "subject": rng.choice(SUBJECTS).format(product), "priority": priority,
        "text": rng.choice(CALLS), "requester": f"{who['name']}, {who['org']}",
    }  # fmt: skip


def _expect_new(world: Company, p: Params, state: State) -> None:
    rules.create(
        part_of(state), p["customer"], p["subject"], p["product"], p["priority"], p["text"],
        world.today, world.day(DUE_DAYS[p["priority"]]),
    )  # fmt: skip


def _create(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Tickets")
    page = yield from ways.open_link(page, "a new one", "New ticket")
    fields = {"Requester": p["requester"], "Subject": p["subject"], "Product": p["product"],
              "Priority": p["priority"], "Message": p["text"]}  # fmt: skip
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "create it", "Create ticket")
    return None


TEMPLATES = (
    Template(
        "assign_ticket", ("search", "form"), 7,
        ("Assign the ticket {number} to {agent_name}.",
         "{agent_name} takes over {number} ({subject}). Set the assignee.",
         "Give ticket {number} of {org} to {agent_name}."),
        _draw_assign, _assign, (TICKETS, TICKET, FINISHED),
        lambda world, p, state: rules.update(part_of(state), p["ticket"], assignee=p["agent"]),
        calls=lambda p: [Tool(name="desk.assign", arguments={"number": p["number"],
                                                             "agent": p["agent_name"]})],
    ),
    Template(
        "set_priority_status", ("search", "form"), 8,
        ("Set ticket {number} to status {status} and priority {priority}.",
         "{number} is {priority} from now on, and its status is {status}. Change both.",
         "Change {number}: priority {priority}, status {status}."),
        _draw_set, _set, (TICKETS, TICKET, FINISHED),
        lambda world, p, state: rules.update(
            part_of(state), p["ticket"], p["status"], p["priority"]
        ),
        calls=_set_calls,
    ),
    Template(
        "internal_note", ("search", "form"), 9,
        ('Leave the internal note "{text}" on ticket {number}. The customer must not see it.',
         'Note on {number}, for colleagues only: "{text}"',
         'Add an internal note to {number} that reads "{text}".'),
        _draw_note, _leave_note, (TICKETS, TICKET, FINISHED), _expect_note, calls=_note_calls,
    ),
    Template(
        "canned_answer", ("search", "form", "multi-step"), 10,
        ('Answer ticket {number} with the canned reply "{title}", and set it to Waiting.',
         'Send the canned text "{title}" to the customer of {number} as a public reply; the ticket '
         "then waits.",
         '{number}: reply with "{title}" from the canned replies, status Waiting afterwards.'),
        _draw_canned, _send_canned, (TICKETS, TICKET, FINISHED), _expect_canned,
    ),
    Template(
        "escalate_ticket", ("search", "menu", "form"), 10,
        ('Escalate {number} to {team} with the reason "{reason}".',
         'Ticket {number} has to go to {team}. Escalate it; reason: "{reason}"'),
        _draw_escalate, _escalate, (TICKETS, TICKET, FINISHED), _expect_escalate,
    ),
    Template(
        "tag_and_due", ("search", "form", "date", "compare"), 10,
        ('Find the ticket "{subject}" of {name} at {org}. Add the tag {tag} to its tags and make '
         "it due on {date}.",
         '{name} ({org}) reported "{subject}". That ticket is due on {date} now and gets the tag '
         "{tag} besides those it has."),
        _draw_details, _change_details, (TICKETS, TICKET, FINISHED), _expect_details,
    ),
    Template(
        "new_ticket", ("form",), 9,
        ('{name} of {org} called about the {product}: "{text}". Create a ticket with the subject '
         '"{subject}", priority {priority}, and these words as message.',
         'Open a new ticket for {name} ({org}), product {product}, subject "{subject}", priority '
         '{priority}, message "{text}".'),
        _draw_new, _create, (TICKETS, FINISHED), _expect_new,
    ),
)  # fmt: skip
