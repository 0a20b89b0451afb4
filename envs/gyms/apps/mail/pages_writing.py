"""The pages that write a message: a new one, an answer, a forward, a draft."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.mail import rules_writing
from envs.gyms.apps.mail.vocabulary import DRAFTS, SENT
from envs.gyms.kit.html import Field, el, link, note, open_form, render_fields, submit_button
from envs.gyms.kit.listing import Item
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import NotFound

PAGES = PageGroup()

_WRITING_TITLES = {
    "reply": "Reply",
    "reply-all": "Reply to all",
    "forward": "Forward",
    "edit": "Edit draft",
}


def _render_form(
    request: RequestContext, title: str, values: dict[str, str], cancel: str, *notes: Markup | None
) -> str:
    addresses = sorted({person.email for person in request.world.people})
    fields = (
        Field("to", "To", value=values["to"], suggestions=addresses),
        Field("cc", "Cc", value=values["cc"], suggestions=addresses),
        Field("subject", "Subject", value=values["subject"]),
        Field("text", "Text", kind="long", value=values["text"]),
    )
    row = el(
        "div",
        submit_button(request, "send", "Send", "primary"),
        submit_button(request, "draft", "Save draft"),
        link("Cancel", request.url(cancel)),
        class_="row",
    )
    notes = (
        *notes,
        note("Separate addresses by commas. Your signature is added when it is sent."),
    )
    return render_page(
        request, title, open_form(request, "send", render_fields(request, fields), row), *notes
    )


def _submit_message(request: RequestContext, how: str, origin: Item | None) -> Redirect:
    as_draft = request.form.get("do") == "draft"
    fields = {name: request.form.get(name, "")[:3000] for name in ("to", "cc", "subject", "text")}
    rules_writing.send_message(request.world, request.state, fields, how, origin, as_draft)
    return request.redirect_to(
        f"/folders/{DRAFTS}" if as_draft else f"/folders/{SENT}",
        "Draft saved" if as_draft else "Message sent",
    )


@PAGES.get("/new")
def show_new_message(request: RequestContext) -> str:
    """GET: an empty message."""
    request.log_event("new")
    return _render_form(
        request, "New message", rules_writing.prefill(request.state, "new"), "/folders/inbox"
    )


@PAGES.post("/new/send")
def send_new_message(request: RequestContext) -> Redirect:
    """POST: sends it or keeps it as a draft."""
    return _submit_message(request, "new", None)


@PAGES.get("/messages/{key}/{how}")
def show_writing(request: RequestContext, key: str, how: str) -> str:
    """GET: an answer, a forward or a draft, with its fields prefilled."""
    message = get_record(request.state, "messages", key)
    if how not in _WRITING_TITLES or (how == "edit") != (message["folder"] == DRAFTS):
        raise NotFound("This cannot be done with this message")
    request.log_event(f"{how}:{key}")
    hint = note("The message and its attachment go along.") if how == "forward" else None
    fields = rules_writing.prefill(request.state, how, message)
    return _render_form(request, _WRITING_TITLES[how], fields, f"/messages/{key}", hint)


@PAGES.post("/messages/{key}/{how}/send")
def send_written_message(request: RequestContext, key: str, how: str) -> Redirect:
    """POST: sends it or keeps it as a draft."""
    message = get_record(request.state, "messages", key)
    if how not in _WRITING_TITLES:
        raise NotFound("This cannot be done with a message")
    return _submit_message(request, how, message)
