"""What billing allows. Each rule changes the app's state, or raises Refused or NotFound."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from envs.gyms.billing.data import DRAFT, EVERY, METHODS, PAID, SENT, TERMS, VOID
from envs.gyms.gym import Refused, State
from envs.gyms.kit.records import one

Item = dict[str, Any]


def paid_of(state: State, invoice: Item) -> int:
    return sum(paid["amount"] for paid in state["payments"] if paid["invoice"] == invoice["id"])


def open_of(state: State, invoice: Item) -> int:
    """Cents that are still to be paid."""
    return invoice["total"] - paid_of(state, invoice) if invoice["status"] == SENT else 0


def is_overdue(invoice: Item, today: str) -> bool:
    return bool(invoice["status"] == SENT and invoice["due"] < today)


def record_payment(state: State, key: str, amount: int, method: str, day: str) -> None:
    invoice = one(state, "invoices", key)
    if invoice["status"] != SENT:
        raise Refused(f"{invoice['number']} is {invoice['status'].lower()}: it takes no payment")
    if method not in METHODS:
        raise Refused("Choose one: Method")
    left = open_of(state, invoice)
    if amount > left:
        raise Refused("This is more than what is still to be paid")
    state["payments"].append(
        {
            "id": f"p{len(state['payments']) + 1}",
            "invoice": key,
            "date": day,
            "amount": amount,
            "method": method,
        }
    )
    if amount == left:
        invoice["status"] = PAID


def send(state: State, key: str) -> None:
    invoice = one(state, "invoices", key)
    if invoice["status"] != DRAFT:
        raise Refused("Only drafts can be sent")
    if one(state, "customers", invoice["customer"])["hold"]:
        raise Refused("This customer is on hold: nothing can be sent to it")
    invoice["status"] = SENT


def void(state: State, key: str) -> None:
    invoice = one(state, "invoices", key)
    if invoice["status"] not in (DRAFT, SENT):
        raise Refused(f"An invoice that is {invoice['status'].lower()} cannot be voided")
    if paid_of(state, invoice):
        raise Refused("Something was paid on this invoice already: it cannot be voided")
    invoice["status"] = VOID


def create_invoice(state: State, customer: str, text: str, qty: int, price: int, day: str) -> Item:
    buyer = one(state, "customers", customer)
    if not 1 <= qty <= 99:
        raise Refused("Quantity must be from 1 to 99")
    number = 1 + max(int(item["number"].removeprefix("INV-")) for item in state["invoices"])
    due = date.fromisoformat(day) + timedelta(days=int(buyer["terms"]))
    invoice = {
        "id": f"i{len(state['invoices']) + 1}",
        "number": f"INV-{number}",
        "customer": customer,
        "date": day,
        "due": due.isoformat(),
        "status": DRAFT,
        "lines": [{"text": text, "qty": qty, "price": price}],
        "total": qty * price,
    }
    state["invoices"].append(invoice)
    return invoice


def edit_customer(state: State, key: str, contact: str, email: str, terms: str) -> None:
    customer = one(state, "customers", key)
    if "@" not in email or " " in email:
        raise Refused("E-mail must be an address such as name@example.com")
    if terms not in TERMS:
        raise Refused("Choose one: Payment terms")
    customer |= {"contact": contact, "email": email, "terms": terms}


def set_hold(state: State, key: str, hold: bool) -> None:
    one(state, "customers", key)["hold"] = hold


def edit_schedule(
    state: State, key: str, amount: int, every: str, next_day: str, today: str
) -> None:
    schedule = one(state, "schedules", key)
    if every not in EVERY:
        raise Refused("Choose one: Every")
    if next_day <= today:
        raise Refused("The next invoice must be in the future")
    schedule |= {"amount": amount, "every": every, "next": next_day}


def set_active(state: State, key: str, active: bool) -> None:
    schedule = one(state, "schedules", key)
    if schedule["active"] == active:
        raise Refused("Nothing to change")
    schedule["active"] = active
