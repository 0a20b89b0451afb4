"""The billing state of a seed: 44 customers, 150 invoices, their payments, 36 schedules.

Guarantees: a paid invoice has exactly one payment of its total; no other invoice has a payment.
"""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.kit.company import Company, Firm
from envs.gyms.kit.names import number_of
from envs.gyms.server.gym import State

Item = dict[str, Any]
SERVICES = (
    "Consulting",
    "Hosting",
    "Support plan",
    "Training",
    "Design work",
    "Data export",
    "Licence",
    "Delivery",
    "Maintenance",
    "Onboarding",
)
METHODS = ("Bank transfer", "Card", "Cheque", "Cash")
EVERY = ("Monthly", "Quarterly", "Yearly")
TERMS = ("14", "30", "60")
"""Days that a customer has to pay, as text."""
DRAFT, SENT, PAID, VOID = "Draft", "Sent", "Paid", "Void"
STATUSES = (DRAFT, SENT, PAID, VOID)
INVOICES, SCHEDULES = 150, 36


def make_state(world: Company) -> State:
    """Billing's part of the state in the world of a seed. Amounts are cents."""
    # The order of random draws is fixed: it decides what the world of a seed looks like.
    rng = world.rng("billing")
    customers = [_make_customer(firm, rng) for firm in world.firms]
    invoices: list[Item] = []
    payments: list[Item] = []
    for index in range(INVOICES):
        invoice, age = _make_invoice(world, rng, index, rng.choice(customers))
        invoices.append(invoice)
        if invoice["status"] == PAID:
            payments.append(
                {
                    "id": f"p{len(payments) + 1}",
                    "invoice": invoice["id"],
                    "date": world.day(-rng.randint(0, age)),
                    "amount": invoice["total"],
                    "method": rng.choice(METHODS),
                }
            )
    return {
        "customers": customers,
        "invoices": invoices,
        "payments": payments,
        "schedules": [
            _make_schedule(world, rng, index, rng.choice(customers)) for index in range(SCHEDULES)
        ],
    }


def _make_customer(firm: Firm, rng: random.Random) -> Item:
    return {
        "id": firm.id,
        "name": firm.name,
        "contact": firm.contact,
        "email": firm.email,
        "terms": rng.choice(TERMS),
        "hold": rng.random() < 0.1,
    }


def _make_invoice(
    world: Company, rng: random.Random, index: int, customer: Item
) -> tuple[Item, int]:
    """An invoice and its age in days."""
    age = rng.randint(0, 200)
    lines: list[Item] = [
        {"text": service, "qty": rng.randint(1, 5), "price": rng.randrange(2000, 90000, 50)}
        for service in rng.sample(SERVICES, rng.randint(1, 3))
    ]
    status = rng.choices(STATUSES, (1, 5, 6, 1))[0]
    if status == DRAFT:
        age = rng.randint(0, 10)
    invoice = {
        "id": f"i{index + 1}",
        "number": f"INV-{number_of(world.seed, 1001 + index)}",
        "customer": customer["id"],
        "date": world.day(-age),
        "due": world.day(int(customer["terms"]) - age),
        "status": status,
        "lines": lines,
        "total": sum(line["qty"] * line["price"] for line in lines),
    }
    return invoice, age


def _make_schedule(world: Company, rng: random.Random, index: int, customer: Item) -> Item:
    return {
        "id": f"s{index + 1}",
        "customer": customer["id"],
        "text": rng.choice(SERVICES),
        "amount": rng.randrange(5000, 120000, 500),
        "every": rng.choice(EVERY),
        "next": world.day(rng.randint(1, 90)),
        "active": rng.random() < 0.8,
    }
