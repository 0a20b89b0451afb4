"""Tasks in the mail program: folders, marks, drafts, attachments."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tasksets.desktop.actions import click, finish, key, tool
from tasksets.desktop.checks import all_of, answer_is, check_file, mail_is, only_changed
from tasksets.desktop.setup_steps import create_mailbox, open_mail
from tasksets.desktop.template import DOCUMENTS, HOME, MAIL, DesktopTemplate, Draft, Json
from tasksets.desktop.vocabulary import CHORES, PEOPLE, PROJECTS, SENTENCES, TOPICS

INBOX = f"{HOME}/.thunderbird/user.default/Mail/Local Folders/Inbox"
STRAY_MESSAGE = (
    "From - Mon Mar  3 09:00:00 2025\nX-Mozilla-Status: 0001\nFrom: x@example.com\n"
    "Subject: Stray\n\nStray\n\n"
)
Folders = dict[str, list[Json]]


def mail_address(person: str) -> str:
    """A person's address."""
    return f"{person.lower().replace(' ', '.')}@example.com"


def sample_inbox(rng: random.Random, count: int) -> list[Json]:
    """`count` messages with different senders and subjects, one an hour."""
    people, topics = rng.sample(PEOPLE, count), rng.sample(TOPICS, count)
    return [
        {
            "from": f"{sender} <{mail_address(sender)}>",
            "subject": f"{topic} {rng.choice(('plan', 'update', 'question', 'report'))}",
            "text": f"Hello,\n\n{rng.choice(SENTENCES)}\n\n{sender.split()[0]}",
            "date": f"Mon, 03 Mar 2025 {hour:02}:00:00 +0000",
        }
        for hour, (sender, topic) in enumerate(zip(people, topics, strict=True), 8)
    ]


def sender_name(message: Json) -> str:
    """The sender without the address."""
    name: str = message["from"].split(" <")[0]
    return name


def edit_mail(
    *,
    instruction: str,
    before: Folders,
    after: Folders,
    api: Sequence[Json],
    gui: Sequence[Json] | None = None,
) -> Draft:
    """A task that turns the mail folders `before` into `after`."""
    return Draft(
        instruction=instruction,
        config=[create_mailbox(before), open_mail()],
        evaluator=all_of(mail_is(after), only_changed()),
        api=[*api, finish()],
        gui=None if gui is None else [*gui, finish()],
        over_edits=[{"path": INBOX, "append": STRAY_MESSAGE}],
    )


def select_message(inbox: list[Json], number: int) -> list[Json]:
    """The oracle's way to a message of the Inbox, which shows the latest one first."""
    below = len(inbox) - 1 - number
    first = click(inbox[-1]["from"], "cell")
    return [first] if below == 0 else [first, key("down", repeat=below)]


def mail_move(rng: random.Random) -> Draft:
    """A message is moved into a new folder."""
    inbox, folder = sample_inbox(rng, 5), f"Project {rng.choice(PROJECTS)}"
    number = rng.randrange(5)
    return edit_mail(
        instruction=f'In Thunderbird, make a folder "{folder}" in Local Folders and move the '
        f'message "{inbox[number]["subject"]}" from the Inbox into it.',
        before={"Inbox": inbox},
        after={
            "Inbox": [message for n, message in enumerate(inbox) if n != number],
            folder: [inbox[number]],
        },
        api=[
            tool("thunderbird.create_folder", folder=folder),
            tool("thunderbird.messages"),
            tool("thunderbird.move_messages", folder="Inbox", messages=[number + 1], to=folder),
        ],
    )


def mail_star(rng: random.Random) -> Draft:
    """A star for the message of one sender."""
    inbox = sample_inbox(rng, 5)
    number = rng.randrange(5)
    sender = sender_name(inbox[number])
    after = [
        message | ({"starred": True} if n == number else {}) for n, message in enumerate(inbox)
    ]
    return edit_mail(
        instruction=f"Star the message from {sender} in Thunderbird's Inbox, and no other one.",
        before={"Inbox": inbox},
        after={"Inbox": after},
        api=[
            tool("thunderbird.mark_messages", folder="Inbox", messages=[number + 1], starred=True)
        ],
        gui=[*select_message(inbox, number), key("s")],
    )


def mail_tag(rng: random.Random) -> Draft:
    """A tag for the messages of one sender."""
    inbox, name = sample_inbox(rng, 4), rng.choice(("Important", "Work", "Personal", "To Do"))
    number = rng.randrange(4)
    inbox.append(inbox[number] | {"subject": "One thing more"})
    tagged = [number, 4]
    after = [message | ({"tags": [name]} if n in tagged else {}) for n, message in enumerate(inbox)]
    sender = sender_name(inbox[number])
    return edit_mail(
        instruction=f"In Thunderbird, give both messages from {sender} in the Inbox the tag "
        f'"{name}".',
        before={"Inbox": inbox},
        after={"Inbox": after},
        api=[
            tool(
                "thunderbird.mark_messages",
                folder="Inbox",
                messages=[n + 1 for n in tagged],
                add_tags=[name],
            ),
        ],
    )


