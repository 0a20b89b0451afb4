"""Mail's lists, folders and site tools."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup

from envs.gyms.gym import Refused, State
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import App, Here
from envs.gyms.kit.html import (
    Field,
    badge,
    confirm,
    details,
    el,
    form,
    join,
    link,
    menu,
    note,
    open_form,
    select,
    submit,
    tick,
)
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.kit.site_tools import Tools, site_tool
from envs.gyms.mail import rules
from envs.gyms.mail.data import (
    DRAFTS,
    LABELS,
    SENT,
    SPAM,
    TRASH,
    fresh,
    label_of,
    who,
    written_at,
)
from envs.gyms.pages import Redirect

NO_LABEL = "No label"
MORE = (("star", "Star selected"), ("read", "Mark as read"), ("unread", "Mark as unread"),
        ("spam", "Mark as spam"))  # fmt: skip


def _stray(state: State, rng: random.Random) -> None:
    rules.create_folder(state, f"Misc {rng.randint(10, 99)}")


@site_tool("mail.search")
def search(here: Tools, text: str, folder: str | None = None) -> list[dict[str, Any]]:
    """Messages with all these words in sender, addresses or subject (from:anna looks at senders
    only), newest first, at most 20: id, folder, sender, subject, at, unread, starred, label."""
    words = text.lower().split()
    found = []
    for message in sorted(here.state["messages"], key=lambda m: m["at"], reverse=True):
        name = one(here.state, "folders", message["folder"])["name"]
        if all(word in _words(message) for word in words) and folder in (None, name):
            keys = ("id", "subject", "at", "unread", "starred", "label")
            found.append(
                {key: message[key] for key in keys} | {"folder": name, "sender": message["name"]}
            )
    return found[:20]


@site_tool("mail.read")
def read(here: Tools, message: str) -> dict[str, Any]:
    """A message by its id, with text and attachment (amounts in cents, ISO dates)."""
    return dict(one(here.state, "messages", message))


@site_tool("mail.send")
def send(here: Tools, to: str, subject: str, text: str, cc: str = "") -> str:
    """Sends a new message. to and cc: addresses, separated by commas."""
    written = {"to": to, "cc": cc, "subject": subject, "text": text}
    return str(rules.compose(here.world, here.state, written)["id"])


@site_tool("mail.reply")
def reply(here: Tools, message: str, text: str) -> str:
    """Answers the sender of a message, by its id."""
    origin = one(here.state, "messages", message)
    written = rules.letter(here.state, "reply", origin) | {"text": text}
    return str(rules.compose(here.world, here.state, written, "reply", origin)["id"])


@site_tool("mail.move")
def move(here: Tools, messages: list[str], folder: str) -> str:
    """Moves messages, by their ids, to a folder, by its name."""
    for found in here.state["folders"]:
        if found["name"] == folder:
            return rules.act(here.state, messages, "move", found["id"])
    raise Refused(f"there is no folder {folder[:20]!r}")


@site_tool("mail.mark")
def mark(here: Tools, messages: list[str], how: str) -> str:
    """Marks messages, by their ids. how: star, unstar, read or unread."""
    if how not in ("star", "unstar", "read", "unread"):
        raise Refused("how must be star, unstar, read or unread")
    return rules.act(here.state, messages, how)


MAIL = App(
    "mail",
    "Mail",
    (("Folders", "/"), ("Inbox", "/folders/inbox"), ("All mail", "/all"),
     ("New message", "/new"), ("Rules", "/rules"), ("Settings", "/settings")),
    fresh,
    _stray,
    (search, read, send, reply, move, mark),
)  # fmt: skip


def _words(message: Item) -> str:
    """What a search looks at; "from:" and "subject:" stand before words to tell them apart."""
    sender = f"{message['name']} {message['email']}"
    told = [f"from:{word}" for word in sender.split()]
    told += [f"subject:{word}" for word in message["subject"].split()]
    return " ".join([sender, *message["to"], message["subject"], *told]).lower()


def folder_names(here: Here, but: tuple[str, ...] = (SENT, DRAFTS)) -> list[tuple[str, str]]:
    return [("", "Choose a folder"), *[
        (f["id"], f["name"]) for f in here.state["folders"] if f["id"] not in but
    ]]  # fmt: skip


def _signs(message: Item) -> Markup:
    """What is to be seen of it at a glance."""
    signs = [("Unread", message["unread"]), ("Starred", message["starred"]),
             (message["label"], message["label"]), ("Attachment", message["file"])]  # fmt: skip
    return join(badge(text) for text, there in signs if there)


def _status(message: Item) -> str:
    return "Unread" if message["unread"] else "Read"


def messages(here: Here, found: list[Item], bulk: str | None) -> Markup:
    """A list of messages; `bulk` is the form that its check boxes belong to."""
    columns = [
        Column("", lambda m: tick("bulk", m["id"], f"Select {written_at(here.world, m['at'])}")),
        Column("From", lambda m: who(m)),
        Column("Subject", lambda m: link(m["subject"] or "No subject",
                                         here.url(f"/messages/{m['id']}"),
                                         label_of(here.world, m))),
        Column("Date", lambda m: written_at(here.world, m["at"])),
        Column("", _signs),
    ]  # fmt: skip
    yes_no = ("Yes", "No")
    listing = Listing(
        columns=columns if bulk else columns[1:],
        words=_words,
        sorts=(
            Sort("Newest", lambda m: m["at"], descending=True),
            Sort("Oldest", lambda m: m["at"]),
            Sort("Sender", lambda m: (who(m), m["at"])),
            Sort("Subject", lambda m: (m["subject"], m["at"])),
        ),
        filters=(
            Filter("status", "Status", ("Unread", "Read"), _status),
            Filter("starred", "Starred", yes_no, lambda m: "Yes" if m["starred"] else "No"),
            Filter("file", "Attachment", yes_no, lambda m: "Yes" if m["file"] else "No"),
            Filter("label", "Label", (*LABELS, NO_LABEL), lambda m: m["label"] or NO_LABEL),
        ),
        empty="No messages here",
    )
    return listing.show(here, found)


def _kept(here: Here) -> None:
    """A bulk form that was refused leads back to the list it was shown with."""
    if not here.query:
        here.query.update(parse_qsl(here.draft.get("query", "")[:500]))


def _bulk(here: Here, key: str) -> Markup:
    """What can be done with the ticked messages of the list."""
    parts = [el("input", type="hidden", name="query", value=urlencode(here.query))]
    if key != "archive":
        parts.append(submit(here, "archive", "Archive selected"))
    if key != TRASH:
        parts.append(submit(here, "trash", "Delete selected"))
    places = select("folder", folder_names(here), "")
    labels = select("label", [("", NO_LABEL), *[(name, name) for name in LABELS]], "")
    parts += [
        el("label", el("span", "Move to"), places), submit(here, "move", "Move selected"),
        el("label", el("span", "Label as"), labels), submit(here, "label", "Label selected"),
        menu("More actions", *[submit(here, verb, text) for verb, text in MORE]),
    ]  # fmt: skip
    return open_form(here, "bulk", *parts, key="bulk", class_="listing")


def _bulk_done(here: Here, place: str) -> Redirect:
    keys = [m["id"] for m in here.state["messages"] if here.form.get(m["id"]) == "yes"]
    verb = here.form.get("do", "")
    target = here.form.get("label" if verb == "label" else "folder", "")
    done = rules.act(here.state, keys, verb, target)
    query = urlencode(parse_qsl(here.form.get("query", "")[:500]))
    return here.to(f"{place}?{query}" if query else place, done)


@MAIL.get("/")
def folders(here: Here) -> str:
    rows = []
    for folder in here.state["folders"]:
        inside = [m for m in here.state["messages"] if m["folder"] == folder["id"]]
        name = folder["name"]
        rows.append(
            el("tr", el("td", link(name, here.url(f"/folders/{folder['id']}"), f"Folder {name}")),
               el("td", len(inside)), el("td", sum(m["unread"] for m in inside)))
        )  # fmt: skip
    head = el("tr", [el("th", title) for title in ("Folder", "Messages", "Unread")])
    new = link("New folder", here.url("/new-folder"))
    today = details(("Today", here.look.date(here.world.today)))
    return page(here, "Folders", today, el("p", new), el("table", head, rows))


@MAIL.get("/new-folder")
def folder_new(here: Here) -> str:
    return page(
        here, "New folder", form(here, "create", [Field("name", "Name")], "Create folder", "/")
    )


@MAIL.post("/new-folder/create")
def folder_create(here: Here) -> Redirect:
    made = rules.create_folder(here.state, here.required("name", "Name"))
    return here.to("/", f"Created folder {made['name']}")


@MAIL.get("/folders/{key}")
def folder(here: Here, key: str) -> str:
    found = one(here.state, "folders", key)
    _kept(here)
    here.note(f"folder:{key}")
    here.note("list")
    mine = [m for m in here.state["messages"] if m["folder"] == key]
    what = None
    if key == TRASH:
        what = confirm(here, "empty", "Empty Trash", "All that is in it is gone then, for good.")
    elif key == SPAM:
        what = note("Spam is not searched by All mail.")
    elif found["own"]:
        question = "Its messages go to Archive."
        used = any(rule["folder"] == key for rule in here.state["rules"])
        what = join(
            (menu("Folder", confirm(here, "delete", "Delete folder", question)),
             note("A rule uses this folder: it cannot be deleted.") if used else None)
        )  # fmt: skip
    title = str(found["name"])
    return page(here, title, what, _bulk(here, key), messages(here, mine, "bulk"))


@MAIL.post("/folders/{key}/bulk")
def folder_bulk(here: Here, key: str) -> Redirect:
    return _bulk_done(here, f"/folders/{key}")


@MAIL.post("/folders/{key}/empty")
def folder_empty(here: Here, key: str) -> Redirect:
    one(here.state, "folders", key)
    rules.empty_trash(here.state)
    return here.to(f"/folders/{TRASH}", "Trash is empty now")


@MAIL.post("/folders/{key}/delete")
def folder_delete(here: Here, key: str) -> Redirect:
    rules.delete_folder(here.state, key)
    return here.to("/", "Folder deleted")


@MAIL.get("/all")
def all_mail(here: Here) -> str:
    _kept(here)
    here.note("list")
    found = [m for m in here.state["messages"] if m["folder"] not in (SPAM, TRASH, DRAFTS)]
    hint = note("All folders but Spam, Trash and Drafts. from:anna looks at senders only.")
    return page(here, "All mail", hint, _bulk(here, "all"), messages(here, found, "bulk"))


@MAIL.post("/all/bulk")
def all_bulk(here: Here) -> Redirect:
    return _bulk_done(here, "/all")
