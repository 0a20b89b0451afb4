"""Tasks in the mail program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from envs.gyms.desktop.prose import PROJECTS, SENTENCES, TASKS, TOPICS
from envs.gyms.desktop.template import (
    DOCUMENTS,
    HOME,
    Draft,
    Json,
    both,
    check,
    click,
    done,
    key,
    nothing_else,
    said,
    template,
    tool,
)
from envs.gyms.desktop.words import PEOPLE

APP = "thunderbird"
INBOX = f"{HOME}/.thunderbird/user.default/Mail/Local Folders/Inbox"
STRAY = (
    "From - Mon Mar  3 09:00:00 2025\nX-Mozilla-Status: 0001\nFrom: x@example.com\n"
    "Subject: Stray\n\nStray\n\n"
)
SHOWN = {"type": "open_mail", "parameters": {}}
Letters = dict[str, list[Json]]


def address(person: str) -> str:
    return f"{person.lower().replace(' ', '.')}@example.com"


def letters(rng: random.Random, count: int) -> list[Json]:
    """Messages with different senders and subjects, one an hour."""
    people, topics = rng.sample(PEOPLE, count), rng.sample(TOPICS, count)
    return [
        {
            "from": f"{who} <{address(who)}>",
            "subject": f"{topic} {rng.choice(('plan', 'update', 'question', 'report'))}",
            "text": f"Hello,\n\n{rng.choice(SENTENCES)}\n\n{who.split()[0]}",
            "date": f"Mon, 03 Mar 2025 {hour:02}:00:00 +0000",
        }
        for hour, (who, topic) in enumerate(zip(people, topics, strict=True), 8)
    ]


def mail_is(folders: Letters) -> Json:
    """One part of an evaluator: the mail folders hold just this."""
    return {
        "func": "mail_is",
        "result": {"type": "mailboxes"},
        "expected": {"type": "rule", "rules": folders},
    }


def in_mail(
    instruction: str,
    before: Letters,
    after: Letters,
    api: Sequence[Json],
    gui: Sequence[Json] | None = None,
) -> Draft:
    """A task that turns the mail folders into others."""
    return Draft(
        instruction=instruction,
        config=[{"type": "mailbox", "parameters": {"folders": before}}, SHOWN],
        evaluator=both(mail_is(after), nothing_else()),
        api=[*api, done()],
        gui=None if gui is None else [*gui, done()],
        over=[{"path": INBOX, "append": STRAY}],
    )


def select(inbox: list[Json], number: int) -> list[Json]:
    """Selects a message of the Inbox, which shows the latest one first."""
    below = len(inbox) - 1 - number
    first = click(inbox[-1]["from"], "cell")
    return [first] if below == 0 else [first, {"type": "key", "keys": ["down"], "repeat": below}]


@template(APP)
def mail_move(rng: random.Random) -> Draft:
    """A message goes into a new folder."""
    inbox, folder = letters(rng, 5), f"Project {rng.choice(PROJECTS)}"
    number = rng.randrange(5)
    return in_mail(
        f'In Thunderbird, make a folder "{folder}" in Local Folders and move the message '
        f'"{inbox[number]["subject"]}" from the Inbox into it.',
        {"Inbox": inbox},
        {"Inbox": [one for n, one in enumerate(inbox) if n != number], folder: [inbox[number]]},
        [
            tool("thunderbird.create_folder", folder=folder),
            tool("thunderbird.messages"),
            tool("thunderbird.move_messages", folder="Inbox", messages=[number + 1], to=folder),
        ],
    )


@template(APP)
def mail_star(rng: random.Random) -> Draft:
    """A star for the message of one sender."""
    inbox = letters(rng, 5)
    number = rng.randrange(5)
    who = inbox[number]["from"].split(" <")[0]
    after = [one | ({"starred": True} if n == number else {}) for n, one in enumerate(inbox)]
    return in_mail(
        f"Star the message from {who} in Thunderbird's Inbox, and no other one.",
        {"Inbox": inbox},
        {"Inbox": after},
        [tool("thunderbird.mark_messages", folder="Inbox", messages=[number + 1], starred=True)],
        [*select(inbox, number), key("s")],
    )


@template(APP)
def mail_tag(rng: random.Random) -> Draft:
    """A tag for the messages of one sender."""
    inbox, name = letters(rng, 4), rng.choice(("Important", "Work", "Personal", "To Do"))
    number = rng.randrange(4)
    inbox.append(inbox[number] | {"subject": "One thing more"})
    mine = [number, 4]
    after = [one | ({"tags": [name]} if n in mine else {}) for n, one in enumerate(inbox)]
    who = inbox[number]["from"].split(" <")[0]
    return in_mail(
        f'In Thunderbird, give both messages from {who} in the Inbox the tag "{name}".',
        {"Inbox": inbox},
        {"Inbox": after},
        [
            tool("thunderbird.mark_messages", folder="Inbox", messages=[n + 1 for n in mine],
                 add_tags=[name]),
        ],
    )  # fmt: skip


@template(APP)
def mail_delete(rng: random.Random) -> Draft:
    """One message goes to the Trash."""
    inbox = letters(rng, 5)
    number = rng.randrange(5)
    return in_mail(
        f'Delete the message "{inbox[number]["subject"]}" from Thunderbird\'s Inbox (it may stay '
        "in the Trash). Keep all other messages.",
        {"Inbox": inbox},
        {"Inbox": [one for n, one in enumerate(inbox) if n != number], "Trash": [inbox[number]]},
        [tool("thunderbird.delete_messages", folder="Inbox", messages=[number + 1])],
        [*select(inbox, number), key("delete")],
    )


@template(APP)
def mail_draft(rng: random.Random) -> Draft:
    """A message written, not sent."""
    inbox, who = letters(rng, 3), rng.choice(PEOPLE)
    subject, text = f"{rng.choice(TOPICS)} meeting", f"{rng.choice(TASKS)} by Friday, please."
    return in_mail(
        f'Write a message to {address(who)} with the subject "{subject}" and the text "{text}", '
        "and save it as a draft in Thunderbird. Do not send it.",
        {"Inbox": inbox},
        {"Inbox": inbox, "Drafts": [{"to": address(who), "subject": subject, "text": text}]},
        [tool("thunderbird.compose", to=[address(who)], subject=subject, text=text)],
    )


@template(APP)
def mail_save_attachment(rng: random.Random) -> Draft:
    """An attachment becomes a file."""
    inbox = letters(rng, 4)
    number = rng.randrange(4)
    name = f"{rng.choice(PROJECTS).lower()}.txt"
    text = "".join(f"{one}\n" for one in rng.sample(TASKS, 3))
    inbox[number] |= {"attachments": [{"name": name, "text": text}]}
    path = f"{DOCUMENTS}/{name}"
    return Draft(
        instruction=f'Save the attachment {name} of the message "{inbox[number]["subject"]}" in '
        "Thunderbird's Inbox into the Documents folder, under its own name.",
        config=[{"type": "mailbox", "parameters": {"folders": {"Inbox": inbox}}}, SHOWN],
        evaluator=both(
            check("text_is", path, text), mail_is({"Inbox": inbox}), nothing_else(added=[path])
        ),
        api=[
            tool("thunderbird.save_attachment", folder="Inbox", message=number + 1,
                 attachment=name, path=path),
            done(),
        ],
        over=[{"path": INBOX, "append": STRAY}],
    )  # fmt: skip


@template(APP)
def mail_room_question(rng: random.Random) -> Draft:
    """A question that one message answers."""
    inbox = letters(rng, 5)
    rooms = rng.sample(range(101, 399), 5)
    inbox = [
        one | {"text": f"{one['text']}\n\nPS: My room is {room} now."}
        for one, room in zip(inbox, rooms, strict=True)
    ]
    number = rng.randrange(5)
    who = inbox[number]["from"].split(" <")[0]
    answer: Any = rooms[number]
    return Draft(
        instruction=f"In which room is {who} now, according to the mail in Thunderbird's Inbox? "
        "Answer with the number and change nothing.",
        config=[{"type": "mailbox", "parameters": {"folders": {"Inbox": inbox}}}, SHOWN],
        evaluator=both(said(answer), mail_is({"Inbox": inbox}), nothing_else()),
        api=[
            tool("thunderbird.messages"),
            tool("thunderbird.read_message", folder="Inbox", message=number + 1),
            done(str(answer)),
        ],
        gui=[*select(inbox, number), done(str(answer))],
        over=[{"path": INBOX, "append": STRAY}],
    )