def mail_delete(rng: random.Random) -> Draft:
    """One message is deleted."""
    inbox = sample_inbox(rng, 5)
    number = rng.randrange(5)
    return edit_mail(
        instruction=f'Delete the message "{inbox[number]["subject"]}" from Thunderbird\'s Inbox '
        "(it may stay in the Trash). Keep all other messages.",
        before={"Inbox": inbox},
        after={
            "Inbox": [message for n, message in enumerate(inbox) if n != number],
            "Trash": [inbox[number]],
        },
        api=[tool("thunderbird.delete_messages", folder="Inbox", messages=[number + 1])],
        gui=[*select_message(inbox, number), key("delete")],
    )


def mail_draft(rng: random.Random) -> Draft:
    """A message written, not sent."""
    inbox, recipient = sample_inbox(rng, 3), rng.choice(PEOPLE)
    subject, text = f"{rng.choice(TOPICS)} meeting", f"{rng.choice(CHORES)} by Friday, please."
    return edit_mail(
        instruction=f'Write a message to {mail_address(recipient)} with the subject "{subject}" '
        f'and the text "{text}", and save it as a draft in Thunderbird. Do not send it.',
        before={"Inbox": inbox},
        after={
            "Inbox": inbox,
            "Drafts": [{"to": mail_address(recipient), "subject": subject, "text": text}],
        },
        api=[tool("thunderbird.compose", to=[mail_address(recipient)], subject=subject, text=text)],
    )


def mail_save_attachment(rng: random.Random) -> Draft:
    """An attachment is saved as a file."""
    inbox = sample_inbox(rng, 4)
    number = rng.randrange(4)
    name = f"{rng.choice(PROJECTS).lower()}.txt"
    text = "".join(f"{chore}\n" for chore in rng.sample(CHORES, 3))
    inbox[number] |= {"attachments": [{"name": name, "text": text}]}
    path = f"{DOCUMENTS}/{name}"
    return Draft(
        instruction=f'Save the attachment {name} of the message "{inbox[number]["subject"]}" in '
        "Thunderbird's Inbox into the Documents folder, under its own name.",
        config=[create_mailbox({"Inbox": inbox}), open_mail()],
        evaluator=all_of(
            check_file("text_is", path, text), mail_is({"Inbox": inbox}), only_changed(added=[path])
        ),
        api=[
            tool(
                "thunderbird.save_attachment",
                folder="Inbox",
                message=number + 1,
                attachment=name,
                path=path,
            ),
            finish(),
        ],
        over_edits=[{"path": INBOX, "append": STRAY_MESSAGE}],
    )


def mail_room_question(rng: random.Random) -> Draft:
    """A question whose answer is in one message."""
    inbox = sample_inbox(rng, 5)
    rooms = rng.sample(range(101, 399), 5)
    inbox = [
        message | {"text": f"{message['text']}\n\nPS: My room is {room} now."}
        for message, room in zip(inbox, rooms, strict=True)
    ]
    number = rng.randrange(5)
    sender = sender_name(inbox[number])
    answer: Any = rooms[number]
    return Draft(
        instruction=f"In which room is {sender} now, according to the mail in Thunderbird's Inbox? "
        "Answer with the number and change nothing.",
        config=[create_mailbox({"Inbox": inbox}), open_mail()],
        evaluator=all_of(answer_is(answer), mail_is({"Inbox": inbox}), only_changed()),
        api=[
            tool("thunderbird.messages"),
            tool("thunderbird.read_message", folder="Inbox", message=number + 1),
            finish(str(answer)),
        ],
        gui=[*select_message(inbox, number), finish(str(answer))],
        over_edits=[{"path": INBOX, "append": STRAY_MESSAGE}],
    )


TEMPLATES = (
    DesktopTemplate(name="mail_move", apps=(MAIL,), sample_draft=mail_move),
    DesktopTemplate(name="mail_star", apps=(MAIL,), sample_draft=mail_star),
    DesktopTemplate(name="mail_tag", apps=(MAIL,), sample_draft=mail_tag),
    DesktopTemplate(name="mail_delete", apps=(MAIL,), sample_draft=mail_delete),
    DesktopTemplate(name="mail_draft", apps=(MAIL,), sample_draft=mail_draft),
    DesktopTemplate(name="mail_save_attachment", apps=(MAIL,), sample_draft=mail_save_attachment),
    DesktopTemplate(name="mail_room_question", apps=(MAIL,), sample_draft=mail_room_question),
)
