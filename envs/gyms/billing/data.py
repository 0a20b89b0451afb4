"""What a seed makes of billing: 44 customers, some 150 invoices, their payments, schedules."""

from __future__ import annotations

from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company

SERVICES = (
    "Consulting", "Hosting", "Support plan", "Training", "Design work", "Data export", "Licence",
    "Delivery", "Maintenance", "Onboarding",
)  # fmt: skip
METHODS = ("Bank transfer", "Card", "Cheque", "Cash")
EVERY = ("Monthly", "Quarterly", "Yearly")
TERMS = ("14", "30", "60")
DRAFT, SENT, PAID, VOID = "Draft", "Sent", "Paid", "Void"
STATUSES = (DRAFT, SENT, PAID, VOID)
INVOICES, SCHEDULES = 150, 36


def fresh(world: Company) -> State:
    rng = world.rng("billing")
    customers: list[dict[str, Any]] = [
        {
            "id": firm.id,
            "name": firm.name,
            "contact": firm.contact,
            "email": firm.email,
            "terms": rng.choice(TERMS),
            "hold": rng.random() < 0.1,
        }
        for firm in world.firms
    ]
    invoices: list[dict[str, Any]] = []
    payments: list[dict[str, Any]] = []
    for index in range(INVOICES):
        customer = rng.choice(customers)
        age = rng.randint(0, 200)
        lines: list[dict[str, Any]] = [
            {"text": service, "qty": rng.randint(1, 5), "price": rng.randrange(2000, 90000, 50)}
            for service in rng.sample(SERVICES, rng.randint(1, 3))
        ]
        status = rng.choices(STATUSES, (1, 5, 6, 1))[0]
        if status == DRAFT:
            age = rng.randint(0, 10)
        invoice = {
            "id": f"i{index + 1}",
            "number": f"INV-{1001 + index}",
            "customer": customer["id"],
            "date": world.day(-age),
            "due": world.day(int(customer["terms"]) - age),
            "status": status,
            "lines": lines,
            "total": sum(line["qty"] * line["price"] for line in lines),
        }
        invoices.append(invoice)
        if status == PAID:
            payments.append(
                {
                    "id": f"p{len(payments) + 1}",
                    "invoice": invoice["id"],
                    "date": world.day(-rng.randint(0, age)),
                    "amount": invoice["total"],
                    "method": rng.choice(METHODS),
                }
            )
    schedules = [
        {
            "id": f"s{index + 1}",
            "customer": rng.choice(customers)["id"],
            "text": rng.choice(SERVICES),
            "amount": rng.randrange(5000, 120000, 500),
            "every": rng.choice(EVERY),
            "next": world.day(rng.randint(1, 90)),
            "active": rng.random() < 0.8,
        }
        for index in range(SCHEDULES)
    ]
    return {
        "customers": customers,
        "invoices": invoices,
        "payments": payments,
        "schedules": schedules,
    }
