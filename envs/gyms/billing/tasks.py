"""Billing's task templates, each with its oracle."""

from __future__ import annotations

import random
from typing import Any

from envs.actions import Tool
from envs.gyms.billing import rules
from envs.gyms.billing.app import schedule_name
from envs.gyms.billing.data import DRAFT, EVERY, METHODS, PAID, SENT, SERVICES, TERMS
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

INVOICES = ("invoices", saw("billing:invoices"))
INVOICE = ("invoice", saw("billing:invoice:{invoice}"))
CUSTOMER = ("customer", saw("billing:customer:{customer}"))
SCHEDULE = ("schedule", saw("billing:schedule:{schedule}"))


def _mine(state: State) -> State:
    part: State = state["billing"]
    return part


def _an_invoice(world: Company, rng: random.Random, state: State, status: str) -> dict[str, Any]:
    fits = [i for i in _mine(state)["invoices"] if i["status"] == status]
    if not fits:
        raise Redraw(f"there is no invoice that is {status}")
    found: dict[str, Any] = rng.choice(fits)
    return found


def _invoice_params(world: Company, state: State, invoice: dict[str, Any]) -> Params:
    buyer = one(_mine(state), "customers", invoice["customer"])
    return {"invoice": invoice["id"], "number": invoice["number"], "customer": buyer["id"],
            "name": buyer["name"]}  # fmt: skip


