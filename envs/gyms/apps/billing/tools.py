"""Billing's site tools. Their names, arguments and docstrings are what agents are shown."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.billing import rules
from envs.gyms.kit.records import get_record
from envs.gyms.kit.site_tools import ToolContext, site_tool
from envs.gyms.server.gym import Refused, State

MAX_RESULTS = 20


@site_tool("billing.find_invoices")
def find_invoices(
    context: ToolContext, text: str, status: str | None = None
) -> list[dict[str, Any]]:
    """Invoices whose number or customer contains the text, at most 20: id, number, customer,
    status, due (ISO date), total and open amount in cents."""
    keys = ("id", "number", "status", "due", "total")
    results: list[dict[str, Any]] = []
    for invoice in context.state["invoices"]:
        if len(results) == MAX_RESULTS:
            break
        customer = get_record(context.state, "customers", invoice["customer"])["name"]
        if status not in (None, invoice["status"]):
            continue
        if text.lower() in f"{invoice['number']} {customer}".lower():
            context.log_event(f"invoice:{invoice['id']}")
            open_amount = rules.get_open_amount(context.state, invoice)
            facts = {key: invoice[key] for key in keys}
            results.append(facts | {"customer": customer, "open": open_amount})
    return results


@site_tool("billing.record_payment")
def record_payment(context: ToolContext, number: str, cents: int, method: str) -> str:
    """Records a payment of today on an invoice by its number. method: Bank transfer, Card, Cheque
    or Cash."""
    key = _get_key(context.state, number)
    rules.record_payment(context.state, key, cents, method, context.world.today)
    return f"recorded on {number}"


@site_tool("billing.send_invoice")
def send_invoice(context: ToolContext, number: str) -> str:
    """Sends a draft to its customer."""
    rules.send_invoice(context.state, _get_key(context.state, number))
    return f"sent {number}"


def _get_key(state: State, number: str) -> str:
    for invoice in state["invoices"]:
        if invoice["number"] == number:
            return str(invoice["id"])
    raise Refused(f"there is no invoice {number[:20]!r}")


TOOLS = (find_invoices, record_payment, send_invoice)
