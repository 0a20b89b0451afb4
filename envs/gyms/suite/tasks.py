"""Tasks that cross apps: what one app says is needed in another one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from envs.gyms.billing import rules as billing
from envs.gyms.billing.data import METHODS, PAID, SENT
from envs.gyms.gym import OracleLost, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import next_id
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.mail import rules as mail
from envs.gyms.mail.data import INBOX, TOPICS, label_of
from envs.gyms.view import Page

ADVICE, CONTACT, ACCOUNT = "Payment advice", "Our new contact", "Question about our account"
READ = ("message", saw("mail:message:{message}"))
INVOICE = ("invoice", saw("billing:invoice:{invoice}"))
CUSTOMER = ("customer", saw("billing:customer:{customer}"))


def _arrives(world: Company, state: State, firm: str, subject: str, lines: list[str]) -> None:
    """A message of a firm's contact, the newest of all."""
    sender = world.firm(firm)
    messages = state["mail"]["messages"]
    messages.append(
        {
            "id": next_id(messages, "m"),
            "thread": next_id([{"id": m["thread"]} for m in messages], "t"),
            "folder": INBOX,
            "name": sender.contact,
            "email": sender.email,
            "to": [world.user.email],
            "cc": [],
            "subject": subject,
            "body": "\n".join((*lines, f"Company {sender.name}")),
            "at": f"{world.today} 16:30",
            "starred": False,
            "unread": True,
            "label": "",
            "file": None,
        }
    )


def _told(world: Company, state: State) -> Params:
    message = state["mail"]["messages"][-1]
    return {
        "message": message["id"],
        "label": label_of(world, message),
        "subject": message["subject"],
        "sender": message["name"],
    }


def _to_message(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "All mail")
    page = yield from ways.search(page, p["subject"])
    return (yield from ways.open_item(page, p["label"]))


def _to_customer(page: Page, name: str) -> ways.Way:
    page = yield from ways.go(page, "Billing")
    page = yield from ways.go(page, "Customers")
    page = yield from ways.search(page, name)
    return (yield from ways.open_item(page, name))


# A payment advice.


def _advise(status: str) -> Callable[[Company, random.Random, State], None]:
    """A firm writes that it paid an invoice, which is open, or paid already."""

    def prepare(world: Company, rng: random.Random, state: State) -> None:
        part = state["billing"]
        fits = [i for i in part["invoices"] if i["status"] == status]
        invoice = rng.choice(fits)
        lines = [
            f"Invoice {invoice['number']}", f"Amount {world.look.money(invoice['total'])}",
            f"Method {rng.choice(METHODS)}",
            f"Day {world.look.date(world.day(-rng.randint(1, 5)))}",
        ]  # fmt: skip
        _arrives(world, state, invoice["customer"], ADVICE, lines)

    return prepare


def _draw_advice(world: Company, rng: random.Random, state: State) -> Params:
    words = dict(line.split(" ", 1) for line in state["mail"]["messages"][-1]["body"].split("\n"))
    invoice = next(i for i in state["billing"]["invoices"] if i["number"] == words["Invoice"])
    return _told(world, state) | {
        "invoice": invoice["id"],
        "firm": words["Company"],
        "cents": invoice["total"],
        "method": words["Method"],
        "day": world.look.read_date(words["Day"]),
    }


def _expect_payment(world: Company, p: Params, state: State) -> None:
    billing.record_payment(state["billing"], p["invoice"], p["cents"], p["method"], p["day"])


def _book(page: Page, p: Params) -> Script:
    page = yield from _to_message(page, p)
    number = ways.value_of(page, "Invoice")
    fields = {"Amount": ways.value_of(page, "Amount"), "Paid on": ways.value_of(page, "Day"),
              "Method": ways.value_of(page, "Method")}  # fmt: skip
    page = yield from ways.go(page, "Billing")
    page = yield from ways.go(page, "Invoices")
    page = yield from ways.search(page, number)
    page = yield from ways.open_item(page, number)
    if page.says("Status Paid") is not None:
        raise GiveUp("the invoice is paid already")
    page = yield from ways.open_link(page, "it was paid", "Record payment")
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save payment")
    return None


# A new contact.


def _announce_contact(world: Company, rng: random.Random, state: State) -> None:
    firm = rng.choice(world.firms)
    name = rng.choice([other.contact for other in world.firms if other.contact != firm.contact])
    address = f"{name.lower().replace(' ', '.')}@{firm.email.partition('@')[2]}"
    _arrives(world, state, firm.id, CONTACT, [f"Contact {name}", f"Address {address}"])


def _draw_contact(world: Company, rng: random.Random, state: State) -> Params:
    words = dict(line.split(" ", 1) for line in state["mail"]["messages"][-1]["body"].split("\n"))
    customer = next(c for c in state["billing"]["customers"] if c["name"] == words["Company"])
    return _told(world, state) | {
        "firm": customer["name"], "customer": customer["id"], "contact": words["Contact"],
        "email": words["Address"], "terms": customer["terms"],
    }  # fmt: skip


def _expect_contact(world: Company, p: Params, state: State) -> None:
    billing.edit_customer(state["billing"], p["customer"], p["contact"], p["email"], p["terms"])


