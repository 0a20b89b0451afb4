"""The help desk's task templates, each with its oracle."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from typing import Any

from envs.actions import Drag, Scroll, Tool
from envs.gyms.desk import rules
from envs.gyms.desk.app import agent_name
from envs.gyms.desk.data import (
    CLOSED,
    DUE_DAYS,
    NEW,
    NOTE,
    OPEN,
    PRIORITIES,
    PRODUCTS,
    REPLY,
    SOLVED,
    SUBJECTS,
    TAGS,
    TEAMS,
    WAITING,
)
from envs.gyms.gym import OracleLost, OracleMove, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

Ticket = dict[str, Any]
TICKETS = ("tickets", saw("desk:tickets"))
TICKET = ("ticket", saw("desk:ticket:{ticket}"))
REMARKS = (
    "Promised an answer by Friday", "Spare part is on order", "Speaks German only",
    "Call in the morning", "Contract ends this year", "Has a second device to lend",
)  # fmt: skip
REASONS = (
    "Third fault in one week", "The customer threatens to leave", "Their shop stands still",
    "Nobody here knows this device", "The warranty ends tomorrow",
)  # fmt: skip
NEW_CANNED = (
    ("Invoice copy", "Hello %name%, here is a copy of your invoice."),
    ("Call back tomorrow", "Hello %name%, we will call you back tomorrow."),
    ("Visit planned", "Hello %name%, our technician comes to you this week."),
)
CALLS = (
    "The display stays dark", "It restarts every hour", "It beeps without end",
    "The cable is broken", "The battery is empty after an hour",
)  # fmt: skip


def _mine(state: State) -> State:
    part: State = state["desk"]
    return part


def _pick(
    rng: random.Random, state: State, fits: Callable[[Ticket], bool], what: str = "such ticket"
) -> Ticket:
    found = [ticket for ticket in _mine(state)["tickets"] if fits(ticket)]
    if not found:
        raise Redraw(f"there is no {what}")
    chosen: Ticket = rng.choice(found)
    return chosen


def _live(ticket: Ticket) -> bool:
    return bool(ticket["status"] in (OPEN, WAITING) and ticket["assignee"])


def _closable(part: State) -> Callable[[Ticket], bool]:
    """Those that are somebody's and have no sub-ticket that is still to be worked on."""
    return lambda t: _live(t) and not rules.unfinished(part, t["id"])


def _known(state: State, ticket: Ticket) -> Params:
    who = rules.one(_mine(state), "customers", ticket["customer"])
    return {"ticket": ticket["id"], "number": ticket["number"], "subject": ticket["subject"],
            "customer": who["id"], "name": who["name"], "org": who["org"]}  # fmt: skip


def _an_agent(rng: random.Random, state: State, *besides: str | None) -> Params:
    here = [a for a in _mine(state)["agents"] if not a["away"] and a["id"] not in besides]
    chosen = rng.choice(here)
    return {"agent": chosen["id"], "agent_name": chosen["name"]}


def _rows(page: Page) -> list[tuple[str, list[str]]]:
    """The list's tickets: numbers, and the texts of each."""
    found: list[tuple[str, list[str]]] = []
    for line in page.lines:
        if line.role == "link":
            if line.name.startswith("HD-"):
                found.append((line.name, []))
            elif found:
                break
        elif found:
            found[-1][1].append(line.name)
    return found


def _count(page: Page) -> int:
    """How many the list says that it found."""
    for line in page.lines:
        if " found, sorted by" in line.name:
            return int(line.name.split()[0])
    raise OracleLost(f"no list on page {page.title!r}")


def _to_ticket(page: Page, number: str) -> ways.Way:
    page = yield from ways.go(page, "Tickets")
    page = yield from ways.search(page, number)
    return (yield from ways.open_item(page, number))


def _listed(page: Page, words: str, **narrowed: str) -> ways.Way:
    """The list of tickets with these words, by drop-downs."""
    page = yield from ways.go(page, "Tickets")
    if words:
        page = yield from ways.search(page, words)
    for label, option in narrowed.items():
        page = yield from ways.narrow(page, label, option)
    return page


