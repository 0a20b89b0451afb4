"""Values of the help desk: states of tickets, products, texts that seeds choose from."""

from __future__ import annotations

from typing import Any

from envs.contract.task import Split

Item = dict[str, Any]
NEW, OPEN, WAITING, SOLVED, CLOSED = "New", "Open", "Waiting", "Solved", "Closed"
STATUSES = (NEW, OPEN, WAITING, SOLVED, CLOSED)
FINISHED_STATUSES = (SOLVED, CLOSED)
PRIORITIES = ("Low", "Normal", "High", "Urgent")
DUE_DAYS = {"Low": 20, "Normal": 10, "High": 5, "Urgent": 2}
MESSAGE, REPLY, NOTE = "message", "reply", "note"
"""Kinds of posts: by the customer, to the customer, for colleagues only."""
FIRST_NUMBER = 2001
TEAMS = ("Engineering", "Management", "Second level", "Supplier")
PLANS = ("Basic", "Premium", "Internal")
DEVICES: dict[Split, tuple[str, ...]] = {
    "train": ("Card reader", "Cash register", "Handheld scanner", "Label printer"),
    "dev": ("Badge printer", "Coin sorter", "Door terminal", "Queue display"),
    "test": ("Barcode gate", "Price tagger", "Ticket machine", "Weighing scale"),
}
"""Products with a serial number. No two splits share a product."""
PRODUCTS: dict[Split, tuple[str, ...]] = {
    "train": (*DEVICES["train"], "Mobile app", "Web shop"),
    "dev": (*DEVICES["dev"], "Partner portal", "Stock planner"),
    "test": (*DEVICES["test"], "Loyalty app", "Order portal"),
}
ALL_PRODUCTS = tuple(product for products in PRODUCTS.values() for product in products)
TAGS = ("billing", "callback", "hardware", "how-to", "returns", "spare-part", "vip", "warranty")
SUBJECTS = (
    "{} does not start",
    "{} does not start after update",
    "{} is slow",
    "{} is slow since Monday",
    "Cannot sign in to {}",
    "Cannot sign in to {} any more",
    "Wrong total in {}",
    "Wrong totals in {}",
    "Refund for {}",
    "Refund for {}, second order",
    "Error 24 on {}",
    "Error 42 on {}",
    "Question about the invoice for {}",
)
"""Many are near one another, which punishes carelessness."""
MESSAGES = (
    "Hello, we cannot work like this. Can somebody look at it today?",
    "It worked last week, and nobody here changed anything.",
    "This is the second time. Please call me.",
    "Could you tell me how to go on?",
    "We tried the steps from your manual without success.",
)
SERIAL_PREFIX = "Serial number: "
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
CANNED_REPLIES = (
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
