"""What several of mail's pages show: a list of messages, a choice of folders."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from envs.gyms.apps.mail.display import (
    correspondent,
    first_line,
    format_moment,
    link_label,
    searchable_text,
)
from envs.gyms.apps.mail.vocabulary import DRAFTS, LABELS, NO_LABEL, SENT
from envs.gyms.kit.html import badge, checkbox, drawn_text, join, link
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.request import RequestContext


def folder_options(
    request: RequestContext, excluded: tuple[str, ...] = (SENT, DRAFTS)
) -> list[tuple[str, str]]:
    """Ids and names of folders for a drop-down that begins with no choice."""
    return [
        ("", "Choose a folder"),
        *[(f["id"], f["name"]) for f in request.state["folders"] if f["id"] not in excluded],
    ]


def _render_badges(message: Item) -> Markup:
    """What is notable about a message at a glance."""
    signs = [
        ("Unread", message["unread"]),
        ("Starred", message["starred"]),
        (message["label"], message["label"]),
        ("Attachment", message["file"]),
    ]
    return join(badge(text) for text, is_shown in signs if is_shown)


def _read_status(message: Item) -> str:
    return "Unread" if message["unread"] else "Read"


def _yes_or_no(key: str) -> Callable[[Item], str]:
    return lambda message: "Yes" if message[key] else "No"


_SORTS = (
    Sort("Newest", lambda m: m["at"], descending=True),
    Sort("Oldest", lambda m: m["at"]),
    Sort("Sender", lambda m: (correspondent(m), m["at"])),
    Sort("Subject", lambda m: (m["subject"], m["at"])),
)
_YES_NO = ("Yes", "No")
_FILTERS = (
    Filter("status", "Status", options=("Unread", "Read"), get_option=_read_status),
    Filter("starred", "Starred", options=_YES_NO, get_option=_yes_or_no("starred")),
    Filter("file", "Attachment", options=_YES_NO, get_option=_yes_or_no("file")),
    Filter(
        "label",
        "Label",
        options=(*LABELS, NO_LABEL),
        get_option=lambda m: m["label"] or NO_LABEL,
    ),
)


def render_messages(request: RequestContext, messages: list[Item], form_key: str) -> Markup:
    """A list of messages; `form_key` is the form that its check boxes belong to."""
    world = request.world

    def render_check_box(message: Item) -> Markup:
        moment = format_moment(world, message["at"])
        return checkbox(form_key, message["id"], f"Select {moment}")

    def render_subject(message: Item) -> Markup:
        subject = message["subject"] or "No subject"
        name = link(subject, request.url(f"/messages/{message['id']}"), link_label(world, message))
        return join((name, drawn_text(first_line(message), "snippet")))

    listing = Listing(
        columns=(
            Column("", render_check_box, "tick"),
            Column("From", correspondent, "from"),
            Column("Subject", render_subject, "subject"),
            Column("Date", lambda m: format_moment(world, m["at"]), "at"),
            Column("", _render_badges, "signs"),
        ),
        searchable_text=searchable_text,
        sorts=_SORTS,
        filters=_FILTERS,
        empty="No messages here",
        row_style=lambda message: "unread" if message["unread"] else None,
    )
    return listing.render(request, messages)
