"""The pages of one message: reading it, its attachment, moving and labelling it."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.mail import rules_messages
from envs.gyms.apps.mail.display import correspondent, format_moment, link_label
from envs.gyms.apps.mail.page_parts import folder_options
from envs.gyms.apps.mail.vocabulary import ARCHIVE, DRAFTS, LABELS, NO_LABEL, SENT, SPAM, TRASH
from envs.gyms.kit.html import (
    Field,
    button,
    confirm_button,
    details,
    el,
    form,
    get_initials,
    join,
    link,
    menu,
    section,
)
from envs.gyms.kit.listing import Item
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import NotFound

PAGES = PageGroup()

_ACTIONS = ("star", "unstar", "read", "unread", "archive", "trash", "spam", "not-spam")


def _render_actions(request: RequestContext, message: Item) -> Markup:
    key, folder = message["id"], message["folder"]

    def to(text: str, place: str) -> Markup:
        return link(text, request.url(f"/messages/{key}/{place}"))

    if folder == DRAFTS:
        return el("div", to("Edit draft", "edit"), button(request, "trash", "Delete"), class_="row")
    star = ("unstar", "Remove star") if message["starred"] else ("star", "Star")
    mark = ("read", "Mark as read") if message["unread"] else ("unread", "Mark as unread")
    spam = ("not-spam", "Not spam") if folder == SPAM else ("spam", "Mark as spam")
    delete = (
        confirm_button(request, "destroy", "Delete for good", "It cannot be brought back.")
        if folder == TRASH
        else button(request, "trash", "Delete")
    )
    more = [to("Move to folder", "move"), to("Set label", "label"), button(request, *mark)]
    if folder != SENT:
        more.append(button(request, *spam))
    return el(
        "div",
        to("Reply", "reply"),
        to("Reply to all", "reply-all") if message["cc"] else None,
        to("Forward", "forward"),
        button(request, *star),
        button(request, "archive", "Archive") if folder != ARCHIVE else None,
        delete,
        menu("More", *more),
        class_="row",
    )


@PAGES.get("/messages/{key}")
def show_message(request: RequestContext, key: str) -> str:
    """GET: one message and links to the rest of its thread."""
    message = get_record(request.state, "messages", key)
    request.log_event(f"message:{key}")
    file = message["file"]
    pairs = [
        ("From", f"{message['name']} <{message['email']}>"),
        ("To", ", ".join(message["to"]) or "nobody"),
        ("Cc", ", ".join(message["cc"]) or "nobody"),
        ("Date", format_moment(request.world, message["at"])),
        ("In folder", get_record(request.state, "folders", message["folder"])["name"]),
        ("Label", message["label"] or NO_LABEL),
    ]
    attached = link(file["name"], request.url(f"/messages/{key}/attachment")) if file else "none"
    thread = [
        m
        for m in request.state["messages"]
        if m["thread"] == message["thread"] and m is not message
    ]
    thread.sort(key=lambda m: m["at"])
    links = [
        el(
            "p",
            f"{correspondent(m)}: ",
            link(link_label(request.world, m), request.url(f"/messages/{m['id']}")),
        )
        for m in thread
    ]
    return render_page(
        request,
        "Message",
        details(*pairs, ("Attachment", attached), initials=get_initials(message["name"])),
        _render_actions(request, message),
        el("div", [el("p", line) for line in message["body"].split("\n")], class_="card"),
        section("In the same thread", join(links)) if links else None,
        heading=message["subject"] or "No subject",
    )


@PAGES.get("/messages/{key}/attachment")
def show_attachment(request: RequestContext, key: str) -> str:
    """GET: what is in the attached file."""
    file = get_record(request.state, "messages", key)["file"]
    if file is None:
        raise NotFound("This message has no attachment")
    request.log_event(f"attachment:{key}")
    money, day = request.locale.format_money, request.locale.format_date
    if file["kind"] == "invoice":
        pairs = [
            ("Invoice", file["number"]),
            ("Subtotal", money(file["subtotal"])),
            ("Tax", money(file["tax"])),
            ("Total", money(file["total"])),
            ("Due", day(file["due"])),
        ]
    else:
        pairs = [
            ("Room", file["room"]),
            ("Start", day(file["start"])),
            ("Budget", money(file["budget"])),
        ]
    back = link("Back to the message", request.url(f"/messages/{key}"))
    return render_page(request, "Attachment", details(*pairs), el("p", back), heading=file["name"])


@PAGES.get("/messages/{key}/move")
def show_move_form(request: RequestContext, key: str) -> str:
    """GET: the form for another folder."""
    message = get_record(request.state, "messages", key)
    field = Field("folder", "Folder", kind="choice", value="", options=folder_options(request))
    return render_page(
        request,
        "Move message",
        form(request, "save", [field], "Move message", f"/messages/{key}"),
        heading=f"Move {message['subject']}",
    )


@PAGES.post("/messages/{key}/move/save")
def save_move(request: RequestContext, key: str) -> Redirect:
    """POST: moves the message."""
    keys = [f["id"] for f in request.state["folders"]]
    folder = request.get_choice("folder", "Folder", keys)
    return request.redirect_to(
        f"/messages/{key}", rules_messages.apply_action(request.state, [key], "move", folder)
    )


@PAGES.get("/messages/{key}/label")
def show_label_form(request: RequestContext, key: str) -> str:
    """GET: the form for a label."""
    message = get_record(request.state, "messages", key)
    options = [("", NO_LABEL), *[(name, name) for name in LABELS]]
    field = Field("label", "Label", kind="choice", value=message["label"], options=options)
    return render_page(
        request,
        "Set label",
        form(request, "save", [field], "Save label", f"/messages/{key}"),
        heading=f"Label of {message['subject']}",
    )


@PAGES.post("/messages/{key}/label/save")
def save_label(request: RequestContext, key: str) -> Redirect:
    """POST: sets or removes the label."""
    rules_messages.apply_action(request.state, [key], "label", request.form.get("label", ""))
    return request.redirect_to(f"/messages/{key}", "Label saved")


@PAGES.post("/messages/{key}/destroy")
def delete_for_good(request: RequestContext, key: str) -> Redirect:
    """POST: deletes a message in Trash."""
    get_record(request.state, "messages", key)
    rules_messages.delete_for_good(request.state, [key])
    return request.redirect_to(f"/folders/{TRASH}", "Deleted for good")


@PAGES.post("/messages/{key}/{verb}")
def act_on_message(request: RequestContext, key: str, verb: str) -> Redirect:
    """POST: one of the buttons that need no form."""
    if verb not in _ACTIONS:
        raise NotFound(f"There is no such action: {verb[:20]}")
    return request.redirect_to(
        f"/messages/{key}", rules_messages.apply_action(request.state, [key], verb)
    )