def _to_invoice(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Invoices")
    page = yield from ways.search(page, p["number"])
    return (yield from ways.open_item(page, p["number"]))


def _to_customer(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Customers")
    page = yield from ways.search(page, p["name"])
    return (yield from ways.open_item(page, p["name"]))


# Payments.


def _draw_payment(world: Company, rng: random.Random, state: State) -> Params:
    invoice = _an_invoice(world, rng, state, SENT)
    return _invoice_params(world, state, invoice) | {
        "cents": rules.open_of(_mine(state), invoice),
        "amount": world.look.money(rules.open_of(_mine(state), invoice)),
        "method": rng.choice(METHODS),
        "day": world.today,
    }


def _draw_part_payment(world: Company, rng: random.Random, state: State) -> Params:
    params = _draw_payment(world, rng, state)
    if params["cents"] < 6000:
        raise Redraw("the invoice is too small to be paid in parts")
    cents = rng.randrange(1000, params["cents"] - 1000, 50)
    day = world.day(-rng.randint(1, 20))
    return params | {"cents": cents, "amount": world.look.money(cents), "day": day,
                     "date": world.look.date(day)}  # fmt: skip


def _expect_payment(world: Company, p: Params, state: State) -> None:
    rules.record_payment(_mine(state), p["invoice"], p["cents"], p["method"], p["day"])


def _pay(page: Page, p: Params) -> Script:
    page = yield from _to_invoice(page, p)
    page = yield from ways.open_link(page, "a payment came in", "Record payment")
    fields = {"Amount": p["amount"], "Method": p["method"]}
    if "date" in p:
        fields["Paid on"] = p["date"]
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save payment")
    return None


def _pay_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "cents": p["cents"], "method": p["method"]}
    return [Tool(name="billing.record_payment", arguments=arguments)]


def _draw_paid(world: Company, rng: random.Random, state: State) -> Params:
    return _invoice_params(world, state, _an_invoice(world, rng, state, PAID)) | {
        "method": rng.choice(METHODS)
    }


def _pay_again(page: Page, p: Params) -> Script:
    page = yield from _to_invoice(page, p)
    if page.says("Status Paid") is not None:
        raise GiveUp("the invoice is paid already")
    return None


# Drafts.


def _draw_draft(world: Company, rng: random.Random, state: State) -> Params:
    invoice = _an_invoice(world, rng, state, DRAFT)
    if one(_mine(state), "customers", invoice["customer"])["hold"]:
        raise Redraw("the customers of all drafts are on hold")
    return _invoice_params(world, state, invoice)


def _send(page: Page, p: Params) -> Script:
    page = yield from _to_invoice(page, p)
    yield from ways.press(page, "it can go out", "Send invoice")
    return None


def _draw_unpaid(world: Company, rng: random.Random, state: State) -> Params:
    invoice = _an_invoice(world, rng, state, SENT)
    if rules.paid_of(_mine(state), invoice):
        raise Redraw("all open invoices are paid in part")
    return _invoice_params(world, state, invoice)


def _void(page: Page, p: Params) -> Script:
    page = yield from _to_invoice(page, p)
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Void invoice")
    return None


def _draw_new(world: Company, rng: random.Random, state: State) -> Params:
    buyer = rng.choice(_mine(state)["customers"])
    cents = rng.randrange(2000, 90000, 50)
    return {
        "customer": buyer["id"], "name": buyer["name"], "service": rng.choice(SERVICES),
        "qty": rng.randint(2, 12), "cents": cents, "price": world.look.money(cents),
    }  # fmt: skip


def _create(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Invoices")
    page = yield from ways.open_link(page, "a new one", "New invoice")
    fields = {"Customer": p["name"], "Service": p["service"], "Quantity": str(p["qty"]),
              "Price": p["price"]}  # fmt: skip
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "create it", "Create draft")
    return None


# Customers.


def _draw_customer(world: Company, rng: random.Random, state: State) -> Params:
    buyer = rng.choice(_mine(state)["customers"])
    others = [firm.contact for firm in world.firms if firm.contact != buyer["contact"]]
    contact = rng.choice(others)
    first, last = contact.lower().split()
    return {
        "customer": buyer["id"],
        "name": buyer["name"],
        "contact": contact,
        "email": f"{first}.{last}@{buyer['email'].partition('@')[2]}",
        "old_terms": buyer["terms"],
        "terms": rng.choice([days for days in TERMS if days != buyer["terms"]]),
    }


def _expect_contact(world: Company, p: Params, state: State) -> None:
    rules.edit_customer(_mine(state), p["customer"], p["contact"], p["email"], p["old_terms"])


def _edit(page: Page, p: Params, fields: dict[str, str]) -> Script:
    page = yield from _to_customer(page, p)
    page = yield from ways.open_link(page, "change it", "Edit customer")
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save customer")
    return None


def _change_contact(page: Page, p: Params) -> Script:
    return (yield from _edit(page, p, {"Contact": p["contact"], "E-mail": p["email"]}))


def _draw_free(world: Company, rng: random.Random, state: State) -> Params:
    buyer = rng.choice([c for c in _mine(state)["customers"] if not c["hold"]])
    return {"customer": buyer["id"], "name": buyer["name"]}


def _hold(page: Page, p: Params) -> Script:
    page = yield from _to_customer(page, p)
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Put on hold")
    return None


def _draw_debtor(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    owed = [i["customer"] for i in part["invoices"] if rules.open_of(part, i)]
    several = sorted({key for key in owed if owed.count(key) > 1})
    if not several:
        raise Redraw("no customer has two open invoices")
    buyer = one(part, "customers", rng.choice(several))
    return {"customer": buyer["id"], "name": buyer["name"]}


def _owed(world: Company, p: Params, before: State) -> str:
    part = _mine(before)
    mine = [i for i in part["invoices"] if i["customer"] == p["customer"]]
    return str(sum(rules.open_of(part, i) for i in mine))


def _read_owed(page: Page, p: Params) -> Script:
    page = yield from _to_customer(page, p)
    return ways.value_of(page, "Open amount")


def _draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    return {}


def _make_one_the_latest(world: Company, rng: random.Random, state: State) -> None:
    """One invoice is overdue longer than all others."""
    unpaid = [i for i in _mine(state)["invoices"] if i["status"] == SENT]
    oldest = min(unpaid, key=lambda i: i["due"])
    oldest["due"] = world.day(-(200 + rng.randint(0, 30)))
    oldest["date"] = world.day(-260)


def _latest(world: Company, p: Params, before: State) -> str:
    late = [i for i in _mine(before)["invoices"] if rules.is_overdue(i, world.today)]
    return str(min(late, key=lambda i: i["due"])["number"])


def _find_latest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Invoices")
    page = yield from ways.narrow(page, "Status", "Overdue")
    page = yield from ways.narrow(page, "Sort", "Due first", "the oldest first")
    first = next(line for line in page.of("link") if line.name.startswith("INV-"))
    return first.name


# Schedules.


def _draw_schedule(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    names = [schedule_name(s, one(part, "customers", s["customer"])) for s in part["schedules"]]
    alone = [s for s, name in zip(part["schedules"], names, strict=True)
             if names.count(name) == 1 and s["active"]]  # fmt: skip
    chosen = rng.choice(alone)
    cents = chosen["amount"] + rng.randrange(500, 20000, 500)
    next_day = world.day(rng.randint(5, 100))
    return {
        "schedule": chosen["id"],
        "name": names[part["schedules"].index(chosen)],
        "cents": cents,
        "amount": world.look.money(cents),
        "every": rng.choice([e for e in EVERY if e != chosen["every"]]),
        "old_every": chosen["every"],
        "old_next": chosen["next"],
        "next": next_day,
        "date": world.look.date(next_day),
    }


def _to_schedule(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Schedules")
    page = yield from ways.search(page, p["name"].partition(":")[0])
    return (yield from ways.open_item(page, p["name"]))


def _pause(page: Page, p: Params) -> Script:
    page = yield from _to_schedule(page, p)
    yield from ways.sure(page, "Pause schedule")
    return None


def _reschedule(page: Page, p: Params) -> Script:
    page = yield from _to_schedule(page, p)
    page = yield from ways.fill(
        page, {"Amount": p["amount"], "Every": p["every"], "Next invoice": p["date"]}
    )
    yield from ways.press(page, "save it", "Save schedule")
    return None


TEMPLATES = (
    Template(
        "pay_invoice", ("search", "form"), 8,
        ("Invoice {number} was paid in full today ({amount}) by {method}. Record it.",
         "Record that {name} paid {number} today: {amount}, {method}."),
        _draw_payment, _pay, (INVOICES, INVOICE, FINISHED), _expect_payment, calls=_pay_calls,
    ),
    Template(
        "pay_part", ("search", "form", "date"), 9,
        ("{name} paid {amount} of invoice {number} on {date} by {method}. Record the payment.",
         "Book a part payment on {number}: {amount} on {date}, {method}."),
        _draw_part_payment, _pay, (INVOICES, INVOICE, FINISHED), _expect_payment,
    ),
    Template(
        "pay_twice", ("search", "refuse"), 5,
        ("Record a payment of today by {method} for the open amount of invoice {number}. If "
         "nothing is open, say that it cannot be done.",
         "Book what is still open of {number} as paid today by {method}, if anything is."),
        _draw_paid, _pay_again, (INVOICES, INVOICE, FINISHED), infeasible=True,
        must_see=("billing:invoice:{invoice}",),
    ),
    Template(
        "send_draft", ("search",), 5,
        ("Send the draft invoice {number}.", "The draft {number} for {name} is right: send it."),
        _draw_draft, _send, (INVOICES, INVOICE, FINISHED),
        lambda world, p, state: rules.send(_mine(state), p["invoice"]),
        calls=lambda p: [Tool(name="billing.send_invoice", arguments={"number": p["number"]})],
    ),
    Template(
        "void_invoice", ("search", "menu", "dialog"), 7,
        ("Void the invoice {number} of {name}.", "Invoice {number} was a mistake. Void it."),
        _draw_unpaid, _void, (INVOICES, INVOICE, FINISHED),
        lambda world, p, state: rules.void(_mine(state), p["invoice"]),
    ),
    Template(
        "new_invoice", ("form",), 9,
        ("Create a draft invoice for {name}: {qty} x {service} at {price} each.",
         "{name} ordered {qty} times {service}, {price} each. Make a draft invoice."),
        _draw_new, _create, (INVOICES, FINISHED),
        lambda world, p, state: rules.create_invoice(
            _mine(state), p["customer"], p["service"], p["qty"], p["cents"], world.today
        ),
    ),
    Template(
        "change_contact", ("search", "form"), 9,
        ("The contact at {name} is now {contact}, {email}. Update the customer.",
         "Set contact {contact} and e-mail {email} for the customer {name}."),
        _draw_customer, _change_contact, (CUSTOMER, FINISHED), _expect_contact,
    ),
    Template(
        "hold_customer", ("search", "menu", "dialog"), 7,
        ("Put the customer {name} on hold.", "{name} does not pay: put it on hold."),
        _draw_free, _hold, (CUSTOMER, FINISHED),
        lambda world, p, state: rules.set_hold(_mine(state), p["customer"], True),
    ),
    Template(
        "open_amount", ("search", "answer"), 5,
        ("How much does {name} still owe in all?", "What is the open amount of {name}?"),
        _draw_debtor, _read_owed, (CUSTOMER, FINISHED), answer=_owed, answer_kind="money",
    ),
    Template(
        "longest_overdue", ("filter", "sort", "answer"), 7,
        ("Which invoice is overdue the longest? Answer with its number.",
         "Give the number of the overdue invoice that was due first."),
        _draw_nothing, _find_latest, (INVOICES, FINISHED), answer=_latest,
        prepare=_make_one_the_latest,
    ),
    Template(
        "pause_schedule", ("search", "dialog"), 6,
        ("Pause the schedule {name}.", "Stop billing {name} for the time being."),
        _draw_schedule, _pause, (SCHEDULE, FINISHED),
        lambda world, p, state: rules.set_active(_mine(state), p["schedule"], False),
    ),
    Template(
        "reschedule", ("search", "form", "date"), 9,
        ("Change the schedule {name}: {amount}, {every}, next invoice on {date}.",
         "From {date} on {name} is billed {amount}, {every}. Change its schedule."),
        _draw_schedule, _reschedule, (SCHEDULE, FINISHED),
        lambda world, p, state: rules.edit_schedule(
            _mine(state), p["schedule"], p["cents"], p["every"], p["next"], world.today
        ),
    ),
)  # fmt: skip
