"""The lists of messages, of one folder or of all, and what can be done with ticked ones."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup

from envs.gyms.apps.mail import rules_messages
from envs.gyms.apps.mail.page_parts import folder_options, render_messages
from envs.gyms.apps.mail.vocabulary import DRAFTS, LABELS, NO_LABEL, SPAM, TRASH
from envs.gyms.kit.html import (
    confirm_button,
    el,
    join,
    menu,
    note,
    open_form,
    select,
    submit_button,
)
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()

_MORE_ACTIONS = (
    ("star", "Star selected"),
    ("read", "Mark as read"),
    ("unread", "Mark as unread"),
    ("spam", "Mark as spam"),
)


@PAGES.get("/folders/{key}")
def show_folder(request: RequestContext, key: str) -> str:
    """GET: the messages of one folder."""
    folder = get_record(request.state, "folders", key)
    _keep_query(request)
    request.log_event(f"folder:{key}")
    request.log_event("list")
    messages = [m for m in request.state["messages"] if m["folder"] == key]
    actions = None
    if key == TRASH:
        actions = confirm_button(
            request, "empty", "Empty Trash", "All that is in it is gone then, for good."
        )
    elif key == SPAM:
        actions = note("Spam is not searched by All mail.")
    elif folder["own"]:
        question = "Its messages go to Archive."
        is_used = any(rule["folder"] == key for rule in request.state["rules"])
        if is_used:
            request.log_event(f"used:{key}")
        actions = join(
            (
                menu("Folder", confirm_button(request, "delete", "Delete folder", question)),
                note("A rule uses this folder: it cannot be deleted.") if is_used else None,
            )
        )
    title = str(folder["name"])
    return render_page(
        request,
        title,
        actions,
        _render_bulk_form(request, key),
        render_messages(request, messages, "bulk"),
    )


@PAGES.get("/all")
def show_all_mail(request: RequestContext) -> str:
    """GET: the messages of all folders except Spam, Trash and Drafts."""
    _keep_query(request)
    request.log_event("list")
    messages = [m for m in request.state["messages"] if m["folder"] not in (SPAM, TRASH, DRAFTS)]
    hint = note("All folders but Spam, Trash and Drafts. from:anna looks at senders only.")
    return render_page(
        request,
        "All mail",
        hint,
        _render_bulk_form(request, "all"),
        render_messages(request, messages, "bulk"),
    )


@PAGES.post("/folders/{key}/bulk")
def act_in_folder(request: RequestContext, key: str) -> Redirect:
    """POST: applies an action to the ticked messages."""
    return _apply_bulk_action(request, f"/folders/{key}")


@PAGES.post("/all/bulk")
def act_in_all_mail(request: RequestContext) -> Redirect:
    """POST: applies an action to the ticked messages."""
    return _apply_bulk_action(request, "/all")


def _keep_query(request: RequestContext) -> None:
    """Leads a refused bulk form back to the list with the query that it was sent from."""
    if not request.query:
        request.query.update(parse_qsl(request.draft.get("query", "")[:500]))


def _render_bulk_form(request: RequestContext, key: str) -> Markup:
    """What can be done with the ticked messages of the list."""
    parts = [el("input", type="hidden", name="query", value=urlencode(request.query))]
    if key != "archive":
        parts.append(submit_button(request, "archive", "Archive selected"))
    if key != TRASH:
        parts.append(submit_button(request, "trash", "Delete selected"))
    places = select("folder", folder_options(request), "")
    labels = select("label", [("", NO_LABEL), *[(name, name) for name in LABELS]], "")
    parts += [
        el("label", el("span", "Move to"), places),
        submit_button(request, "move", "Move selected"),
        el("label", el("span", "Label as"), labels),
        submit_button(request, "label", "Label selected"),
        menu("More actions", *[submit_button(request, verb, text) for verb, text in _MORE_ACTIONS]),
    ]
    return open_form(request, "bulk", *parts, key="bulk", class_="listing")


def _apply_bulk_action(request: RequestContext, place: str) -> Redirect:
    keys = [m["id"] for m in request.state["messages"] if request.form.get(m["id"]) == "yes"]
    verb = request.form.get("do", "")
    target = request.form.get("label" if verb == "label" else "folder", "")
    flash = rules_messages.apply_action(request.state, keys, verb, target)
    query = urlencode(parse_qsl(request.form.get("query", "")[:500]))
    return request.redirect_to(f"{place}?{query}" if query else place, flash)