def _save(page: Page, **fields: str) -> ways.Way:
    page = yield from ways.fill(page, fields)
    return (yield from ways.press(page, "save it", "Save ticket"))


def _each(page: Page, act: Callable[[Page], ways.Way]) -> Generator[OracleMove, Page, None]:
    """Does it with all tickets of the list that is open, which fit on its page."""
    numbers = [number for number, _ in _rows(page)]
    for index, number in enumerate(numbers):
        if index == 0:
            page = yield from ways.open_item(page, number)
        else:
            page = yield from _to_ticket(page, number)
        page = yield from act(page)


# One ticket.


def _draw_assign(world: Company, rng: random.Random, state: State) -> Params:
    ticket = _pick(rng, state, lambda t: t["status"] in (NEW, OPEN))
    return _known(state, ticket) | _an_agent(rng, state, ticket["assignee"])


def _assign(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    yield from _save(page, Assignee=p["agent_name"])
    return None


def _draw_set(world: Company, rng: random.Random, state: State) -> Params:
    ticket = _pick(rng, state, _live)
    return _known(state, ticket) | {
        "priority": rng.choice([x for x in PRIORITIES if x != ticket["priority"]]),
        "status": OPEN if ticket["status"] == WAITING else WAITING,
    }


def _set(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    yield from _save(page, Status=p["status"], Priority=p["priority"])
    return None


def _set_calls(p: Params) -> list[Tool]:
    number = p["number"]
    return [
        Tool(name="desk.set_status", arguments={"number": number, "status": p["status"]}),
        Tool(name="desk.set_priority", arguments={"number": number, "priority": p["priority"]}),
    ]


def _draw_note(world: Company, rng: random.Random, state: State) -> Params:
    return _known(state, _pick(rng, state, _live)) | {"text": rng.choice(REMARKS)}


def _write(page: Page, fields: dict[str, str]) -> ways.Way:
    page = yield from ways.fill(page, fields)
    return (yield from ways.press(page, "send it", "Send message"))


def _leave_note(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    page = yield from ways.open_link(page, "write on it", "Write")
    yield from _write(page, {"Text": p["text"], "Send as": "Internal note"})
    return None


def _expect_note(world: Company, p: Params, state: State) -> None:
    rules.post(_mine(state), p["ticket"], NOTE, p["text"], world.user.name, world.today)


def _note_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "text": p["text"], "internal": True}
    return [Tool(name="desk.reply", arguments=arguments)]


def _draw_canned(world: Company, rng: random.Random, state: State) -> Params:
    ticket = _pick(rng, state, lambda t: t["status"] == OPEN)
    canned = rng.choice(_mine(state)["canned"])
    return _known(state, ticket) | {"canned": canned["id"], "title": canned["title"]}


def _expect_canned(world: Company, p: Params, state: State) -> None:
    part = _mine(state)
    who = rules.one(part, "customers", p["customer"])
    text = rules.inserted(rules.one(part, "canned", p["canned"]), who)
    rules.update(part, p["ticket"], WAITING)
    rules.post(part, p["ticket"], REPLY, text, world.user.name, world.today)


def _send_canned(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    page = yield from ways.open_link(page, "write to them", "Write")
    page = yield from ways.fill(page, {"Canned reply": p["title"]})
    page = yield from ways.press(page, "take its text", "Insert text")
    yield from _write(page, {"Send as": "Public reply", "Status afterwards": WAITING})
    return None


def _draw_escalate(world: Company, rng: random.Random, state: State) -> Params:
    return _known(state, _pick(rng, state, _live)) | {
        "team": rng.choice(TEAMS),
        "reason": rng.choice(REASONS),
    }


def _expect_escalate(world: Company, p: Params, state: State) -> None:
    by = (world.user.name, world.today)
    rules.escalate(_mine(state), p["ticket"], p["team"], p["reason"], *by)


def _escalate(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "pass it on", "Escalate")
    page = yield from ways.fill(page, {"Escalate to": p["team"], "Reason": p["reason"]})
    yield from ways.press(page, "send it", "Escalate ticket")
    return None


def _draw_details(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    alone = [(t["customer"], t["subject"]) for t in part["tickets"]]
    ticket = _pick(
        rng, state, lambda t: _live(t) and alone.count((t["customer"], t["subject"])) == 1
    )
    day = world.day(rng.randint(20, 60))
    return _known(state, ticket) | {
        "tag": rng.choice([tag for tag in TAGS if tag not in ticket["tags"]]),
        "day": day,
        "date": world.look.date(day),
    }


def _expect_details(world: Company, p: Params, state: State) -> None:
    found = rules.one(_mine(state), "tickets", p["ticket"])
    tags = ", ".join((*found["tags"], p["tag"]))
    rules.edit(_mine(state), p["ticket"], found["subject"], found["product"], p["day"], tags)


def _to_subject(page: Page, p: Params) -> ways.Way:
    """The newest ticket of a customer that has exactly this subject."""
    page = yield from _listed(page, f"{p['subject']} {p['name']} {p['org']}")
    for _ in range(ways.MAX_PAGES):
        for number, texts in _rows(page):
            if texts and texts[0] == p["subject"]:
                return (yield from ways.open_item(page, number, "this is the one"))
        if page.goes_on_below:
            page = yield from _down(page)
        else:
            page = yield from ways.open_link(page, "not on this page", "Next page")
    raise OracleLost(f"no ticket {p['subject']!r}")


def _down(page: Page) -> ways.Way:
    return (yield OracleMove("look further down", Scroll(dy=1, unit="page")))


def _change_details(page: Page, p: Params) -> Script:
    page = yield from _to_subject(page, p)
    page = yield from ways.open_link(page, "change it", "Edit details")
    tags = page.need("box", "Tags").value or ""
    fields = {"Due": p["date"], "Tags": f"{tags}, {p['tag']}" if tags else p["tag"]}
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save details")
    return None


def _draw_new(world: Company, rng: random.Random, state: State) -> Params:
    who = rng.choice(_mine(state)["customers"])
    priority, product = rng.choice(PRIORITIES), rng.choice(PRODUCTS)
    return {
        "customer": who["id"], "name": who["name"], "org": who["org"], "product": product,
        "subject": rng.choice(SUBJECTS).format(product), "priority": priority,
        "text": rng.choice(CALLS), "requester": f"{who['name']}, {who['org']}",
    }  # fmt: skip


def _expect_new(world: Company, p: Params, state: State) -> None:
    rules.create(
        _mine(state), p["customer"], p["subject"], p["product"], p["priority"], p["text"],
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


# Two tickets.


def _twins(state: State) -> list[tuple[Ticket, Ticket]]:
    """Older and newer: the only two of a customer with one subject, which can be merged."""
    part = _mine(state)
    by: dict[tuple[str, str], list[Ticket]] = {}
    for ticket in part["tickets"]:
        by.setdefault((ticket["customer"], ticket["subject"]), []).append(ticket)
    return [
        (pair[0], pair[1])
        for pair in by.values()
        if len(pair) == 2 and not rules.merge_problem(part, pair[1], pair[0])
    ]


def _make_twins(world: Company, rng: random.Random, state: State) -> None:
    """Somebody wrote twice about the same thing."""
    part = _mine(state)
    live = [t for t in part["tickets"] if _closable(part)(t)]
    taken = [(t["customer"], t["subject"]) for t in part["tickets"]]
    pairs = [
        (a, b) for a in live for b in live
        if a["number"] < b["number"] and a["customer"] == b["customer"]
        and taken.count((a["customer"], a["subject"])) == 1
    ]  # fmt: skip
    if pairs:
        older, newer = rng.choice(pairs)
        newer |= {"subject": older["subject"], "product": older["product"]}


def _draw_twins(world: Company, rng: random.Random, state: State) -> Params:
    pairs = _twins(state)
    if not pairs:
        raise Redraw("nobody wrote twice")
    older, newer = rng.choice(pairs)
    return _known(state, newer) | {"into": older["id"], "into_number": older["number"]}


def _merge_into(page: Page, number: str) -> ways.Way:
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "it is there twice", "Merge ticket")
    return (yield from ways.open_link(page, "into this one", number))


def _merge_twins(page: Page, p: Params) -> Script:
    page = yield from _to_subject(page, p)
    page = yield from _merge_into(page, p["into_number"])
    yield from ways.sure(page, "Merge them")
    return None


def _expect_merge(world: Company, p: Params, state: State) -> None:
    rules.merge(_mine(state), p["ticket"], p["into"], world.user.name, world.today)


def _draw_foreign(world: Company, rng: random.Random, state: State) -> Params:
    """Tickets of two customers with one subject."""
    ticket = _pick(rng, state, _closable(_mine(state)))
    into = _pick(
        rng, state,
        lambda t: _live(t) and t["subject"] == ticket["subject"]
        and t["customer"] != ticket["customer"],
    )  # fmt: skip
    return _known(state, ticket) | {"into": into["id"], "into_number": into["number"]}


def _make_foreign(world: Company, rng: random.Random, state: State) -> None:
    part = _mine(state)
    live = [t for t in part["tickets"] if _closable(part)(t)]
    first = rng.choice(live)
    other = rng.choice([t for t in live if t["customer"] != first["customer"]])
    other |= {"subject": first["subject"], "product": first["product"]}


def _merge_foreign(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "it may be the same", "Merge ticket")
    page = yield from ways.fill(page, {"Into ticket": p["into_number"]})
    page = yield from ways.press(page, "what would happen", "Look it up")
    if page.says("Tickets of different customers") is not None:
        raise GiveUp("tickets of different customers cannot be merged")
    return None


def _draw_family(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    return _known(
        state, _pick(rng, state, lambda t: _live(t) and bool(rules.unfinished(part, t["id"])))
    )


def _close_family(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.sure(page, "Close ticket")
    if page.says(f"{p['number']} has a sub-ticket") is not None:
        raise GiveUp("it has a sub-ticket that is not solved")
    return None


def _draw_link(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    parents = {t["parent"] for t in part["tickets"]}
    ticket = _pick(rng, state, lambda t: _live(t) and not t["parent"] and t["id"] not in parents)
    other = _pick(rng, state, lambda t: _live(t) and not t["parent"] and t is not ticket)
    return _known(state, ticket) | {"into": other["id"], "into_number": other["number"]}


def _link(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "it belongs to another", "Set parent")
    page = yield from ways.fill(page, {"Parent ticket": p["into_number"]})
    yield from ways.press(page, "save it", "Save parent")
    return None


def _serials(ticket: Ticket) -> list[str]:
    start = "Serial number: "
    return [x["text"].removeprefix(start) for x in ticket["posts"] if x["text"].startswith(start)]


def _draw_serial(world: Company, rng: random.Random, state: State) -> Params:
    ticket = _pick(rng, state, lambda t: len(_serials(t)) == 1)
    into = _pick(rng, state, lambda t: _live(t) and t is not ticket)
    return _known(state, ticket) | {"into": into["id"], "into_number": into["number"]}


def _expect_serial(world: Company, p: Params, state: State) -> None:
    serial = _serials(rules.one(_mine(state), "tickets", p["ticket"]))[0]
    rules.post(_mine(state), p["into"], NOTE, serial, world.user.name, world.today)


def _copy_serial(page: Page, p: Params) -> Script:
    page = yield from _to_ticket(page, p["number"])
    while page.says("Serial number: ") is None and page.goes_on_below:
        page = yield from _down(page)
    serial = ways.value_of(page, "Serial number:")
    page = yield from _to_ticket(page, p["into_number"])
    page = yield from ways.open_link(page, "write on it", "Write")
    yield from _write(page, {"Text": serial, "Send as": "Internal note"})
    return None


# Several tickets.


def _keys(p: Params) -> list[str]:
    keys: list[str] = p["keys"]
    return keys


def _waiting_of(part: State, key: str) -> list[Ticket]:
    return [t for t in part["tickets"] if t["customer"] == key and t["status"] == WAITING]


def _make_waiting(world: Company, rng: random.Random, state: State) -> None:
    """One customer has three tickets that wait, and each can be closed."""
    part = _mine(state)
    names = [c["name"] for c in part["customers"]]
    alone = [c["id"] for c in part["customers"] if names.count(c["name"]) == 1]
    busy = max(alone, key=lambda key: sum(t["customer"] == key for t in part["tickets"]))
    theirs = [t for t in part["tickets"] if t["customer"] == busy and t["status"] != CLOSED]
    free = [t for t in part["tickets"] if t["customer"] != busy and t["status"] == SOLVED]
    while len(theirs) < 3:
        theirs.append(free.pop())
        theirs[-1]["customer"] = busy
    for ticket in part["tickets"]:
        if ticket["parent"] in [t["id"] for t in theirs]:
            ticket["parent"] = None
    agent = next(a for a in part["agents"] if not a["away"])
    for index, ticket in enumerate(theirs):
        ticket |= {"status": WAITING if index < 3 else OPEN}
        ticket["assignee"] = ticket["assignee"] or agent["id"]


def _draw_waiting(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    fits = [
        c for c in part["customers"]
        if len(w := _waiting_of(part, c["id"])) == 3 and all(map(_closable(part), w))
        and [x["name"] for x in part["customers"]].count(c["name"]) == 1
    ]  # fmt: skip
    if not fits:
        raise Redraw("no customer has three tickets that wait")
    who = rng.choice(fits)
    return {"customer": who["id"], "name": who["name"], "org": who["org"],
            "keys": [t["id"] for t in _waiting_of(part, who["id"])]}  # fmt: skip


def _expect_closed(world: Company, p: Params, state: State) -> None:
    for key in _keys(p):
        rules.update(_mine(state), key, CLOSED)


def _close_waiting(page: Page, p: Params) -> Script:
    def close(page: Page) -> ways.Way:
        page = yield from ways.press(page, "what else there is", "More")
        return (yield from ways.sure(page, "Close ticket"))

    page = yield from _listed(page, f"{p['name']} {p['org']}", Status=WAITING)
    yield from _each(page, close)
    return None


def _low_new(part: State, product: str) -> list[Ticket]:
    return [
        t for t in part["tickets"]
        if t["product"] == product and t["status"] == NEW and t["priority"] == "Low"
    ]  # fmt: skip


def _make_low(world: Company, rng: random.Random, state: State) -> None:
    """The product with the most new tickets has two that are low."""
    new = [t for t in _mine(state)["tickets"] if t["status"] == NEW]
    product = max(PRODUCTS, key=lambda name: sum(t["product"] == name for t in new))
    for index, ticket in enumerate([t for t in new if t["product"] == product]):
        ticket["priority"] = "Low" if index < 2 else "Normal"


def _draw_low(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    fits = [product for product in PRODUCTS if len(_low_new(part, product)) == 2]
    if not fits:
        raise Redraw("no product has two new tickets that are low")
    product = rng.choice(fits)
    return {"product": product, "keys": [t["id"] for t in _low_new(part, product)],
            "priority": rng.choice(("High", "Urgent"))}  # fmt: skip


def _expect_raised(world: Company, p: Params, state: State) -> None:
    for key in _keys(p):
        rules.update(_mine(state), key, priority=p["priority"])


def _raise_low(page: Page, p: Params) -> Script:
    page = yield from _listed(page, p["product"], Status=NEW, Priority="Low")
    yield from _each(page, lambda page: _save(page, Priority=p["priority"]))
    return None


def _urgent_of(part: State, key: str) -> list[Ticket]:
    return [
        t for t in part["tickets"]
        if t["assignee"] == key and t["status"] == OPEN and t["priority"] == "Urgent"
    ]  # fmt: skip


def _make_urgent(world: Company, rng: random.Random, state: State) -> None:
    """One agent has two open tickets that are urgent."""
    part = _mine(state)
    agent = rng.choice(part["agents"])["id"]
    mine = [t for t in part["tickets"] if t["status"] == OPEN and t["assignee"] == agent]
    others = [t for t in part["tickets"] if t["status"] == OPEN and t["assignee"] != agent]
    while len(mine) < 2:
        mine.append(others.pop())
    for index, ticket in enumerate(mine):
        ticket |= {"assignee": agent, "priority": "Urgent" if index < 2 else "High"}


def _draw_hand_over(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    fits = [a for a in part["agents"] if len(_urgent_of(part, a["id"])) == 2]
    if not fits:
        raise Redraw("no agent has two urgent tickets")
    giver = rng.choice(fits)
    return _an_agent(rng, state, giver["id"]) | {
        "giver": giver["name"],
        "keys": [t["id"] for t in _urgent_of(part, giver["id"])],
    }


def _expect_handed_over(world: Company, p: Params, state: State) -> None:
    for key in _keys(p):
        rules.update(_mine(state), key, assignee=p["agent"])


def _hand_over(page: Page, p: Params) -> Script:
    page = yield from _listed(page, "", Assignee=p["giver"], Priority="Urgent", Status=OPEN)
    yield from _each(page, lambda page: _save(page, Assignee=p["agent_name"]))
    return None


# Questions.


def _of_agent(state: State, name: str, status: str) -> list[Ticket]:
    part = _mine(state)
    return [t for t in part["tickets"] if t["status"] == status and agent_name(part, t) == name]


def _draw_count(world: Company, rng: random.Random, state: State) -> Params:
    name = rng.choice(_mine(state)["agents"])["name"]
    status = rng.choice((OPEN, WAITING, SOLVED))
    if not _of_agent(state, name, status):
        raise Redraw("nobody has a ticket")
    return {"agent_name": name, "status": status}


def _read_count(page: Page, p: Params) -> Script:
    page = yield from _listed(page, "", Status=p["status"], Assignee=p["agent_name"])
    return str(_count(page))


def _draw_load(world: Company, rng: random.Random, state: State) -> Params:
    first, second = (a["name"] for a in rng.sample(_mine(state)["agents"], 2))
    status = rng.choice((OPEN, CLOSED))
    if len(_of_agent(state, first, status)) == len(_of_agent(state, second, status)):
        raise Redraw("all agents have equally many tickets")
    return {"first": first, "second": second, "status": status}


def _more_loaded(world: Company, p: Params, before: State) -> str:
    names = (p["first"], p["second"])
    return str(max(names, key=lambda name: len(_of_agent(before, name, p["status"]))))


def _compare_load(page: Page, p: Params) -> Script:
    counts = []
    page = yield from _listed(page, "", Status=p["status"])
    for name in (p["first"], p["second"]):
        page = yield from ways.narrow(page, "Assignee", name)
        counts.append(_count(page))
    return str(p["first"] if counts[0] > counts[1] else p["second"])


def _late_of(world: Company, part: State) -> dict[str, int]:
    late = [t for t in part["tickets"] if t["assignee"] and rules.is_overdue(t, world.today)]
    return {a["name"]: sum(t["assignee"] == a["id"] for t in late) for a in part["agents"]}


def _make_latest(world: Company, rng: random.Random, state: State) -> None:
    """One agent has more overdue tickets than any other."""
    part = _mine(state)
    agent = rng.choice(part["agents"])
    late = [t for t in part["tickets"] if rules.is_overdue(t, world.today)]
    for ticket in late:
        counts = _late_of(world, part)
        most = max(count for name, count in counts.items() if name != agent["name"])
        if counts[agent["name"]] > most:
            break
        if ticket["assignee"]:
            ticket["assignee"] = agent["id"]


def _draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    return {}


def _most_late(world: Company, p: Params, before: State) -> str:
    counts = _late_of(world, _mine(before))
    return max(counts, key=lambda name: counts[name])


def _read_most_late(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Deadlines")
    counts: dict[str, int] = {}
    inside = False
    for line in page.lines:
        if line.role == "heading":
            inside = line.name == "Overdue by assignee"
        elif inside:
            name, _, count = line.name.rpartition(" ")
            counts[name] = int(count)
    counts.pop("Nobody", None)
    return max(counts, key=lambda name: counts[name])


def _draw_first_due(world: Company, rng: random.Random, state: State) -> Params:
    name = rng.choice(_mine(state)["agents"])["name"]
    days = sorted(t["due"] for t in _of_agent(state, name, OPEN))
    if len(days) < 3 or days[0] == days[1]:
        raise Redraw("two tickets are due on the same day")
    return {"agent_name": name}


def _first_due(world: Company, p: Params, before: State) -> str:
    return str(min(_of_agent(before, p["agent_name"], OPEN), key=lambda t: t["due"])["number"])


def _find_first_due(page: Page, p: Params) -> Script:
    page = yield from _listed(page, "", Assignee=p["agent_name"], Status=OPEN, Sort="Due first")
    return _rows(page)[0][0]


# Board and canned replies.


def _draw_card(world: Company, rng: random.Random, state: State) -> Params:
    """One of the first three cards of an agent's column."""
    part = _mine(state)
    agent = rng.choice(part["agents"])
    status = rng.choice((OPEN, WAITING))
    cards = sorted(_of_agent(state, agent["name"], status), key=lambda t: t["due"])[:3]
    if not cards:
        raise Redraw("no agent has a card")
    return _known(state, rng.choice(cards)) | {
        "agent_name": agent["name"],
        "from": status,
        "status": OPEN if status == WAITING else WAITING,
    }


def _move_card(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Board")
    for _ in range(3):
        page = yield from ways.narrow(page, "Assignee", p["agent_name"])
        page, card = yield from ways.seek(page, "link", p["number"])
        column = page.find_prefix("link", f"{p['status']}: ")
        if column is None:
            raise OracleLost("the columns' names are out of sight")
        path = (page.target(card), page.target(column))
        page = yield OracleMove(f"drag it to {p['status']}", Drag(path=path))
        if page.says("✓ ") is not None:
            return None
    raise OracleLost("the card does not move")


def _draw_new_canned(world: Company, rng: random.Random, state: State) -> Params:
    title, text = rng.choice(NEW_CANNED)
    return {"title": title, "text": text}


def _create_canned(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Canned replies")
    page = yield from ways.open_link(page, "a new one", "New canned reply")
    page = yield from ways.fill(page, {"Title": p["title"], "Text": p["text"]})
    yield from ways.press(page, "create it", "Create reply")
    return None


TEMPLATES = (
    Template(
        "assign_ticket", ("search", "form"), 7,
        ("Assign the ticket {number} to {agent_name}.",
         "{agent_name} takes over {number} ({subject}). Set the assignee.",
         "Give ticket {number} of {org} to {agent_name}."),
        _draw_assign, _assign, (TICKETS, TICKET, FINISHED),
        lambda world, p, state: rules.update(_mine(state), p["ticket"], assignee=p["agent"]),
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
            _mine(state), p["ticket"], p["status"], p["priority"]
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
    Template(
        "merge_twins", ("search", "compare", "menu", "dialog"), 10,
        ('{name} of {org} wrote twice about "{subject}". Merge the newer ticket into the older.',
         'There are two tickets "{subject}" of {name} ({org}). Merge the newer one into the older '
         "one."),
        _draw_twins, _merge_twins, (TICKETS, TICKET, FINISHED), _expect_merge,
        prepare=_make_twins,
    ),
    Template(
        "merge_strangers", ("search", "menu", "refuse"), 9,
        ("Merge ticket {number} into {into_number}, if the rules allow it.",
         "{number} and {into_number} look the same. Merge the first into the second, or say that "
         "it cannot be done."),
        _draw_foreign, _merge_foreign, (TICKETS, TICKET, FINISHED), infeasible=True,
        must_see=("desk:merge:{ticket}:{into}",), prepare=_make_foreign,
    ),
    Template(
        "close_parent", ("search", "menu", "dialog", "refuse"), 7,
        ("Close the ticket {number}. Leave all other tickets as they are. If it cannot be closed, "
         "say so.",
         "{number} should be closed, without touching any other ticket. Report it if that is not "
         "possible."),
        _draw_family, _close_family, (TICKETS, TICKET, FINISHED), infeasible=True,
        must_see=("desk:ticket:{ticket}",),
    ),
    Template(
        "set_parent", ("search", "menu", "form"), 9,
        ("Make {number} a sub-ticket of {into_number}.",
         "The parent of ticket {number} is {into_number}. Link them."),
        _draw_link, _link, (TICKETS, TICKET, FINISHED),
        lambda world, p, state: rules.link_parent(_mine(state), p["ticket"], p["into"]),
    ),
    Template(
        "copy_serial", ("search", "recall", "form"), 14,
        ("The customer gave a serial number in {number}. Leave it as an internal note on "
         "{into_number}: the serial number alone.",
         "Look up the serial number in ticket {number} and write just that, as an internal note, "
         "on {into_number}."),
        _draw_serial, _copy_serial, (TICKETS, TICKET, FINISHED), _expect_serial,
    ),
    Template(
        "close_waiting", ("search", "filter", "multi-step", "menu", "dialog"), 23,
        ("Close all tickets of {name} ({org}) that are Waiting.",
         "{name} of {org} does not answer any more: close every ticket of this customer that "
         "waits."),
        _draw_waiting, _close_waiting, (TICKETS, FINISHED), _expect_closed,
        prepare=_make_waiting,
    ),
    Template(
        "raise_low", ("search", "filter", "multi-step"), 16,
        ("Set all New tickets about the {product} that have priority Low to {priority}.",
         "Every New ticket for the product {product} whose priority is Low becomes {priority}. "
         "Change them."),
        _draw_low, _raise_low, (TICKETS, FINISHED), _expect_raised, prepare=_make_low,
    ),
    Template(
        "hand_over", ("filter", "multi-step", "form"), 19,
        ("Give all Open tickets of {giver} that are Urgent to {agent_name}.",
         "{agent_name} takes over from {giver} whatever is Urgent and Open. Change the "
         "assignees."),
        _draw_hand_over, _hand_over, (TICKETS, FINISHED), _expect_handed_over,
        prepare=_make_urgent,
    ),
    Template(
        "count_tickets", ("filter", "answer"), 6,
        ("How many tickets of {agent_name} have the status {status}?",
         "Count the tickets assigned to {agent_name} that are {status}."),
        _draw_count, _read_count, (TICKETS, FINISHED), answer_kind="number",
        answer=lambda world, p, before: str(
            len(_of_agent(before, p["agent_name"], p["status"]))
        ),
    ),
    Template(
        "compare_load", ("filter", "compare", "answer"), 8,
        ("Who has more tickets with the status {status}: {first} or {second}?",
         "Compare {first} and {second}: which of them has more tickets that are {status}? Answer "
         "with the name."),
        _draw_load, _compare_load, (TICKETS, FINISHED), answer=_more_loaded,
    ),
    Template(
        "most_overdue", ("compare", "answer"), 2,
        ("Which assignee has the most overdue tickets?",
         "Who of the support agents has most overdue tickets? Answer with the name."),
        _draw_nothing, _read_most_late, (("deadlines", saw("desk:deadlines")), FINISHED),
        answer=_most_late, prepare=_make_latest,
    ),
    Template(
        "first_due", ("filter", "sort", "answer"), 8,
        ("Which of the Open tickets of {agent_name} is due first? Answer with its number.",
         "Give the number of the ticket with status Open that {agent_name} has to finish first, by "
         "its due day."),
        _draw_first_due, _find_first_due, (TICKETS, FINISHED), answer=_first_due,
    ),
    Template(
        "drag_card", ("drag", "filter"), 6,
        ("On the board of {agent_name}, drag the card {number} from {from} to {status}.",
         "Move {number} to the column {status} on the board. Its assignee is {agent_name}."),
        _draw_card, _move_card, (("board", saw("desk:board")), FINISHED),
        lambda world, p, state: rules.update(_mine(state), p["ticket"], p["status"]),
        calls=lambda p: [Tool(name="desk.set_status", arguments={"number": p["number"],
                                                                 "status": p["status"]})],
    ),
    Template(
        "new_canned_reply", ("form",), 6,
        ('Create a canned reply "{title}" with the text "{text}".',
         'Add "{title}" to the canned replies. Its text: "{text}"'),
        _draw_new_canned, _create_canned, (("canned", saw("desk:canned")), FINISHED),
        lambda world, p, state: rules.save_canned(_mine(state), None, p["title"], p["text"]),
    ),
)  # fmt: skip
