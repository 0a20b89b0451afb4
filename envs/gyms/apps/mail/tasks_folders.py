"""Tasks on Trash and on whole folders."""

from __future__ import annotations

import random
from collections import Counter

from envs.contract.actions import Tool
from envs.gyms.apps.mail import rules_folders, rules_messages
from envs.gyms.apps.mail.oracle_moves import open_folder
from envs.gyms.apps.mail.outcomes import VISITED_FOLDER, VISITED_LIST, VISITED_MESSAGE
from envs.gyms.apps.mail.sampling import (
    get_folder_name,
    list_own_folders,
    mail_part,
    message_params,
)
from envs.gyms.apps.mail.vocabulary import INBOX, TRASH
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _fill_trash(world: Company, rng: random.Random, state: State) -> None:
    """Three messages more are in Trash."""
    inbox = [m for m in mail_part(state)["messages"] if m["folder"] == INBOX]
    for message in rng.sample(inbox, 3):
        message["folder"] = TRASH


def _sample_trashed(world: Company, rng: random.Random, state: State) -> Params:
    messages = mail_part(state)["messages"]
    count = Counter((m["subject"], m["name"]) for m in messages)
    trashed = [m for m in messages if m["folder"] == TRASH and count[m["subject"], m["name"]] == 1]
    if not trashed:
        raise Resample("nothing in Trash can be told from the rest")
    return message_params(world, rng.choice(trashed))


def _sample_company(world: Company, rng: random.Random, state: State) -> Params:
    return {"company": world.name}


def _sample_unused_folder(world: Company, rng: random.Random, state: State) -> Params:
    """A folder that no rule uses, with something in it."""
    used = [rule["folder"] for rule in mail_part(state)["rules"]]
    filled = [m["folder"] for m in mail_part(state)["messages"]]
    unused = [f for f in list_own_folders(state) if f["id"] not in used and f["id"] in filled]
    if not unused:
        raise Resample("rules use all folders")
    folder = rng.choice(unused)
    return {"folder": folder["id"], "name": folder["name"]}


def _sample_used_folder(world: Company, rng: random.Random, state: State) -> Params:
    """A folder that a rule uses."""
    key = rng.choice([rule["folder"] for rule in mail_part(state)["rules"] if rule["folder"]])
    return {"folder": key, "name": get_folder_name(state, key)}


def _empty_trash(page: Page, p: Params) -> Script:
    page = yield from open_folder(page, "Trash")
    yield from navigation.confirm(page, "Empty Trash")
    return None


def _delete_for_good(page: Page, p: Params) -> Script:
    page = yield from open_folder(page, "Trash")
    page = yield from navigation.open_item(page, p["label"])
    yield from navigation.confirm(page, "Delete for good")
    return None


def _delete_folder(page: Page, p: Params) -> Script:
    page = yield from open_folder(page, p["name"])
    if page.text_after("A rule uses this folder") is not None:
        raise GiveUp("a rule uses this folder")
    page = yield from navigation.click(page, "what else there is", "Folder")
    yield from navigation.confirm(page, "Delete folder")
    return None


def _make_delete_calls(p: Params) -> list[Tool]:
    return [Tool(name="mail.delete_folder", arguments={"folder": p["name"]})]


TEMPLATES = (
    Template(
        name="empty_trash",
        skills=("dialog",),
        oracle_steps=4,
        phrasings=(
            "Empty Trash in {company} Mail.",
            "Delete all that is in Trash of my mail at {company} for good.",
            "Clear out Trash of {company} Mail completely.",
        ),
        sample_params=_sample_company,
        solve=_empty_trash,
        milestones=(VISITED_LIST, FINISHED),
        apply_expected=lambda world, p, state: rules_messages.empty_trash(mail_part(state)),
        prepare_state=_fill_trash,
    ),
    Template(
        name="delete_for_good",
        skills=("dialog", "multi-step"),
        oracle_steps=6,
        phrasings=(
            "Delete the message “{subject}” from {sender}, which is in Trash, for good.",
            "“{subject}” by {sender} must not stay in Trash: delete it for good, and only that.",
        ),
        sample_params=_sample_trashed,
        solve=_delete_for_good,
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=lambda world, p, state: rules_messages.delete_for_good(
            mail_part(state), [p["message"]]
        ),
        prepare_state=_fill_trash,
    ),
    Template(
        name="delete_folder",
        skills=("menu", "dialog"),
        oracle_steps=5,
        phrasings=(
            "Delete the folder {name}; its messages may go to Archive.",
            "The folder {name} is not needed any more. Delete it.",
        ),
        sample_params=_sample_unused_folder,
        solve=_delete_folder,
        milestones=(VISITED_FOLDER, FINISHED),
        apply_expected=lambda world, p, state: rules_folders.delete_folder(
            mail_part(state), p["folder"]
        ),
        tool_calls=_make_delete_calls,
    ),
    Template(
        name="delete_used_folder",
        skills=("refuse",),
        oracle_steps=2,
        phrasings=(
            "Delete the folder {name}. If mail does not allow it, change nothing and say that it "
            "cannot be done.",
            "Delete the folder {name}, provided that no rule stands in the way; else leave it all.",
        ),
        sample_params=_sample_used_folder,
        solve=_delete_folder,
        milestones=(VISITED_FOLDER, FINISHED),
        infeasible=True,
        required_events=("mail:used:{folder}",),
        tool_calls=_make_delete_calls,
    ),
)