def _change_contact(page: Page, p: Params) -> Script:
    page = yield from _to_message(page, p)
    fields = {"Contact": ways.value_of(page, "Contact"), "E-mail": ways.value_of(page, "Address")}
    page = yield from _to_customer(page, p["firm"])
    page = yield from ways.open_link(page, "change it", "Edit customer")
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save customer")
    return None


# A question about an account.


def _ask_about_account(world: Company, rng: random.Random, state: State) -> None:
    part = state["billing"]
    owing = [i["customer"] for i in part["invoices"] if billing.open_of(part, i)]
    _arrives(world, state, rng.choice(owing), ACCOUNT, ["How much is still open?"])


def _draw_account(world: Company, rng: random.Random, state: State) -> Params:
    name = state["mail"]["messages"][-1]["body"].rpartition("Company ")[2]
    customer = next(c for c in state["billing"]["customers"] if c["name"] == name)
    return _told(world, state) | {"customer": customer["id"]}


def _owed(world: Company, p: Params, before: State) -> str:
    part = before["billing"]
    mine = [i for i in part["invoices"] if i["customer"] == p["customer"]]
    return str(sum(billing.open_of(part, i) for i in mine))


def _read_account(page: Page, p: Params) -> Script:
    page = yield from _to_message(page, p)
    page = yield from _to_customer(page, ways.value_of(page, "Company"))
    return ways.value_of(page, "Open amount")


# Somebody's manager.


def _draw_manager(world: Company, rng: random.Random, state: State) -> Params:
    fits = [p for p in world.people if p.manager not in (None, world.user.id, p.id)]
    person = rng.choice([p for p in fits if p.id != world.user.id])
    manager = world.person(str(person.manager))
    return {
        "person": person.id, "name": person.name, "boss": manager.id, "to": manager.email,
        "subject": rng.choice(TOPICS), "text": f"Please talk to {person.name} about it",
    }  # fmt: skip


def _letter(p: Params) -> dict[str, Any]:
    return {"to": p["to"], "cc": "", "subject": p["subject"], "text": p["text"]}


def _write_to_manager(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "People")
    page = yield from ways.go(page, "Directory")
    page = yield from ways.search(page, p["name"])
    page = yield from ways.open_item(page, p["name"])
    names = [(line.role, line.name) for line in page.lines]
    if ("text", "Manager") not in names:
        raise OracleLost(f"page {page.title!r} names no manager")
    _, manager = names[names.index(("text", "Manager")) + 1]
    page = yield from ways.open_link(page, "the manager", manager)
    address = ways.value_of(page, "E-mail")
    page = yield from ways.go(page, "Mail")
    page = yield from ways.go(page, "New message")
    page = yield from ways.fill(page, {"To": address, "Subject": p["subject"], "Text": p["text"]})
    yield from ways.press(page, "send it", "Send")
    return None


TEMPLATES = (
    Template(
        "book_advice", ("cross-app", "recall", "form", "date", "multi-step"), 14,
        ("{firm} sent a payment advice by mail. Record that payment in Billing.",
         "Read the mail “{subject}” of {sender} and book the payment in Billing as it says.",
         "{firm} says by mail that it paid an invoice: enter the payment in Billing."),
        _draw_advice, _book, (READ, INVOICE, FINISHED), _expect_payment, _advise(SENT),
    ),
    Template(
        "book_advice_twice", ("cross-app", "recall", "refuse"), 9,
        ("{firm} sent a payment advice by mail. Record that payment in Billing; if the invoice is "
         "paid already, say that it cannot be done.",
         "Book the payment of the mail “{subject}” of {sender} in Billing, unless its invoice is "
         "paid already."),
        _draw_advice, _book, (READ, INVOICE, FINISHED), prepare=_advise(PAID), infeasible=True,
        must_see=("mail:message:{message}", "billing:invoice:{invoice}"),
    ),
    Template(
        "contact_from_mail", ("cross-app", "recall", "form", "multi-step"), 13,
        ("{firm} wrote who our new contact there is. Update the customer in Billing.",
         "Change contact and e-mail of {firm} in Billing to what the mail “{subject}” of {sender} "
         "says."),
        _draw_contact, _change_contact, (READ, CUSTOMER, FINISHED), _expect_contact,
        _announce_contact,
    ),
    Template(
        "account_question", ("cross-app", "recall", "answer", "multi-step"), 9,
        ("{sender} asks by mail about the account of a company. How much does that company still "
         "owe us, according to Billing?",
         "{sender} wrote “{subject}”. Look up in Billing what the company still owes in all."),
        _draw_account, _read_account, (READ, CUSTOMER, FINISHED), prepare=_ask_about_account,
        answer=_owed, answer_kind="money",
    ),
    Template(
        "write_to_manager", ("cross-app", "recall", "form", "multi-step"), 13,
        ("Write to the manager of {name} (People says who that is). Subject: {subject}. "
         "Text: {text}",
         "Find out in People who manages {name}, and send that person a message with the subject "
         "“{subject}” and the text “{text}”."),
        _draw_manager, _write_to_manager,
        (("person", saw("people:person:{person}")), ("manager", saw("people:person:{boss}")),
         FINISHED),
        lambda world, p, state: mail.compose(world, state["mail"], _letter(p)),
    ),
)  # fmt: skip
