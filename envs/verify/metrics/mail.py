"""Mail as the mail program keeps it: the getter of all folders, and their metric.

Guarantees: `mail_is` sees every message of every folder, so nothing may be lost, added, moved or
marked that the rules do not say; which messages were read matters only where the rules say so.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator, Mapping, Sequence
from email.message import EmailMessage
from email.utils import getaddresses
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from envs.desktop.profiles.thunderbird import ADDRESS
from envs.verify.machine import Machine, located
from envs.verify.registry import Ending, getter, metric
from envs.verify.steps.mail import DELETED, MAIL, READ, STARRED, TAGS

SEPARATOR = re.compile(rb"^From (?=.*\r?\n[\w-]+:)|^From (?=\r?\n[\w-]+:)", re.MULTILINE)
OWN_FOLDERS = frozenset(
    {"Inbox", "Drafts", "Sent", "Trash", "Templates", "Archives", "Junk", "Unsent Messages"}
)
"""Folders that the program makes by itself."""
Message = Mapping[str, Any]


@getter("mailboxes")
async def mailboxes(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    """Messages of each local folder by its path, such as "Work/Reports"."""
    root = located(machine, MAIL)
    return {
        path.relative_to(root).as_posix().replace(".sbd/", "/"): list(read_mbox(path.read_bytes()))
        for path in sorted(root.rglob("*"))
        if _holds_mail(path)
    }


def _holds_mail(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.suffix not in (".msf", ".dat", ".html")


def read_mbox(content: bytes) -> Iterator[dict[str, Any]]:
    """Messages that are not deleted."""
    for source in SEPARATOR.split(content)[1:]:
        _, _, source = source.partition(b"\n")
        source = re.sub(rb"^>(?=>*From )", b"", source, flags=re.MULTILINE)
        message = email.message_from_bytes(source, policy=email.policy.default)
        flags = int(str(message["X-Mozilla-Status"] or "0").strip() or "0", 16)
        if not flags & DELETED:
            yield _described(message, flags)


def _described(message: EmailMessage, flags: int) -> dict[str, Any]:
    body = message.get_body(preferencelist=("plain", "html"))
    keys = str(message["X-Mozilla-Keys"] or "").split()
    return {
        "subject": str(message["Subject"] or ""),
        **{kind: _addresses(message, kind) for kind in ("from", "to", "cc", "bcc")},
        "text": _words(body) if body is not None else "",
        "read": bool(flags & READ),
        "starred": bool(flags & STARRED),
        "tags": sorted(tag for n, tag in enumerate(TAGS, 1) if f"$label{n}" in keys),
        "attachments": sorted(
            [part.get_filename() or "", _plain(_text(part))] for part in message.iter_attachments()
        ),
    }


def _words(body: Any) -> str:
    """Text of a message; where it is HTML, what it shows. Line breaks count as blanks."""
    text = str(body.get_content())
    if body.get_content_subtype() == "html":
        page = _Page()
        page.feed(text)
        page.close()
        text = "".join(page.shown)
    return " ".join(text.split())


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def handle_data(self, data: str) -> None:
        self.shown.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("br", "p", "div"):
            self.shown.append(" ")


def _text(part: EmailMessage) -> str:
    content = part.get_payload(decode=True)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _addresses(message: EmailMessage, kind: str) -> list[str]:
    return sorted(found for _, found in getaddresses(message.get_all(kind, [])))


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))


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
        "attachments": sorted([a["name"], _plain(a["text"])] for a in rule.get("attachments", ())),
    }
    if "must_read" in rule:
        wanted["read"] = rule["must_read"]
    return all(found[key] == value for key, value in wanted.items())


def _listed(addresses: str) -> list[str]:
    return sorted(found for _, found in getaddresses([addresses]) if found)
