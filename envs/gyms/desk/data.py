"""What a seed makes of the help desk: 200 tickets with conversations, their customers, the agents
of the Support department, canned replies. Numbers grow with the day a ticket was made."""

from __future__ import annotations

from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company

NEW, OPEN, WAITING, SOLVED, CLOSED = "New", "Open", "Waiting", "Solved", "Closed"
STATUSES = (NEW, OPEN, WAITING, SOLVED, CLOSED)
PRIORITIES = ("Low", "Normal", "High", "Urgent")
DUE_DAYS = {"Low": 20, "Normal": 10, "High": 5, "Urgent": 2}
MESSAGE, REPLY, NOTE = "message", "reply", "note"
TEAMS = ("Engineering", "Management", "Second level", "Supplier")
PRODUCTS = (
    "Card reader", "Cash register", "Handheld scanner", "Label printer", "Mobile app", "Web shop",
)  # fmt: skip
TAGS = ("billing", "callback", "hardware", "how-to", "returns", "spare-part", "vip", "warranty")
SUBJECTS = (
    "{} does not start", "{} does not start after update", "{} is slow", "{} is slow since Monday",
    "Cannot sign in to {}", "Cannot sign in to {} any more", "Wrong total in {}",
    "Wrong totals in {}", "Refund for {}", "Refund for {}, second order", "Error 24 on {}",
    "Error 42 on {}", "Question about the invoice for {}",
)  # fmt: skip
MESSAGES = (
    "Hello, we cannot work like this. Can somebody look at it today?",
    "It worked last week, and nobody here changed anything.",
    "This is the second time. Please call me.",
    "Could you tell me how to go on?",
    "We tried the steps from your manual without success.",
)
REPLIES = (
    "Thank you for your message. We are looking into it.",
    "Please restart it once and tell us what you see.",
    "We need some more details from you.",
)
NOTES = (
    "Looks like the case of last month.",
    "Called, nobody answered.",
    "Engineering knows about this one.",
)
CANNED = (
    ("Ask for order number", "Hello %name%, please send us the number of your order."),
    ("Ask for serial number", "Hello %name%, please send us the serial number from the label."),
    ("Back in stock", "Hello %name%, the spare part is in stock again and leaves tomorrow."),
    ("Need a screenshot", "Hello %name%, please send us a screenshot of the message you see."),
    ("Not reproducible", "Hello %name%, we could not see the fault here. Does it still happen?"),
    ("Out of stock", "Hello %name%, the spare part is out of stock. We will write again."),
    ("Password reset", "Hello %name%, we reset your password. You find the link in your mailbox."),
    ("Password reset by administrator", "Hello %name%, please ask your administrator to reset it."),
    ("Refund approved", "Hello %name%, we have approved your refund."),
    ("Refund rejected", "Hello %name%, we are sorry: we cannot refund this order."),
    ("Repair shipped", "Hello %name%, your device is repaired and on its way to you."),
    ("Repair started", "Hello %name%, your device has arrived and is being repaired."),
    ("Still waiting for you", "Hello %name%, do you still need our help with this?"),
)
TICKETS, COLLEAGUES, AWAY = 200, 12, 2


def fresh(world: Company) -> State:
    rng = world.rng("desk")
    support = [person for person in world.people if person.department == "Support"]
    others = [p for p in world.people if p.department != "Support" and p is not world.user]
    known = [(f"c{firm.id}", firm.contact, firm.name, firm) for firm in world.firms]
    known += [(f"c{p.id}", p.name, world.name, p) for p in rng.sample(others, COLLEAGUES)]  # type: ignore[misc]
    customers: list[dict[str, Any]] = [
        {
            "id": key,
            "name": name,
            "org": org,
            "email": who.email,
            "phone": who.phone,
            "plan": "Internal" if org == world.name else rng.choice(("Basic", "Premium")),
        }
        for key, name, org, who in known
    ]
    away = rng.sample(support, AWAY)
    agents = [{"id": p.id, "name": p.name, "away": p in away} for p in support]
    tickets: list[dict[str, Any]] = []
    for index, age in enumerate(sorted((rng.randint(0, 60) for _ in range(TICKETS)), reverse=True)):
        customer, product = rng.choice(customers), rng.choice(PRODUCTS)
        status = rng.choices(STATUSES, (3, 6, 4, 4, 4) if age < 35 else (0, 3, 2, 3, 9))[0]
        priority = rng.choices(PRIORITIES, (3, 6, 4, 2))[0]
        done = status in (SOLVED, CLOSED)
        agent = None if status == NEW and rng.random() < 0.8 else rng.choice(agents)
        said = [(MESSAGE, customer["name"], rng.choice(MESSAGES))]
        if product in PRODUCTS[:4]:
            serial = f"{product[0]}X-{rng.randint(10000, 99999)}"
            said.append((MESSAGE, customer["name"], f"Serial number: {serial}"))
        if agent and rng.random() < 0.7:
            said.append((REPLY, str(agent["name"]), rng.choice(REPLIES)))
        if agent and rng.random() < 0.3:
            said.append((NOTE, str(agent["name"]), rng.choice(NOTES)))
        key = f"t{index + 1}"
        tickets.append(
            {
                "id": key,
                "number": f"HD-{2001 + index}",
                "subject": rng.choice(SUBJECTS).format(product),
                "customer": customer["id"],
                "product": product,
                "priority": priority,
                "status": status,
                "assignee": agent["id"] if agent else None,
                "created": world.day(-age),
                "due": world.day(DUE_DAYS[priority] - age if done else rng.randint(-12, 18)),
                "tags": sorted(rng.sample(TAGS, rng.choice((0, 1, 1, 2)))),
                "parent": None,
                "merged": None,
                "escalated": None,
                "posts": [
                    {
                        "id": f"{key}-{number + 1}",
                        "kind": kind,
                        "author": author,
                        "day": world.day(-max(0, age - number)),
                        "text": text,
                    }
                    for number, (kind, author, text) in enumerate(said)
                ],
            }
        )
    live = [ticket for ticket in tickets if ticket["status"] in (OPEN, WAITING)]
    chosen = rng.sample(live, 16)
    for child, parent in zip(chosen[:8], chosen[8:], strict=True):
        child["parent"] = parent["id"]
    canned = [
        {"id": f"r{index + 1}", "title": title, "text": text}
        for index, (title, text) in enumerate(CANNED)
    ]
    return {"customers": customers, "agents": agents, "tickets": tickets, "canned": canned}
