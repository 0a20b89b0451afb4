"""What a seed's messages say: threads, invoices, offers, newsletters, spam, drafts.

Draws take from the random source in a fixed order, so that a seed always makes the same messages.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from envs.gyms.apps.mail.vocabulary import (
    ARCHIVE,
    DRAFTS,
    INBOX,
    LABELS,
    OFFERS,
    OPENERS,
    REPLIES,
    REQUESTS,
    ROOMS,
    SENT,
    STRANGERS,
    TOPICS,
    Item,
)
from envs.gyms.kit.company import Company, Firm, Person
from envs.gyms.kit.names import number_of


class MessageWriter:
    """Collects the messages of a state, each at a moment of its own."""

    def __init__(self, world: Company) -> None:
        self.world, self.rng = world, world.rng("mail")
        self.messages: list[Item] = []
        self._moments: set[str] = set()
        self._threads = 0

    def new_thread(self) -> str:
        """The id of a thread that no message is in yet."""
        self._threads += 1
        return f"t{self._threads}"

    def add(
        self,
        *,
        sender: tuple[str, str],
        to: list[str],
        subject: str,
        body: str,
        age: int,
        folder: str,
        thread: str,
        file: Item | None = None,
        cc: list[str] | None = None,
    ) -> None:
        """Adds a message of `age` days ago; `sender` is name and address.

        Messages in Sent and Drafts are the user's own: never unread or labelled."""
        rng = self.rng
        at = ""
        while not at or at in self._moments:
            minute = rng.randint(7 * 60, 16 * 60 - 1)
            at = f"{self.world.day(-age)} {minute // 60:02d}:{minute % 60:02d}"
        self._moments.add(at)
        is_own = folder in (SENT, DRAFTS)
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
                "unread": not is_own and rng.random() < 0.35,
                "label": rng.choice(LABELS) if not is_own and rng.random() < 0.15 else "",
                "file": file,
            }
        )


def list_colleagues(world: Company) -> list[Person]:
    """Everybody but the user."""
    return [person for person in world.people if person.id != world.user.id]


def _firm_sender(firm: Firm) -> tuple[str, str]:
    return f"{firm.contact}, {firm.name}", firm.email


def write_thread(writer: MessageWriter, subject: str, folder: str) -> None:
    """A thread of colleagues.

    Whoever begins it signs in full, with a phone; answers carry the first name alone."""
    world, rng = writer.world, writer.rng
    starter, other = rng.sample(list_colleagues(world), 2)
    age, thread = rng.choice((rng.randint(6, 90), rng.randint(6, 20))), writer.new_thread()
    file: Item | None = None
    if rng.random() < 0.4:
        file = {
            "name": f"plan {subject}.pdf".replace(" ", "-").lower(),
            "kind": "plan",
            "room": rng.choice(ROOMS),
            "start": world.day(rng.randint(5, 80)),
            "budget": rng.randrange(50000, 900000, 500),
        }
    request = rng.choice(REQUESTS).format(world.locale.format_date(world.day(rng.randint(3, 60))))
    body = (
        f"{rng.choice(OPENERS)}\n{request}\n{starter.name}, {starter.title}\nPhone {starter.phone}"
    )
    writer.add(
        cc=[other.email] if rng.random() < 0.5 else [],
        sender=(starter.name, starter.email),
        to=[world.user.email],
        subject=subject,
        body=body,
        age=age,
        folder=folder,
        thread=thread,
        file=file,
    )
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        age -= rng.randint(0, 2)
        author = rng.choice((starter, other, world.user))
        is_own = author is world.user
        writer.add(
            sender=(author.name, author.email),
            to=[starter.email if is_own else world.user.email],
            subject=f"Re: {subject}",
            body=f"{rng.choice(REPLIES)}\n{author.name.split()[0]}",
            age=age,
            folder=SENT if is_own else folder,
            thread=thread,
        )


def write_invoices(writer: MessageWriter, firm: Firm, own_folders: list[str]) -> None:
    """Invoices of one firm, each an attachment; sometimes the reminder of one."""
    world, rng = writer.world, writer.rng
    initials = "".join(word[0] for word in firm.name.split())
    sender, to = _firm_sender(firm), [world.user.email]
    for index in range(rng.randint(2, 3)):
        age = 100 - 40 * index - rng.randint(0, 15)
        subtotal = rng.randrange(10000, 400000, 100)
        serial = 2000 + len(writer.messages) * 9 + rng.randint(0, 8)
        number = f"{initials}-{number_of(world.seed, serial)}"
        file = {
            "name": f"{number}.pdf",
            "kind": "invoice",
            "number": number,
            "subtotal": subtotal,
            "tax": subtotal // 5,
            "total": subtotal + subtotal // 5,
            "due": (date.fromisoformat(world.today) + timedelta(days=30 - age)).isoformat(),
        }
        greeting = f"Dear {world.user.name},\n"
        thread = writer.new_thread()
        writer.add(
            sender=sender,
            to=to,
            subject=f"Invoice {number}",
            body=f"{greeting}please find our invoice {number} attached.\n{sender[0]}",
            age=age,
            folder=rng.choice((INBOX, INBOX, ARCHIVE, rng.choice(own_folders))),
            thread=thread,
            file=file,
        )
        if rng.random() < 0.15:
            writer.add(
                sender=sender,
                to=to,
                subject=f"Reminder: invoice {number}",
                body=f"{greeting}we still wait for your payment.\n{sender[0]}",
                age=rng.randint(0, 12),
                folder=INBOX,
                thread=thread,
                file=file,
            )


def write_offer(writer: MessageWriter, firm: Firm, choose_folder: Callable[[], str]) -> None:
    """An answer of a firm to a question of the user."""
    world, rng = writer.world, writer.rng
    thanks = "thank you for your question. We will call you."
    writer.add(
        sender=_firm_sender(firm),
        to=[world.user.email],
        subject=rng.choice(OFFERS),
        body=f"Dear {world.user.name},\n{thanks}\n{firm.contact}",
        age=rng.randint(20, 120),
        folder=choose_folder(),
        thread=writer.new_thread(),
    )


def write_newsletters(writer: MessageWriter, name: str) -> None:
    """The latest issues of one newsletter, a week apart."""
    rng = writer.rng
    first = rng.randint(10, 90)
    for index in range(rng.randint(3, 4)):
        writer.add(
            sender=(name, f"news@{name.replace(' ', '-').lower()}.example"),
            to=[writer.world.user.email],
            subject=f"{name} no. {first + index}",
            body="All that happened this week.",
            age=30 - 7 * index,
            folder=INBOX,
            thread=writer.new_thread(),
        )


def write_spam(writer: MessageWriter, index: int, folder: str) -> None:
    """A message of a stranger."""
    rng = writer.rng
    name = rng.choice(STRANGERS[writer.world.split])
    writer.add(
        sender=(name, f"desk{index}@{name.replace(' ', '-').lower()}.example"),
        to=[writer.world.user.email],
        subject=f"Your chance no. {rng.randint(100, 999)}{index}",
        body="You were chosen. Answer today.",
        age=rng.randint(1, 40),
        folder=folder,
        thread=writer.new_thread(),
    )


def write_draft(writer: MessageWriter, colleague: Person) -> None:
    """A draft for a colleague, without an address yet."""
    user, rng = writer.world.user, writer.rng
    writer.add(
        sender=(user.name, user.email),
        to=[],
        subject=f"{rng.choice(TOPICS[writer.world.split])} for {colleague.name}",
        body="This is what we agreed on.",
        age=rng.randint(0, 20),
        folder=DRAFTS,
        thread=writer.new_thread(),
    )
