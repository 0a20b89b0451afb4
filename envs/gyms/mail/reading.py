"""Mail's pages of one message: reading, attachments, moving, and writing."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.gym import NotFound
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import (
    Field,
    button,
    confirm,
    details,
    el,
    form,
    join,
    labelled,
    link,
    menu,
    note,
    open_form,
    section,
    submit,
)
from envs.gyms.kit.listing import Item
from envs.gyms.kit.records import one
from envs.gyms.mail import rules
from envs.gyms.mail.app import MAIL, NO_LABEL, folder_names
from envs.gyms.mail.data import (
    ARCHIVE,
    DRAFTS,
    LABELS,
    SENT,
    SPAM,
    TRASH,
    label_of,
    who,
    written_at,
)
from envs.gyms.pages import Redirect

WRITING = {
    "reply": "Reply", "reply-all": "Reply to all", "forward": "Forward", "edit": "Edit draft",
}  # fmt: skip
VERBS = ("star", "unstar", "read", "unread", "archive", "trash", "spam", "not-spam")


def _actions(here: Here, found: Item) -> Markup:
    key, folder = found["id"], found["folder"]

    def to(text: str, place: str) -> Markup:
        return link(text, here.url(f"/messages/{key}/{place}"))

    if folder == DRAFTS:
        return el("div", to("Edit draft", "edit"), button(here, "trash", "Delete"), class_="row")
    star = ("unstar", "Remove star") if found["starred"] else ("star", "Star")
    mark = ("read", "Mark as read") if found["unread"] else ("unread", "Mark as unread")
    spam = ("not-spam", "Not spam") if folder == SPAM else ("spam", "Mark as spam")
    gone = (
        confirm(here, "destroy", "Delete for good", "It cannot be brought back.")
        if folder == TRASH
        else button(here, "trash", "Delete")
    )
    more = [to("Move to folder", "move"), to("Set label", "label"), button(here, *mark)]
    if folder != SENT:
        more.append(button(here, *spam))
    return el(
        "div",
        to("Reply", "reply"), to("Reply to all", "reply-all") if found["cc"] else None,
        to("Forward", "forward"), button(here, *star),
        button(here, "archive", "Archive") if folder != ARCHIVE else None, gone,
        menu("More", *more),
        class_="row",
    )  # fmt: skip


@MAIL.get("/messages/{key}")
def message(here: Here, key: str) -> str:
    found = one(here.state, "messages", key)
    here.note(f"message:{key}")
    file = found["file"]
    pairs = [
        ("From", f"{found['name']} <{found['email']}>"), ("To", ", ".join(found["to"]) or "nobody"),
        ("Cc", ", ".join(found["cc"]) or "nobody"), ("Date", written_at(here.world, found["at"])),
        ("In folder", one(here.state, "folders", found["folder"])["name"]),
        ("Label", found["label"] or NO_LABEL),
    ]  # fmt: skip
    attached = link(file["name"], here.url(f"/messages/{key}/attachment")) if file else "none"
    thread = [
        m for m in here.state["messages"] if m["thread"] == found["thread"] and m is not found
    ]
    thread.sort(key=lambda m: m["at"])
    others = [
        el("p", f"{who(m)}: ", link(label_of(here.world, m), here.url(f"/messages/{m['id']}")))
        for m in thread
    ]
    return page(
        here, "Message",
        details(*pairs, ("Attachment", attached)),
        _actions(here, found),
        el("div", [el("p", line) for line in found["body"].split("\n")], class_="card"),
        section("In the same thread", join(others)) if others else None,
        heading=found["subject"] or "No subject",
    )  # fmt: skip


@MAIL.get("/messages/{key}/attachment")
def attachment(here: Here, key: str) -> str:
    file = one(here.state, "messages", key)["file"]
    if file is None:
        raise NotFound("This message has no attachment")
    here.note(f"attachment:{key}")
    money, day = here.look.money, here.look.date
    if file["kind"] == "invoice":
        pairs = [("Invoice", file["number"]), ("Subtotal", money(file["subtotal"])),
                 ("Tax", money(file["tax"])), ("Total", money(file["total"])),
                 ("Due", day(file["due"]))]  # fmt: skip
    else:
        pairs = [("Room", file["room"]), ("Start", day(file["start"])),
                 ("Budget", money(file["budget"]))]  # fmt: skip
    back = link("Back to the message", here.url(f"/messages/{key}"))
    return page(here, "Attachment", details(*pairs), el("p", back), heading=file["name"])


@MAIL.get("/messages/{key}/move")
def move(here: Here, key: str) -> str:
    found = one(here.state, "messages", key)
    field = Field("folder", "Folder", "choice", "", folder_names(here))
    return page(
        here, "Move message", form(here, "save", [field], "Move message", f"/messages/{key}"),
        heading=f"Move {found['subject']}",
    )  # fmt: skip


@MAIL.post("/messages/{key}/move/save")
def move_save(here: Here, key: str) -> Redirect:
    keys = [f["id"] for f in here.state["folders"]]
    folder = here.choice("folder", "Folder", keys)
    return here.to(f"/messages/{key}", rules.act(here.state, [key], "move", folder))


@MAIL.get("/messages/{key}/label")
def label(here: Here, key: str) -> str:
    found = one(here.state, "messages", key)
    options = [("", NO_LABEL), *[(name, name) for name in LABELS]]
    field = Field("label", "Label", "choice", found["label"], options)
    return page(
        here, "Set label", form(here, "save", [field], "Save label", f"/messages/{key}"),
        heading=f"Label of {found['subject']}",
    )  # fmt: skip


@MAIL.post("/messages/{key}/label/save")
def label_save(here: Here, key: str) -> Redirect:
    rules.act(here.state, [key], "label", here.form.get("label", ""))
    return here.to(f"/messages/{key}", "Label saved")


@MAIL.post("/messages/{key}/destroy")
def destroy(here: Here, key: str) -> Redirect:
    one(here.state, "messages", key)
    rules.destroy(here.state, [key])
    return here.to(f"/folders/{TRASH}", "Deleted for good")


@MAIL.post("/messages/{key}/{verb}")
def act(here: Here, key: str, verb: str) -> Redirect:
    if verb not in VERBS:
        raise NotFound(f"There is no such action: {verb[:20]}")
    return here.to(f"/messages/{key}", rules.act(here.state, [key], verb))


# Writing.


def _writing(
    here: Here, title: str, begun: dict[str, str], cancel: str, *about: Markup | None
) -> str:
    fields = (
        Field("to", "To", value=begun["to"]),
        Field("cc", "Cc", value=begun["cc"]),
        Field("subject", "Subject", value=begun["subject"]),
        Field("text", "Text", "long", begun["text"]),
    )
    row = el(
        "div", submit(here, "send", "Send", "primary"), submit(here, "draft", "Save draft"),
        link("Cancel", here.url(cancel)), class_="row",
    )  # fmt: skip
    about = (
        *about,
        note("Separate addresses by commas. Your signature is added when it is sent."),
    )
    return page(here, title, open_form(here, "send", labelled(here, fields), row), *about)


def _written(here: Here, how: str, origin: Item | None) -> Redirect:
    draft = here.form.get("do") == "draft"
    written = {name: here.form.get(name, "")[:3000] for name in ("to", "cc", "subject", "text")}
    rules.compose(here.world, here.state, written, how, origin, draft)
    return here.to(f"/folders/{DRAFTS}" if draft else f"/folders/{SENT}",
                   "Draft saved" if draft else "Message sent")  # fmt: skip


@MAIL.get("/new")
def new(here: Here) -> str:
    here.note("new")
    return _writing(here, "New message", rules.letter(here.state, "new"), "/folders/inbox")


@MAIL.post("/new/send")
def new_send(here: Here) -> Redirect:
    return _written(here, "new", None)


@MAIL.get("/messages/{key}/{how}")
def write(here: Here, key: str, how: str) -> str:
    found = one(here.state, "messages", key)
    if how not in WRITING or (how == "edit") != (found["folder"] == DRAFTS):
        raise NotFound("This cannot be done with this message")
    here.note(f"{how}:{key}")
    about = note("The message and its attachment go along.") if how == "forward" else None
    begun = rules.letter(here.state, how, found)
    return _writing(here, WRITING[how], begun, f"/messages/{key}", about)


@MAIL.post("/messages/{key}/{how}/send")
def write_send(here: Here, key: str, how: str) -> Redirect:
    found = one(here.state, "messages", key)
    if how not in WRITING:
        raise NotFound("This cannot be done with a message")
    return _written(here, how, found)
