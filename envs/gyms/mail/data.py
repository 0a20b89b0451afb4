"""What a seed makes of mail: some 220 messages of colleagues, firms, newsletters and strangers.

Guarantees: no two messages have the same moment (`at`, "2026-03-05 14:20"), so "the newest" is one.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company, Firm, Person

INBOX, ARCHIVE, SENT, DRAFTS, SPAM, TRASH = "inbox", "archive", "sent", "drafts", "spam", "trash"
SYSTEM = ((INBOX, "Inbox"), (ARCHIVE, "Archive"), (SENT, "Sent"), (DRAFTS, "Drafts"),
          (SPAM, "Spam"), (TRASH, "Trash"))  # fmt: skip
OWN = ("Contracts", "Contracts old", "Offers", "Travel", "Travel bills", "Team", "Paid", "To pay")
LABELS = ("Urgent", "Later", "Customer", "Private")
FIELDS = ("Sender", "Subject")
MOVE, LABEL, STAR = "Move to folder", "Set label", "Star"
DOES = (MOVE, LABEL, STAR)
TOPICS = (
    "Budget review", "Roadmap draft", "Office move", "Team offsite", "Hiring plan", "Price list",
    "Customer survey", "Security training", "Release notes", "Travel rules", "Trade fair",
    "Stock count",
)  # fmt: skip
DETAILS = ("first version", "second version", "for spring", "for autumn", "open points", "costs")
OPENERS = ("Here is where we stand.", "I put the points together.", "This is the latest state.")
ASKS = ("Please look at it before {}.", "Can we talk about it on {}?", "We decide on {}.")
REPLIES = ("Agreed, thank you.", "I would leave out the last part.", "Let us wait for Finance.",
           "Looks good to me.", "I have two questions about this.")  # fmt: skip
NEWSLETTERS = ("Trade Weekly", "Trade Weekly Plus", "Harbor Notes", "Harbor Notes Daily")
STRANGERS = ("Lucky Prize", "Lucky Prizes", "Easy Loans", "Cheap Watches", "Parcel Desk")
OFFERS = ("Offer for hosting", "Offer for training", "Delivery times", "New terms", "Price change")
ROOMS = ("2.04", "2.14", "3.01", "3.10", "Lake", "Garden")
THREADS, ABOUT_FIRMS, BILLERS, OFFERED = 38, 8, 20, 20
Item = dict[str, Any]


def written_at(world: Company, at: str) -> str:
    """A moment in the world's way of writing dates."""
    day, _, time = at.partition(" ")
    return f"{world.look.date(day)} {time}"


def label_of(world: Company, message: Item) -> str:
    """What a link to a message is called: unique, as its moment is."""
    return f"{message['subject'] or 'No subject'}, {written_at(world, message['at'])}"


def who(message: Item) -> str:
    """Of whom it is, or to whom it went."""
    if message["folder"] in (SENT, DRAFTS):
        return f"to {', '.join(message['to']) or 'nobody'}"
    return str(message["name"])


class _Post:
    """Collects messages."""

    def __init__(self, world: Company) -> None:
        self.world, self.rng = world, world.rng("mail")
        self.messages: list[Item] = []
        self._moments: set[str] = set()
        self._threads = 0

    def thread(self) -> str:
        self._threads += 1
        return f"t{self._threads}"

    def add(self, sender: tuple[str, str], to: list[str], subject: str, body: str, age: int,
            folder: str, thread: str, file: Item | None = None, cc: list[str] | None = None
            ) -> None:  # fmt: skip
        rng = self.rng
        at = ""
        while not at or at in self._moments:
            minute = rng.randint(7 * 60, 16 * 60 - 1)
            at = f"{self.world.day(-age)} {minute // 60:02d}:{minute % 60:02d}"
        self._moments.add(at)
        mine = folder in (SENT, DRAFTS)
        self.messages.append(
            {
                "id": f"m{len(self.messages) + 1}",
                "thread": thread,
                "folder": folder,
                "name": sender[0],
                "email": sender[1],
                "to": to,
                "cc": cc or [],
                "subject": subject,
                "body": body,
                "at": at,
                "starred": rng.random() < 0.12,
                "unread": not mine and rng.random() < 0.35,
                "label": rng.choice(LABELS) if not mine and rng.random() < 0.15 else "",
                "file": file,
            }
        )


