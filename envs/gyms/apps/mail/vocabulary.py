"""The words that mail knows: folders, labels, rules, and what messages are made of."""

from __future__ import annotations

from typing import Any

from envs.contract.task import Split

Item = dict[str, Any]
INBOX, ARCHIVE, SENT, DRAFTS, SPAM, TRASH = "inbox", "archive", "sent", "drafts", "spam", "trash"
SYSTEM_FOLDERS = (
    (INBOX, "Inbox"),
    (ARCHIVE, "Archive"),
    (SENT, "Sent"),
    (DRAFTS, "Drafts"),
    (SPAM, "Spam"),
    (TRASH, "Trash"),
)
OWN_FOLDERS: dict[Split, tuple[str, ...]] = {
    "train": (
        "Contracts",
        "Contracts old",
        "Offers",
        "Travel",
        "Travel bills",
        "Team",
        "Paid",
        "To pay",
    ),
    "dev": (
        "Leases",
        "Leases ended",
        "Tenders",
        "Freight",
        "Freight claims",
        "Board",
        "Settled",
        "To sign",
    ),
    "test": (
        "Permits",
        "Permits expired",
        "Quotes",
        "Events",
        "Event costs",
        "Press",
        "Closed",
        "To check",
    ),
}
"""Folders that a user makes. No two splits share one, nor any topic or sender below."""
LABELS = ("Urgent", "Later", "Customer", "Private")
FIELDS = ("Sender", "Subject")
MOVE, LABEL, STAR = "Move to folder", "Set label", "Star"
EFFECTS = (MOVE, LABEL, STAR)
TOPICS: dict[Split, tuple[str, ...]] = {
    "train": (
        "Budget review",
        "Roadmap draft",
        "Office move",
        "Team offsite",
        "Hiring plan",
        "Price list",
        "Customer survey",
        "Security training",
        "Release notes",
        "Travel rules",
        "Trade fair",
        "Stock count",
    ),
    "dev": (
        "Audit report",
        "Canteen survey",
        "Energy costs",
        "Shift calendar",
        "Supplier rating",
        "Factory visit",
        "Brand guide",
        "Parking permits",
        "Mobile contract",
        "Warehouse layout",
        "Quality circle",
        "Annual report",
    ),
    "test": (
        "Fleet leasing",
        "Archive cleanup",
        "Fire safety",
        "Website relaunch",
        "Pension scheme",
        "Export licence",
        "Mentor programme",
        "Packaging test",
        "Tax forecast",
        "Visitor badges",
        "Printer lease",
        "Open house",
    ),
}
DETAILS = ("first version", "second version", "for spring", "for autumn", "open points", "costs")
OPENERS = ("Here is where we stand.", "I put the points together.", "This is the latest state.")
REQUESTS = ("Please look at it before {}.", "Can we talk about it on {}?", "We decide on {}.")
REPLIES = (
    "Agreed, thank you.",
    "I would leave out the last part.",
    "Let us wait for Finance.",
    "Looks good to me.",
    "I have two questions about this.",
)
NEWSLETTERS: dict[Split, tuple[str, ...]] = {
    "train": ("Trade Weekly", "Trade Weekly Plus", "Harbor Notes", "Harbor Notes Daily"),
    "dev": ("Market Brief", "Market Brief Extra", "City Post", "City Post Sunday"),
    "test": ("Export Digest", "Export Digest Pro", "Valley Mail", "Valley Mail Evening"),
}
STRANGERS: dict[Split, tuple[str, ...]] = {
    "train": ("Lucky Prize", "Lucky Prizes", "Easy Loans", "Cheap Watches", "Parcel Desk"),
    "dev": ("Golden Ticket", "Golden Tickets", "Fast Credit", "Bargain Shoes", "Customs Office"),
    "test": ("Happy Winner", "Happy Winners", "Quick Cash", "Discount Bags", "Post Service"),
}
OFFERS = ("Offer for hosting", "Offer for training", "Delivery times", "New terms", "Price change")
ROOMS = ("2.04", "2.14", "3.01", "3.10", "Lake", "Garden")
NO_LABEL = "No label"
