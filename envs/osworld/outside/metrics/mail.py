"""The metric of mail.

Guarantees: `mail_is` sees every message of every folder, so nothing may be lost, added, moved or
marked that the rules do not say; which messages were read matters only where the rules say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from email.utils import getaddresses
from typing import Any

from envs.desktop.profiles.thunderbird import ADDRESS
from envs.osworld.format.mbox import trim_lines

OWN_FOLDERS = frozenset(
    {"Inbox", "Drafts", "Sent", "Trash", "Templates", "Archives", "Junk", "Unsent Messages"}
)
"""Folders that the program makes by itself."""
Message = Mapping[str, Any]


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


def _same_messages(messages: Sequence[Message], expected: Sequence[Message]) -> bool:
    left = list(messages)
    for rule in expected:
        match = next((message for message in left if _is(message, rule)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _is(message: Message, rule: Message) -> bool:
    expected: dict[str, Any] = {
        "subject": rule["subject"],
        "text": " ".join(rule["text"].split()),
        "from": _parse_addresses(rule.get("from", ADDRESS)),
        "to": _parse_addresses(rule.get("to", ADDRESS)),
        "cc": _parse_addresses(rule.get("cc", "")),
        "bcc": _parse_addresses(rule.get("bcc", "")),
        "starred": bool(rule.get("starred")),
        "tags": sorted(rule.get("tags", ())),
        "attachments": sorted(
            [a["name"], trim_lines(a["text"])] for a in rule.get("attachments", ())
        ),
    }
    if "must_read" in rule:
        expected["read"] = rule["must_read"]
    return all(message[key] == value for key, value in expected.items())


def _parse_addresses(addresses: str) -> list[str]:
    return sorted(address for _, address in getaddresses([addresses]) if address)
