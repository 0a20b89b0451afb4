"""Mail's state in the world of a seed: some 220 messages of colleagues, firms and others.

Guarantees: no two messages have the same moment (`at`, "2026-03-05 14:20"), so the newest one is
unique.
"""

from __future__ import annotations

import random

from envs.gyms.apps.mail.data_messages import (
    MessageWriter,
    list_colleagues,
    write_draft,
    write_invoices,
    write_newsletters,
    write_offer,
    write_spam,
    write_thread,
)
from envs.gyms.apps.mail.vocabulary import (
    ARCHIVE,
    DETAILS,
    EFFECTS,
    FIELDS,
    INBOX,
    LABEL,
    LABELS,
    MOVE,
    NEWSLETTERS,
    OWN_FOLDERS,
    SPAM,
    SYSTEM_FOLDERS,
    TOPICS,
    TRASH,
    Item,
)
from envs.gyms.kit.company import Company, Firm
from envs.gyms.server.gym import State

THREADS, ABOUT_FIRMS, BILLERS, OFFERED, DRAFTED = 38, 8, 20, 20, 6
STRANGERS_MESSAGES, STRANGERS_IN_INBOX = 12, 5


def make_state(world: Company) -> State:
    """The app's state at the start of a session."""
    writer = MessageWriter(world)
    rng, split = writer.rng, world.split
    folders = [{"id": key, "name": name, "own": False} for key, name in SYSTEM_FOLDERS]
    folders += [
        {"id": f"fo{index + 1}", "name": name, "own": True}
        for index, name in enumerate(rng.sample(OWN_FOLDERS[split], 6))
    ]
    own_folders = [str(folder["id"]) for folder in folders if folder["own"]]

    def choose_folder() -> str:
        return rng.choices((INBOX, ARCHIVE, TRASH, rng.choice(own_folders)), (10, 4, 1, 5))[0]

    billers = rng.sample(world.firms, BILLERS)
    topics = TOPICS[split]
    subjects = rng.sample([f"{topic} {detail}" for topic in topics for detail in DETAILS], THREADS)
    subjects += [f"Contract with {firm.name}" for firm in rng.sample(billers, ABOUT_FIRMS)]
    for subject in subjects:
        write_thread(writer, subject, choose_folder())
    for firm in billers:
        write_invoices(writer, firm, own_folders)
    for firm in rng.sample(world.firms, OFFERED):
        write_offer(writer, firm, choose_folder)
    for name in NEWSLETTERS[split]:
        write_newsletters(writer, name)
    for index in range(STRANGERS_MESSAGES):
        write_spam(writer, index, INBOX if index < STRANGERS_IN_INBOX else SPAM)
    for colleague in rng.sample(list_colleagues(world), DRAFTED):
        write_draft(writer, colleague)
    user = world.user
    return {
        "me": user.email,
        "folders": folders,
        "messages": writer.messages,
        "rules": _make_rules(rng, topics, folders, billers),
        "settings": {
            "signature": f"{user.name}, {user.title}",
            "vacation": {"on": False, "first": "", "last": "", "text": ""},
        },
    }


def _make_rules(
    rng: random.Random, topics: tuple[str, ...], folders: list[Item], billers: list[Firm]
) -> list[Item]:
    """Each with a text of its own; some of the own folders are used by rules, and some by none."""
    own_folders = [folder["id"] for folder in folders if folder["own"]]
    texts = [firm.name for firm in rng.sample(billers, 4)] + rng.sample(topics, 4)
    rules: list[Item] = []
    for index, text in enumerate(texts):
        does = MOVE if index in (0, 4) else rng.choice(EFFECTS)
        rules.append(
            {
                "id": f"r{index + 1}",
                "field": FIELDS[index // 4],
                "text": text,
                "does": does,
                "folder": rng.choice(own_folders[:3]) if does == MOVE else "",
                "label": rng.choice(LABELS) if does == LABEL else "",
                "active": rng.random() < 0.8,
            }
        )
    return rules
