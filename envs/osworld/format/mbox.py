"""Reads Thunderbird's mbox files: the messages of a folder."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import getaddresses
from html.parser import HTMLParser
from typing import Any

SEPARATOR = re.compile(rb"^From (?=.*\r?\n[\w-]+:)|^From (?=\r?\n[\w-]+:)", re.MULTILINE)
TAGS = ("Important", "Work", "Personal", "To Do", "Later")
READ, STARRED, DELETED = 0x1, 0x4, 0x8
"""Of X-Mozilla-Status."""


def read_mbox(content: bytes) -> Iterator[dict[str, Any]]:
    """The messages that are not deleted, as dictionaries."""
    for source in SEPARATOR.split(content)[1:]:
        _, _, source = source.partition(b"\n")
        source = re.sub(rb"^>(?=>*From )", b"", source, flags=re.MULTILINE)
        message = email.message_from_bytes(source, policy=email.policy.default)
        flags = int(str(message["X-Mozilla-Status"] or "0").strip() or "0", 16)
        if not flags & DELETED:
            yield _describe(message, flags)


def _describe(message: EmailMessage, flags: int) -> dict[str, Any]:
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
            [part.get_filename() or "", trim_lines(_text(part))]
            for part in message.iter_attachments()
        ),
    }


def _words(body: Any) -> str:
    """The text of a message; of HTML the text that is shown. A line break counts as a space."""
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
    return sorted(address for _, address in getaddresses(message.get_all(kind, [])))


def trim_lines(text: str) -> str:
    """The text without spaces at the ends of lines, and with plain line breaks."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))
