"""Tasks on mail's rules."""

from __future__ import annotations

import random

from envs.gyms.apps.mail import rules_filters
from envs.gyms.apps.mail.data_messages import list_colleagues
from envs.gyms.apps.mail.outcomes import VISITED_RULES
from envs.gyms.apps.mail.sampling import (
    get_folder_name,
    list_own_folders,
    mail_part,
)
from envs.gyms.apps.mail.vocabulary import INBOX, MOVE
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_rule(world: Company, rng: random.Random, state: State) -> Params:
    """A rule that there is, and a new folder for it."""
    rule = rng.choice([rule for rule in mail_part(state)["rules"] if rule["folder"]])
    to = rng.choice(
        [folder for folder in list_own_folders(state) if folder["id"] != rule["folder"]]
    )
    return {
        "rule": rule["id"],
        "name": rules_filters.rule_name(mail_part(state), rule),
        "field": rule["field"],
        "text": rule["text"],
        "folder": to["id"],
        "folder_name": to["name"],
        "old_folder": rule["folder"],
        "old_name": get_folder_name(state, rule["folder"]),
    }


def _sample_new_rule(world: Company, rng: random.Random, state: State) -> Params:
    """A rule on a sender that none has yet, and that some messages in Inbox fit."""
    person = rng.choice(list_colleagues(world))
    messages = [
        m for m in mail_part(state)["messages"] if m["folder"] == INBOX and m["name"] == person.name
    ]
    if not messages:
        raise Resample("no colleague has a message in Inbox")
    to = rng.choice(list_own_folders(state))
    return {
        "text": person.email,
        "folder": to["id"],
        "folder_name": to["name"],
        "name": f"Sender contains {person.email}: move to {to['name']}",
    }


def _open_rule(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Rules")
    page = yield from navigation.search(page, p["text"])
    return (yield from navigation.open_item(page, p["name"]))


def _edit_rule(page: Page, p: Params) -> Script:
    page = yield from _open_rule(page, p)
    page = yield from navigation.fill_fields(page, {"Folder": p["folder_name"]})
    yield from navigation.click(page, "save it", "Save rule")
    return None


def _delete_rule(page: Page, p: Params) -> Script:
    page = yield from _open_rule(page, p)
    page = yield from navigation.click(page, "what else there is", "More")
    yield from navigation.confirm(page, "Delete rule")
    return None


def _create_rule(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Rules")
    page = yield from navigation.open_link(page, "a new one", "New rule")
    page = yield from navigation.fill_fields(
        page, {"Look at": "Sender", "Contains": p["text"], "Then": MOVE, "Folder": p["folder_name"]}
    )
    page = yield from navigation.click(page, "save it", "Save rule")
    page = yield from navigation.search(page, p["text"])
    page = yield from navigation.open_item(page, p["name"])
    yield from navigation.confirm(page, "Run on Inbox")
    return None


def _rule_fields(p: Params, does: str = MOVE) -> dict[str, str]:
    return {
        "field": p.get("field", "Sender"),
        "text": p["text"],
        "does": does,
        "folder": p["folder"],
        "label": "",
    }


def _apply_new_rule(world: Company, p: Params, state: State) -> None:
    rule = rules_filters.save_rule(mail_part(state), _rule_fields(p))
    rules_filters.run_rule(mail_part(state), rule["id"])


TEMPLATES = (
    Template(
        name="edit_rule",
        skills=("search", "form"),
        oracle_steps=7,
        phrasings=(
            "The rule “{name}” should move to {folder_name}. Change it.",
            "Messages that the rule “{name}” moves shall go to {folder_name} from now on.",
        ),
        sample_params=_sample_rule,
        solve=_edit_rule,
        milestones=(VISITED_RULES, FINISHED),
        apply_expected=lambda world, p, state: rules_filters.save_rule(
            mail_part(state), _rule_fields(p), p["rule"]
        ),
    ),
    Template(
        name="delete_rule",
        skills=("search", "menu", "dialog"),
        oracle_steps=8,
        phrasings=(
            "Delete the rule “{name}”.",
            "The rule “{name}” is not wanted any more: delete it.",
        ),
        sample_params=_sample_rule,
        solve=_delete_rule,
        milestones=(VISITED_RULES, FINISHED),
        apply_expected=lambda world, p, state: rules_filters.delete_rule(
            mail_part(state), p["rule"]
        ),
    ),
    Template(
        name="new_rule",
        skills=("form", "dialog", "search", "multi-step"),
        oracle_steps=12,
        phrasings=(
            "Make a rule that moves messages whose sender contains {text} to {folder_name}, and "
            "run it on Inbox.",
            "Mail from {text} shall go to {folder_name}: make a rule that looks at the sender for "
            "this address, then run it on Inbox once.",
        ),
        sample_params=_sample_new_rule,
        solve=_create_rule,
        milestones=(VISITED_RULES, FINISHED),
        apply_expected=_apply_new_rule,
    ),
)
