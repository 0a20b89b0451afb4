"""Mail's oracles: ways through its pages."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from envs.gyms.gym import OracleLost, OracleMove
from envs.gyms.kit import ways
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import Params
from envs.gyms.mail.data import MOVE
from envs.gyms.view import Page


def _find(page: Page, words: str, label: str) -> ways.Way:
    page = yield from ways.go(page, "All mail")
    page = yield from ways.search(page, words)
    return (yield from ways.open_item(page, label))


def _to_folder(page: Page, name: str) -> ways.Way:
    """Mail begins with the list of folders."""
    if page.find("link", f"Folder {name}") is None:
        page = yield from ways.go(page, "Folders")
    return (yield from ways.open_link(page, f"look into {name}", f"Folder {name}"))


def _open(page: Page, p: Params) -> ways.Way:
    return (yield from _find(page, p["subject"], p["label"]))


def press(name: str, *menu: str) -> Any:
    """An oracle that opens a message and presses a button, in a menu or not."""

    def solve(page: Page, p: Params) -> Script:
        page = yield from _open(page, p)
        for opener in menu:
            page = yield from ways.press(page, "what else there is", opener)
        yield from ways.press(page, name, name)
        return None

    return solve


def move(page: Page, p: Params) -> Script:
    page = yield from _open(page, p)
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "elsewhere with it", "Move to folder")
    page = yield from ways.fill(page, {"Folder": p["folder_name"]})
    yield from ways.press(page, "move it", "Move message")
    return None


def label(page: Page, p: Params) -> Script:
    page = yield from _open(page, p)
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "its label", "Set label")
    page = yield from ways.fill(page, {"Label": p["new_label"]})
    yield from ways.press(page, "save it", "Save label")
    return None


# Writing.


def _answer(page: Page, link: str, text: str) -> Script:
    page = yield from ways.open_link(page, link, link)
    page = yield from ways.fill(page, {"Text": text})
    yield from ways.press(page, "send it", "Send")
    return None


def reply(page: Page, p: Params) -> Script:
    page = yield from _open(page, p)
    return (yield from _answer(page, "Reply", p["text"]))


def reply_all(page: Page, p: Params) -> Script:
    page = yield from _open(page, p)
    return (yield from _answer(page, "Reply to all", p["text"]))


def new(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "New message")
    page = yield from ways.fill(
        page, {"To": p["to"], "Cc": p["cc"], "Subject": p["subject"], "Text": p["text"]}
    )
    yield from ways.press(page, "send it", "Send")
    return None


def forward(page: Page, p: Params) -> Script:
    page = yield from _find(page, f"from:{p['person'].replace(' ', ' from:')}", p["other_label"])
    address = _address(page)
    page = yield from _open(page, p)
    page = yield from ways.open_link(page, "pass it on", "Forward")
    page = yield from ways.fill(page, {"To": address})
    yield from ways.press(page, "send it", "Send")
    return None


def _address(page: Page) -> str:
    """Of the sender of the message that is open."""
    return ways.value_of(page, "From").partition("<")[2].rstrip(">")


def forward_file(page: Page, p: Params) -> Script:
    page = yield from _open(page, p)
    if page.says("Attachment none") is not None:
        raise GiveUp("there is no attachment")
    return None


def send_draft(page: Page, p: Params) -> Script:
    page = yield from _to_folder(page, "Drafts")
    page = yield from ways.open_item(page, p["label"])
    page = yield from ways.open_link(page, "go on with it", "Edit draft")
    page = yield from ways.fill(page, {"To": p["to"]})
    yield from ways.press(page, "send it", "Send")
    return None


def tell_phone(page: Page, p: Params) -> Script:
    page = yield from _find(page, f"from:{p['person'].replace(' ', ' from:')}", p["source_label"])
    phone = ways.value_of(page, "Phone")
    page = yield from _open(page, p)
    return (yield from _answer(page, "Reply", phone))


def _to_invoice(page: Page, label: str) -> ways.Way:
    page = yield from ways.open_item(page, label)
    file = next((line for line in page.of("link") if line.name.endswith(".pdf")), None)
    if file is None:
        raise OracleLost(f"no attachment on page {page.title!r}")
    return (yield page.click_on("what it says", file))


def tell_total(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All mail")
    page = yield from ways.search(page, f"from:{p['firm'].replace(' ', ' from:')}")
    page = yield from _to_invoice(page, p["source_label"])
    total = ways.value_of(page, "Total")
    page = yield from _open(page, p)
    return (yield from _answer(page, "Reply", total))


# Questions.


def due(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All mail")
    page = yield from ways.search(page, p["number"])
    page = yield from _to_invoice(page, p["label"])
    return ways.value_of(page, "Due")


def _largest(page: Page, p: Params) -> Generator[OracleMove, Page, tuple[Page, str]]:
    """Opens every invoice of the firm; the number of the one with the largest total."""
    best, number = "", ""
    for label in p["labels"]:
        page = yield from ways.go(page, "All mail")
        page = yield from ways.search(page, f"from:{p['firm'].replace(' ', ' from:')} invoice")
        page = yield from _to_invoice(page, label)
        total = ways.value_of(page, "Total")
        if _digits(total) > _digits(best):
            best, number = total, ways.value_of(page, "Invoice")
    return page, number


def largest(page: Page, p: Params) -> Script:
    return (yield from _largest(page, p))[1]


def tell_largest(page: Page, p: Params) -> Script:
    page, number = yield from _largest(page, p)
    page = yield from _open(page, p)
    return (yield from _answer(page, "Reply", number))


def _digits(money: str) -> int:
    return int("".join(char for char in money if char.isdigit()) or "0")


def unread(page: Page, p: Params) -> Script:
    page = yield from _to_folder(page, p["name"])
    page = yield from ways.narrow(page, "Status", "Unread")
    page = yield from ways.narrow(page, "Sort", "Oldest")
    first = next((line for line in page.of("link") if ", " in line.name), None)
    if first is None:
        raise OracleLost(f"no unread message on page {page.title!r}")
    page = yield page.click_on("the oldest one", first)
    return ways.value_of(page, "From").partition(" <")[0]


# Lists.


def _tick(page: Page, moments: list[str]) -> ways.Way:
    for moment in moments:
        page = yield from ways.press(page, "this one", f"Select {moment}", role="check")
    return page


def _ticked(page: Page, p: Params, place: str, words: str) -> ways.Way:
    """A list that shows what is to be ticked."""
    page = yield from ways.go(page, place)
    page = yield from ways.search(page, words)
    return (yield from _tick(page, p["moments"]))


def archive_all(page: Page, p: Params) -> Script:
    page = yield from _ticked(page, p, "Inbox", f"from:{p['sender'].replace(' ', ' from:')}")
    yield from ways.press(page, "away with them", "Archive selected")
    return None


def spam_all(page: Page, p: Params) -> Script:
    page = yield from _ticked(page, p, "Inbox", p["sender"])
    yield from ways.choose(page, "More actions", "Mark as spam")
    return None


def label_files(page: Page, p: Params) -> Script:
    page = yield from _to_folder(page, p["name"])
    page = yield from ways.narrow(page, "Status", "Unread")
    page = yield from ways.narrow(page, "Attachment", "Yes")
    page = yield from _tick(page, p["moments"])
    page = yield from ways.fill(page, {"Label as": p["new_label"]})
    yield from ways.press(page, "label them", "Label selected")
    return None


def file_thread(page: Page, p: Params) -> Script:
    if page.find("link", "New folder") is None:
        page = yield from ways.go(page, "Folders")
    page = yield from ways.open_link(page, "a place for them", "New folder")
    page = yield from ways.fill(page, {"Name": p["name"]})
    page = yield from ways.press(page, "create it", "Create folder")
    page = yield from _to_folder(page, p["from_name"])
    page = yield from ways.search(page, p["subject"])
    page = yield from _tick(page, p["moments"])
    page = yield from ways.fill(page, {"Move to": p["name"]})
    yield from ways.press(page, "move them", "Move selected")
    return None


def empty_trash(page: Page, p: Params) -> Script:
    page = yield from _to_folder(page, "Trash")
    yield from ways.sure(page, "Empty Trash")
    return None


def delete_for_good(page: Page, p: Params) -> Script:
    page = yield from _to_folder(page, "Trash")
    page = yield from ways.open_item(page, p["label"])
    yield from ways.sure(page, "Delete for good")
    return None


def delete_folder(page: Page, p: Params) -> Script:
    page = yield from _to_folder(page, p["name"])
    if page.says("A rule uses this folder") is not None:
        raise GiveUp("a rule uses this folder")
    page = yield from ways.press(page, "what else there is", "Folder")
    yield from ways.sure(page, "Delete folder")
    return None


# Rules and settings.


def _to_rule(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Rules")
    page = yield from ways.search(page, p["text"])
    return (yield from ways.open_item(page, p["name"]))


def edit_rule(page: Page, p: Params) -> Script:
    page = yield from _to_rule(page, p)
    page = yield from ways.fill(page, {"Folder": p["folder_name"]})
    yield from ways.press(page, "save it", "Save rule")
    return None


def delete_rule(page: Page, p: Params) -> Script:
    page = yield from _to_rule(page, p)
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Delete rule")
    return None


def new_rule(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Rules")
    page = yield from ways.open_link(page, "a new one", "New rule")
    page = yield from ways.fill(
        page, {"Look at": "Sender", "Contains": p["text"], "Then": MOVE, "Folder": p["folder_name"]}
    )
    page = yield from ways.press(page, "save it", "Save rule")
    page = yield from ways.search(page, p["text"])
    page = yield from ways.open_item(page, p["name"])
    yield from ways.sure(page, "Run on Inbox")
    return None


def vacation(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Settings")
    page = yield from ways.open_link(page, "change it", "Edit vacation responder")
    page = yield from ways.fill(
        page,
        {"Answer while I am away": True, "First day": p["first_day"], "Last day": p["last_day"],
         "Text": p["text"]},
    )  # fmt: skip
    yield from ways.press(page, "save it", "Save responder")
    return None


def signature(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Settings")
    page = yield from ways.open_link(page, "change it", "Edit signature")
    page = yield from ways.fill(page, {"Signature": p["text"]})
    yield from ways.press(page, "save it", "Save signature")
    return None
