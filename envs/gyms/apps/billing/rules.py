"""The rules of billing. Each one changes the app's state, or raises Refused or NotFound.

`state` is billing's part of a session's state; amounts are cents, days are ISO dates.
"""

from __future__ import annotations

from datetime import date, timedelta

from envs.gyms.apps.billing.data import DRAFT, EVERY, METHODS, PAID, SENT, TERMS, VOID, Item
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def get_paid_amount(state: State, invoice: Item) -> int:
    """Sum of the payments recorded on an invoice."""
    return sum(
        payment["amount"] for payment in state["payments"] if payment["invoice"] == invoice["id"]
    )


def get_open_amount(state: State, invoice: Item) -> int:
    """What is still to be paid on an invoice; 0 unless it is sent."""
    if invoice["status"] != SENT:
        return 0
    total: int = invoice["total"]
    return total - get_paid_amount(state, invoice)


def is_overdue(invoice: Item, today: str) -> bool:
    """Whether an invoice is sent, not paid, and past its due day."""
    return bool(invoice["status"] == SENT and invoice["due"] < today)


def record_payment(state: State, key: str, amount: int, method: str, day: str) -> None:
    """Records a payment on a sent invoice; the payment of the whole rest makes it paid."""
    invoice = get_record(state, "invoices", key)
    if invoice["status"] != SENT:
        raise Refused(
            f"{invoice['number']} is {invoice['status'].lower()}: it takes no payment",
            event=f"invoice:{key}",
        )
    if method not in METHODS:
        raise Refused("Choose one: Method")
    open_amount = get_open_amount(state, invoice)
    if amount > open_amount:
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
    if amount == open_amount:
        invoice["status"] = PAID


def send_invoice(state: State, key: str) -> None:
    """Sends a draft, unless its customer is on hold."""
    invoice = get_record(state, "invoices", key)
    if invoice["status"] != DRAFT:
        raise Refused("Only drafts can be sent")
    if get_record(state, "customers", invoice["customer"])["hold"]:
        raise Refused("This customer is on hold: nothing can be sent to it")
    invoice["status"] = SENT


def void_invoice(state: State, key: str) -> None:
    """Voids a draft or a sent invoice on which nothing was paid."""
    invoice = get_record(state, "invoices", key)
    if invoice["status"] not in (DRAFT, SENT):
        raise Refused(f"An invoice that is {invoice['status'].lower()} cannot be voided")
    if get_paid_amount(state, invoice):
        raise Refused("Something was paid on this invoice already: it cannot be voided")
    invoice["status"] = VOID


def create_invoice(state: State, customer: str, text: str, qty: int, price: int, day: str) -> Item:
    """Creates a draft of one line, dated `day` and due by the customer's payment terms."""
    buyer = get_record(state, "customers", customer)
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
    """Changes a customer's contact, address and payment terms (days)."""
    customer = get_record(state, "customers", key)
    if "@" not in email or " " in email:
        raise Refused("E-mail must be an address such as name@example.com")
    if terms not in TERMS:
        raise Refused("Choose one: Payment terms")
    customer |= {"contact": contact, "email": email, "terms": terms}


def set_hold(state: State, key: str, hold: bool) -> None:
    """Puts a customer on hold, or releases it."""
    get_record(state, "customers", key)["hold"] = hold


def edit_schedule(
    state: State, key: str, amount: int, every: str, next_day: str, today: str
) -> None:
    """Changes amount, interval and next day of a schedule."""
    schedule = get_record(state, "schedules", key)
    if every not in EVERY:
        raise Refused("Choose one: Every")
    if next_day <= today:
        raise Refused("The next invoice must be in the future")
    schedule |= {"amount": amount, "every": every, "next": next_day}


def set_active(state: State, key: str, active: bool) -> None:
    """Resumes or pauses a schedule. Refused when it would change nothing."""
    schedule = get_record(state, "schedules", key)
    if schedule["active"] == active:
        raise Refused("Nothing to change")
    schedule["active"] = active
