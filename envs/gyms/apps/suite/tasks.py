"""Tasks that cross apps: what one app says is needed in another one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from envs.contract.actions import Tool
from envs.gyms.apps.billing import rules as billing
from envs.gyms.apps.billing.data import METHODS, PAID, SENT
from envs.gyms.apps.mail.display import link_label
from envs.gyms.apps.mail.rules_writing import send_message
from envs.gyms.apps.mail.vocabulary import INBOX, TOPICS
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import next_id
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page

ADVICE, CONTACT, ACCOUNT = "Payment advice", "Our new contact", "Question about our account"
READ = ("message", visited_page("mail:message:{message}"))
INVOICE = ("invoice", visited_page("billing:invoice:{invoice}"))
CUSTOMER = ("customer", visited_page("billing:customer:{customer}"))


def _add_message(world: Company, state: State, firm: str, subject: str, lines: list[str]) -> None:
    """Adds a message of a firm's contact, the newest of all."""
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


def _read_newest_message(state: State) -> dict[str, str]:
    """First word of each line -> the rest of the line."""
    lines = state["mail"]["messages"][-1]["body"].split("\n")
    return dict(line.split(" ", 1) for line in lines)


def _message_params(world: Company, state: State) -> Params:
    message = state["mail"]["messages"][-1]
    return {
        "message": message["id"],
        "label": link_label(world, message),
        "subject": message["subject"],
        "sender": message["name"],
    }


