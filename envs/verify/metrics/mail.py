"""The metric of mail.

Guarantees: `mail_is` sees every message of every folder, so nothing may be lost, added, moved or
marked that the rules do not say; which messages were read matters only where the rules say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from email.utils import getaddresses
from typing import Any

from envs.desktop.profiles.thunderbird import ADDRESS
from envs.verify.mbox import trimmed
from envs.verify.registry import metric

OWN_FOLDERS = frozenset(
    {"Inbox", "Drafts", "Sent", "Trash", "Templates", "Archives", "Junk", "Unsent Messages"}
)
"""Folders that the program makes by itself."""
Message = Mapping[str, Any]


@metric
def mail_is(
    result: Mapping[str, Sequence[Message]], rules: Mapping[str, Sequence[Message]]
) -> float:
    """1 when each folder of the rules holds just these messages (as a `mailbox` step says them), in
    any order, and no other folder holds any or was made. Who wrote a message, or gets it, is the
    user unless the rules say otherwise; `must_read` says whether it must be read or unread."""
    if any(folder not in result for folder in rules):
        return 0.0
    strangers = result.keys() - rules.keys()
    if any(result[folder] or folder not in OWN_FOLDERS for folder in strangers):
        return 0.0
    return float(all(_same_messages(result[folder], rules[folder]) for folder in rules))


def _same_messages(found: Sequence[Message], wanted: Sequence[Message]) -> bool:
    left = list(found)
    for rule in wanted:
        match = next((one for one in left if _is(one, rule)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _is(found: Message, rule: Message) -> bool:
    wanted: dict[str, Any] = {
        "subject": rule["subject"],
        "text": " ".join(rule["text"].split()),
        "from": _listed(rule.get("from", ADDRESS)),
        "to": _listed(rule.get("to", ADDRESS)),
        "cc": _listed(rule.get("cc", "")),
        "bcc": _listed(rule.get("bcc", "")),
        "starred": bool(rule.get("starred")),
        "tags": sorted(rule.get("tags", ())),
        "attachments": sorted([a["name"], trimmed(a["text"])] for a in rule.get("attachments", ())),
    }
    if "must_read" in rule:
        wanted["read"] = rule["must_read"]
    return all(found[key] == value for key, value in wanted.items())


def _listed(addresses: str) -> list[str]:
    return sorted(found for _, found in getaddresses([addresses]) if found)