def fresh(world: Company) -> State:
    post = _Post(world)
    rng = post.rng
    folders = [{"id": key, "name": name, "own": False} for key, name in SYSTEM]
    folders += [
        {"id": f"fo{index + 1}", "name": name, "own": True}
        for index, name in enumerate(rng.sample(OWN, 6))
    ]
    own = [str(folder["id"]) for folder in folders if folder["own"]]

    def place() -> str:
        return rng.choices((INBOX, ARCHIVE, TRASH, rng.choice(own)), (10, 4, 1, 5))[0]

    billers = rng.sample(world.firms, BILLERS)
    subjects = rng.sample([f"{topic} {detail}" for topic in TOPICS for detail in DETAILS], THREADS)
    subjects += [f"Contract with {firm.name}" for firm in rng.sample(billers, ABOUT_FIRMS)]
    for subject in subjects:
        _colleagues(post, subject, place())
    for firm in billers:
        _bills(post, firm, own)
    for firm in rng.sample(world.firms, OFFERED):
        subject = rng.choice(OFFERS)
        body = f"Dear {world.user.name},\nthank you for your question. We will call you.\n{firm.contact}"  # noqa: E501
        post.add((_firm_name(firm), firm.email), [world.user.email], subject, body,
                 rng.randint(20, 120), place(), post.thread())  # fmt: skip
    for name in NEWSLETTERS:
        first = rng.randint(10, 90)
        for number in range(rng.randint(3, 4)):
            post.add((name, _news_address(name)), [world.user.email],
                     f"{name} no. {first + number}", "All that happened this week.",
                     30 - 7 * number, INBOX, post.thread())  # fmt: skip
    for index in range(12):
        name = rng.choice(STRANGERS)
        post.add((name, f"desk{index}@{name.replace(' ', '-').lower()}.example"),
                 [world.user.email], f"Your chance no. {rng.randint(100, 999)}{index}",
                 "You were chosen. Answer today.", rng.randint(1, 40),
                 INBOX if index < 5 else SPAM, post.thread())  # fmt: skip
    for person in rng.sample(_others(world), 6):
        post.add((world.user.name, world.user.email), [],
                 f"{rng.choice(TOPICS)} for {person.name}", "This is what we agreed on.",
                 rng.randint(0, 20), DRAFTS, post.thread())  # fmt: skip
    user = world.user
    return {
        "me": user.email,
        "folders": folders,
        "messages": post.messages,
        "rules": _rules(rng, folders, billers),
        "settings": {
            "signature": f"{user.name}, {user.title}",
            "vacation": {"on": False, "first": "", "last": "", "text": ""},
        },
    }


def _others(world: Company) -> list[Person]:
    return [person for person in world.people if person.id != world.user.id]


def _firm_name(firm: Firm) -> str:
    return f"{firm.contact}, {firm.name}"


def _news_address(name: str) -> str:
    return f"news@{name.replace(' ', '-').lower()}.example"


def _colleagues(post: _Post, subject: str, folder: str) -> None:
    """A thread. Who begins it signs in full, with a phone; answers carry the first name alone."""
    world, rng = post.world, post.rng
    starter, other = rng.sample(_others(world), 2)
    age, thread = rng.choice((rng.randint(6, 90), rng.randint(6, 20))), post.thread()
    file: Item | None = None
    if rng.random() < 0.4:
        file = {
            "name": f"plan {subject}.pdf".replace(" ", "-").lower(),
            "kind": "plan",
            "room": rng.choice(ROOMS),
            "start": world.day(rng.randint(5, 80)),
            "budget": rng.randrange(50000, 900000, 500),
        }
    ask = rng.choice(ASKS).format(world.look.date(world.day(rng.randint(3, 60))))
    body = f"{rng.choice(OPENERS)}\n{ask}\n{starter.name}, {starter.title}\nPhone {starter.phone}"
    cc = [other.email] if rng.random() < 0.5 else []
    post.add((starter.name, starter.email), [world.user.email], subject, body, age, folder, thread,
             file, cc)  # fmt: skip
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        age -= rng.randint(0, 2)
        writer = rng.choice((starter, other, world.user))
        mine = writer is world.user
        body = f"{rng.choice(REPLIES)}\n{writer.name.split()[0]}"
        post.add((writer.name, writer.email), [starter.email if mine else world.user.email],
                 f"Re: {subject}", body, age, SENT if mine else folder, thread)  # fmt: skip


def _bills(post: _Post, firm: Firm, own: list[str]) -> None:
    """Invoices of one firm, each an attachment; sometimes the reminder of one."""
    world, rng = post.world, post.rng
    initials = "".join(word[0] for word in firm.name.split())
    sender, to = (_firm_name(firm), firm.email), [world.user.email]
    for index in range(rng.randint(2, 3)):
        age = 100 - 40 * index - rng.randint(0, 15)
        subtotal = rng.randrange(10000, 400000, 100)
        number = f"{initials}-{2000 + len(post.messages) * 9 + rng.randint(0, 8)}"
        file = {
            "name": f"{number}.pdf",
            "kind": "invoice",
            "number": number,
            "subtotal": subtotal,
            "tax": subtotal // 5,
            "total": subtotal + subtotal // 5,
            "due": (date.fromisoformat(world.today) + timedelta(days=30 - age)).isoformat(),
        }
        body = f"Dear {world.user.name},\nplease find our invoice {number} attached.\n{sender[0]}"
        folder = rng.choice((INBOX, INBOX, ARCHIVE, rng.choice(own)))
        thread = post.thread()
        post.add(sender, to, f"Invoice {number}", body, age, folder, thread, file)
        if rng.random() < 0.15:
            body = f"Dear {world.user.name},\nwe still wait for your payment.\n{sender[0]}"
            post.add(
                sender,
                to,
                f"Reminder: invoice {number}",
                body,
                rng.randint(0, 12),
                INBOX,
                thread,
                file,
            )


def _rules(rng: random.Random, folders: list[Item], billers: list[Firm]) -> list[Item]:
    """Each with a text of its own; folders that rules use and folders that none uses."""
    own = [folder["id"] for folder in folders if folder["own"]]
    texts = [firm.name for firm in rng.sample(billers, 4)] + rng.sample(TOPICS, 4)
    made: list[Item] = []
    for index, text in enumerate(texts):
        does = MOVE if index in (0, 4) else rng.choice(DOES)
        made.append(
            {
                "id": f"r{index + 1}",
                "field": FIELDS[index // 4],
                "text": text,
                "does": does,
                "folder": rng.choice(own[:3]) if does == MOVE else "",
                "label": rng.choice(LABELS) if does == LABEL else "",
                "active": rng.random() < 0.8,
            }
        )
    return made
