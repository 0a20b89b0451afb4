"""Tasks on several messages of a list: find one, or treat all that fit alike."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from envs.contract.actions import Tool
from envs.gyms.apps.mail import rules_folders, rules_messages
from envs.gyms.apps.mail.display import format_moment
from envs.gyms.apps.mail.oracle_moves import open_folder, tick_messages
from envs.gyms.apps.mail.outcomes import VISITED_FOLDER, VISITED_LIST, expect_action
from envs.gyms.apps.mail.sampling import (
    choose_message,
    get_folder_name,
    is_colleague,
    list_own_folders,
    mail_part,
)
from envs.gyms.apps.mail.vocabulary import (
    ARCHIVE,
    INBOX,
    LABELS,
    NEWSLETTERS,
    OWN_FOLDERS,
    STRANGERS,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page


def _sample_all_of_sender(
    world: Company, rng: random.Random, names: tuple[str, ...], state: State
) -> Params:
    name = rng.choice(names)
    messages = [
        m for m in mail_part(state)["messages"] if m["name"] == name and m["folder"] == INBOX
    ]
    if len(messages) < 2:
        raise Resample("no sender has two messages in Inbox")
    return {
        "sender": name,
        "messages": [m["id"] for m in messages],
        "moments": [format_moment(world, m["at"]) for m in messages],
    }


def _sample_folder_with_unread(world: Company, rng: random.Random, state: State) -> Params:
    """A folder with some unread messages."""
    count: Counter[str] = Counter(m["folder"] for m in mail_part(state)["messages"] if m["unread"])
    full = [folder for folder in list_own_folders(state) if count[folder["id"]] > 0]
    if not full:
        raise Resample("no folder holds unread messages")
    folder: dict[str, Any] = rng.choice(full)
    return {"folder": folder["id"], "name": folder["name"]}


def _sample_newsletter(world: Company, rng: random.Random, state: State) -> Params:
    return _sample_all_of_sender(world, rng, NEWSLETTERS[world.split], state)


def _add_strangers(world: Company, rng: random.Random, state: State) -> None:
    """One of the strangers has three messages in Inbox."""
    strangers = STRANGERS[world.split]
    name = rng.choice(strangers)
    for message in [m for m in mail_part(state)["messages"] if m["name"] in strangers][:3]:
        message["name"] = name


def _sample_strangers(world: Company, rng: random.Random, state: State) -> Params:
    return _sample_all_of_sender(world, rng, STRANGERS[world.split], state)


def _sample_unread_files(world: Company, rng: random.Random, state: State) -> Params:
    """Unread messages with an attachment, in a folder, that get a label."""
    folder = rng.choice([INBOX, ARCHIVE, *[f["id"] for f in list_own_folders(state)]])
    messages = [
        m
        for m in mail_part(state)["messages"]
        if m["folder"] == folder and m["unread"] and m["file"]
    ]
    label = rng.choice(LABELS)
    if not 1 <= len(messages) <= 5 or any(m["label"] == label for m in messages):
        raise Resample("no folder holds a few unread messages with attachments")
    return {
        "folder": folder,
        "name": get_folder_name(state, folder),
        "company": world.name,
        "new_label": label,
        "messages": [m["id"] for m in messages],
        "moments": [format_moment(world, m["at"]) for m in messages],
    }


def _sample_thread(world: Company, rng: random.Random, state: State) -> Params:
    """All that others wrote in a thread, and a folder that there is not yet."""
    message = choose_message(world, rng, state, lambda m: is_colleague(world, m))
    thread = [
        m
        for m in mail_part(state)["messages"]
        if m["thread"] == message["thread"] and m["folder"] == message["folder"]
    ]
    names = [folder["name"] for folder in mail_part(state)["folders"]]
    if len(thread) < 2:
        raise Resample("no thread has two messages in a folder")
    stem = message["subject"].removeprefix("Re: ")
    return {
        "subject": stem,
        "from_folder": message["folder"],
        "from_name": get_folder_name(state, message["folder"]),
        "messages": [m["id"] for m in thread],
        "moments": [format_moment(world, m["at"]) for m in thread],
        "name": rng.choice([name for name in OWN_FOLDERS[world.split] if name not in names]),
    }


def _read_oldest_sender(page: Page, p: Params) -> Script:
    page = yield from open_folder(page, p["name"])
    page = yield from navigation.filter_list(page, "Status", "Unread")
    page = yield from navigation.filter_list(page, "Sort", "Oldest")
    first = next((line for line in page.elements("link") if ", " in line.name), None)
    if first is None:
        raise OracleLost(f"no unread message on page {page.title!r}")
    page = yield page.click_on("the oldest one", first)
    return navigation.read_value(page, "From").partition(" <")[0]


def _tick_search_results(page: Page, p: Params, place: str, words: str) -> navigation.Moves:
    """Ticks the messages of the params in the results of a search."""
    page = yield from navigation.go_to(page, place)
    page = yield from navigation.search(page, words)
    return (yield from tick_messages(page, p["moments"]))


def _archive_all(page: Page, p: Params) -> Script:
    page = yield from _tick_search_results(
        page, p, "Inbox", f"from:{p['sender'].replace(' ', ' from:')}"
    )
    yield from navigation.click(page, "away with them", "Archive selected")
    return None


def _mark_all_as_spam(page: Page, p: Params) -> Script:
    page = yield from _tick_search_results(page, p, "Inbox", p["sender"])
    yield from navigation.choose_in_menu(page, "More actions", "Mark as spam")
    return None


def _label_files(page: Page, p: Params) -> Script:
    page = yield from open_folder(page, p["name"])
    page = yield from navigation.filter_list(page, "Status", "Unread")
    page = yield from navigation.filter_list(page, "Attachment", "Yes")
    page = yield from tick_messages(page, p["moments"])
    page = yield from navigation.fill_fields(page, {"Label as": p["new_label"]})
    yield from navigation.click(page, "label them", "Label selected")
    return None


def _file_thread(page: Page, p: Params) -> Script:
    if page.find("link", "New folder") is None:
        page = yield from navigation.go_to(page, "Folders")
    page = yield from navigation.open_link(page, "a place for them", "New folder")
    page = yield from navigation.fill_fields(page, {"Name": p["name"]})
    page = yield from navigation.click(page, "create it", "Create folder")
    page = yield from open_folder(page, p["from_name"])
    page = yield from navigation.search(page, p["subject"])
    page = yield from tick_messages(page, p["moments"])
    page = yield from navigation.fill_fields(page, {"Move to": p["name"]})
    yield from navigation.click(page, "move them", "Move selected")
    return None


def _oldest_sender(world: Company, p: Params, before: State) -> str:
    unread = [
        m for m in mail_part(before)["messages"] if m["folder"] == p["folder"] and m["unread"]
    ]
    return str(min(unread, key=lambda m: m["at"])["name"])


def _apply_thread(world: Company, p: Params, state: State) -> None:
    folder = rules_folders.create_folder(mail_part(state), p["name"])
    rules_messages.apply_action(mail_part(state), p["messages"], "move", folder["id"])


TEMPLATES = (
    Template(
        name="oldest_unread",
        skills=("filter", "sort", "answer"),
        oracle_steps=7,
        phrasings=(
            "Who sent the oldest unread message in the folder {name}? Answer as the list names "
            "them.",
            "Give the sender, as the list shows it, of the unread message in {name} with the "
            "earliest date.",
        ),
        sample_params=_sample_folder_with_unread,
        solve=_read_oldest_sender,
        milestones=(VISITED_FOLDER, FINISHED),
        expected_answer=_oldest_sender,
    ),
    Template(
        name="archive_newsletter",
        skills=("search", "multi-step"),
        oracle_steps=9,
        phrasings=(
            "Archive all messages in Inbox from {sender}, and no others.",
            "All that {sender} sent to Inbox belongs in Archive. Move it there.",
        ),
        sample_params=_sample_newsletter,
        solve=_archive_all,
        milestones=(VISITED_LIST, FINISHED),
        apply_expected=expect_action("archive", "messages"),
        tool_calls=lambda p: [
            Tool(name="mail.move", arguments={"messages": p["messages"], "folder": "Archive"})
        ],
    ),
    Template(
        name="spam",
        skills=("search", "menu", "multi-step"),
        oracle_steps=11,
        phrasings=(
            "Mark all messages in Inbox from {sender} as spam.",
            "{sender} is a nuisance: all its messages in Inbox are spam. Mark them so.",
        ),
        sample_params=_sample_strangers,
        solve=_mark_all_as_spam,
        milestones=(VISITED_LIST, FINISHED),
        apply_expected=expect_action("spam", "messages"),
        prepare_state=_add_strangers,
    ),
    Template(
        name="label_files",
        skills=("filter", "form", "multi-step"),
        oracle_steps=13,
        phrasings=(
            "Label all unread messages with an attachment in {name} of my mail at {company} as "
            "{new_label}.",
            "In {name} of {company} Mail, every unread message that carries an attachment gets "
            "the label {new_label}.",
        ),
        sample_params=_sample_unread_files,
        solve=_label_files,
        milestones=(VISITED_LIST, FINISHED),
        apply_expected=expect_action("label", "messages"),
    ),
    Template(
        name="file_thread",
        skills=("search", "form", "multi-step"),
        oracle_steps=13,
        phrasings=(
            "Create a folder {name} and move all messages with “{subject}” in their subject from "
            "{from_name} to it.",
            "The messages about “{subject}” that are in {from_name} get a new folder, {name}. "
            "Create it and move them there.",
        ),
        sample_params=_sample_thread,
        solve=_file_thread,
        milestones=(VISITED_LIST, FINISHED),
        apply_expected=_apply_thread,
    ),
)