def _open_message(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.go_to(page, "All mail")
    page = yield from navigation.search(page, p["subject"])
    return (yield from navigation.open_item(page, p["label"]))


def _open_customer(page: Page, name: str) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Billing")
    page = yield from navigation.go_to(page, "Customers")
    page = yield from navigation.search(page, name)
    return (yield from navigation.open_item(page, name))


# A payment advice.


def _prepare_advice(status: str) -> Callable[[Company, random.Random, State], None]:
    """A firm writes that it paid an invoice, which is open, or paid already: its `status`."""

    def prepare(world: Company, rng: random.Random, state: State) -> None:
        part = state["billing"]
        invoice = rng.choice([i for i in part["invoices"] if i["status"] == status])
        lines = [
            f"Invoice {invoice['number']}",
            f"Amount {world.locale.format_money(invoice['total'])}",
            f"Method {rng.choice(METHODS)}",
            f"Day {world.locale.format_date(world.day(-rng.randint(1, 5)))}",
        ]
        _add_message(world, state, invoice["customer"], ADVICE, lines)

    return prepare


def _sample_advice(world: Company, rng: random.Random, state: State) -> Params:
    words = _read_newest_message(state)
    invoice = next(i for i in state["billing"]["invoices"] if i["number"] == words["Invoice"])
    return _message_params(world, state) | {
        "invoice": invoice["id"],
        "number": invoice["number"],
        "firm": words["Company"],
        "cents": invoice["total"],
        "method": words["Method"],
        "day": world.locale.parse_date(words["Day"]),
    }


def _apply_payment(world: Company, p: Params, state: State) -> None:
    billing.record_payment(state["billing"], p["invoice"], p["cents"], p["method"], p["day"])


def _book_payment(page: Page, p: Params) -> Script:
    page = yield from _open_message(page, p)
    number = navigation.read_value(page, "Invoice")
    fields = {
        "Amount": navigation.read_value(page, "Amount"),
        "Paid on": navigation.read_value(page, "Day"),
        "Method": navigation.read_value(page, "Method"),
    }
    page = yield from navigation.go_to(page, "Billing")
    page = yield from navigation.go_to(page, "Invoices")
    page = yield from navigation.search(page, number)
    page = yield from navigation.open_item(page, number)
    if page.text_after("Status Paid") is not None:
        raise GiveUp("the invoice is paid already")
    page = yield from navigation.open_link(page, "it was paid", "Record payment")
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save payment")
    return None


# A new contact.


def _prepare_contact(world: Company, rng: random.Random, state: State) -> None:
    firm = rng.choice(world.firms)
    name = rng.choice([other.contact for other in world.firms if other.contact != firm.contact])
    address = f"{name.lower().replace(' ', '.')}@{firm.email.partition('@')[2]}"
    _add_message(world, state, firm.id, CONTACT, [f"Contact {name}", f"Address {address}"])


def _sample_contact(world: Company, rng: random.Random, state: State) -> Params:
    words = _read_newest_message(state)
    customer = next(c for c in state["billing"]["customers"] if c["name"] == words["Company"])
    return _message_params(world, state) | {
        "firm": customer["name"],
        "customer": customer["id"],
        "contact": words["Contact"],
        "email": words["Address"],
        "terms": customer["terms"],
    }


def _apply_contact(world: Company, p: Params, state: State) -> None:
    billing.edit_customer(state["billing"], p["customer"], p["contact"], p["email"], p["terms"])


def _change_contact(page: Page, p: Params) -> Script:
    page = yield from _open_message(page, p)
    fields = {
        "Contact": navigation.read_value(page, "Contact"),
        "E-mail": navigation.read_value(page, "Address"),
    }
    page = yield from _open_customer(page, p["firm"])
    page = yield from navigation.open_link(page, "change it", "Edit customer")
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save customer")
    return None


# A question about an account.


def _prepare_question(world: Company, rng: random.Random, state: State) -> None:
    part = state["billing"]
    owing = [i["customer"] for i in part["invoices"] if billing.get_open_amount(part, i)]
    _add_message(world, state, rng.choice(owing), ACCOUNT, ["How much is still open?"])


def _sample_account(world: Company, rng: random.Random, state: State) -> Params:
    name = state["mail"]["messages"][-1]["body"].rpartition("Company ")[2]
    customer = next(c for c in state["billing"]["customers"] if c["name"] == name)
    return _message_params(world, state) | {"customer": customer["id"]}


def _get_open_amount(world: Company, p: Params, before: State) -> str:
    part = before["billing"]
    invoices = [i for i in part["invoices"] if i["customer"] == p["customer"]]
    return str(sum(billing.get_open_amount(part, invoice) for invoice in invoices))


def _read_account(page: Page, p: Params) -> Script:
    page = yield from _open_message(page, p)
    page = yield from _open_customer(page, navigation.read_value(page, "Company"))
    return navigation.read_value(page, "Open amount")


# Somebody's manager.


def _sample_manager(world: Company, rng: random.Random, state: State) -> Params:
    others = [p for p in world.people if p.manager not in (None, world.user.id, p.id)]
    person = rng.choice([p for p in others if p.id != world.user.id])
    manager = world.person(str(person.manager))
    return {
        "person": person.id,
        "name": person.name,
        "boss": manager.id,
        "to": manager.email,
        "subject": rng.choice(TOPICS[world.split]),
        "text": f"Please talk to {person.name} about it",
    }


def _make_letter(p: Params) -> dict[str, Any]:
    return {"to": p["to"], "cc": "", "subject": p["subject"], "text": p["text"]}


def _write_to_manager(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "People")
    page = yield from navigation.go_to(page, "Directory")
    page = yield from navigation.search(page, p["name"])
    page = yield from navigation.open_item(page, p["name"])
    names = [(line.role, line.name) for line in page.lines]
    if ("text", "Manager") not in names:
        raise OracleLost(f"page {page.title!r} names no manager")
    _, manager = names[names.index(("text", "Manager")) + 1]
    page = yield from navigation.open_link(page, "the manager", manager)
    address = navigation.read_value(page, "E-mail")
    page = yield from navigation.go_to(page, "Mail")
    page = yield from navigation.go_to(page, "New message")
    page = yield from navigation.fill_fields(
        page, {"To": address, "Subject": p["subject"], "Text": p["text"]}
    )
    yield from navigation.click(page, "send it", "Send")
    return None


TEMPLATES = (
    Template(
        name="book_advice",
        skills=("cross-app", "recall", "form", "date", "multi-step"),
        oracle_steps=14,
        phrasings=(
            "{firm} sent a payment advice by mail. Record that payment in Billing.",
            "Read the mail “{subject}” of {sender} and book the payment in Billing as it says.",
            "{firm} says by mail that it paid an invoice: enter the payment in Billing.",
        ),
        sample_params=_sample_advice,
        solve=_book_payment,
        milestones=(READ, INVOICE, FINISHED),
        apply_expected=_apply_payment,
        prepare_state=_prepare_advice(SENT),
    ),
    Template(
        name="book_advice_twice",
        skills=("cross-app", "recall", "refuse"),
        oracle_steps=9,
        phrasings=(
            "{firm} sent a payment advice by mail. Record that payment in Billing; if the "
            "invoice is paid already, say that it cannot be done.",
            "Book the payment of the mail “{subject}” of {sender} in Billing, unless its invoice "
            "is paid already.",
        ),
        sample_params=_sample_advice,
        solve=_book_payment,
        milestones=(READ, INVOICE, FINISHED),
        prepare_state=_prepare_advice(PAID),
        infeasible=True,
        required_events=("mail:message:{message}", "billing:invoice:{invoice}"),
        tool_calls=lambda p: [
            Tool(name="mail.read", arguments={"message": p["message"]}),
            Tool(
                name="billing.record_payment",
                arguments={"number": p["number"], "cents": p["cents"], "method": p["method"]},
            ),
        ],
    ),
    Template(
        name="contact_from_mail",
        skills=("cross-app", "recall", "form", "multi-step"),
        oracle_steps=13,
        phrasings=(
            "{firm} wrote who our new contact there is. Update the customer in Billing.",
            "Change contact and e-mail of {firm} in Billing to what the mail “{subject}” of "
            "{sender} "
            "says.",
        ),
        sample_params=_sample_contact,
        solve=_change_contact,
        milestones=(READ, CUSTOMER, FINISHED),
        apply_expected=_apply_contact,
        prepare_state=_prepare_contact,
    ),
    Template(
        name="account_question",
        skills=("cross-app", "recall", "answer", "multi-step"),
        oracle_steps=9,
        phrasings=(
            "{sender} asks by mail about the account of a company. How much does that company "
            "still "
            "owe us, according to Billing?",
            "{sender} wrote “{subject}”. Look up in Billing what the company still owes in all.",
        ),
        sample_params=_sample_account,
        solve=_read_account,
        milestones=(READ, CUSTOMER, FINISHED),
        prepare_state=_prepare_question,
        expected_answer=_get_open_amount,
        answer_kind="money",
    ),
    Template(
        name="write_to_manager",
        skills=("cross-app", "recall", "form", "multi-step"),
        oracle_steps=13,
        phrasings=(
            "Write to the manager of {name} (People says who that is). Subject: {subject}. "
            "Text: {text}",
            "Find out in People who manages {name}, and send that person a message with the "
            "subject "
            "“{subject}” and the text “{text}”.",
        ),
        sample_params=_sample_manager,
        solve=_write_to_manager,
        milestones=(
            ("person", visited_page("people:person:{person}")),
            ("manager", visited_page("people:person:{boss}")),
            FINISHED,
        ),
        apply_expected=lambda world, p, state: send_message(world, state["mail"], _make_letter(p)),
    ),
)
