"""The words that mail knows: folders, labels, rules, and what messages are made of."""

from __future__ import annotations

from typing import Any

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
OWN_FOLDERS = (
    "Contracts",
    "Contracts old",
    "Offers",
    "Travel",
    "Travel bills",
    "Team",
    "Paid",
    "To pay",
)
LABELS = ("Urgent", "Later", "Customer", "Private")
FIELDS = ("Sender", "Subject")
MOVE, LABEL, STAR = "Move to folder", "Set label", "Star"
EFFECTS = (MOVE, LABEL, STAR)
TOPICS = (
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
)
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
NEWSLETTERS = ("Trade Weekly", "Trade Weekly Plus", "Harbor Notes", "Harbor Notes Daily")
STRANGERS = ("Lucky Prize", "Lucky Prizes", "Easy Loans", "Cheap Watches", "Parcel Desk")
OFFERS = ("Offer for hosting", "Offer for training", "Delivery times", "New terms", "Price change")
ROOMS = ("2.04", "2.14", "3.01", "3.10", "Lake", "Garden")
NO_LABEL = "No label"
