"""Tasks on invoices that came by mail: their totals, numbers and due days."""

from __future__ import annotations

import random
from collections.abc import Generator

from envs.gyms.apps.mail import sampling
from envs.gyms.apps.mail.display import link_label
from envs.gyms.apps.mail.oracle_moves import open_invoice, open_message, send_answer
from envs.gyms.apps.mail.outcomes import (
    VISITED_ATTACHMENT,
    VISITED_LIST,
    VISITED_MESSAGE,
    expect_message,
    make_reply_calls,
)
from envs.gyms.apps.mail.sampling import UNLISTED_FOLDERS, mail_part, sample_recipient
from envs.gyms.apps.mail.vocabulary import Item
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import OracleMove, State
from envs.gyms.server.view import Page


def _list_of_firm(state: State, firm: str) -> list[Item]:
    messages = [
        m
        for m in mail_part(state)["messages"]
        if m["name"].endswith(f", {firm}") and m["folder"] not in UNLISTED_FOLDERS
    ]
    return sorted(messages, key=lambda m: str(m["at"]))


def _sample_total(world: Company, rng: random.Random, state: State) -> Params:
    """A firm whose newest message carries an invoice, and whom to tell its total."""
    firm = rng.choice(world.firms)
    messages = _list_of_firm(state, firm.name)
    if len(messages) < 2 or not messages[-1]["file"]:
        raise Resample("the newest message of each firm has no attachment")
    newest = messages[-1]
    return sample_recipient(world, rng, state) | {
        "firm": firm.name,
        "source": newest["id"],
        "source_label": link_label(world, newest),
        "total": world.locale.format_money(newest["file"]["total"]),
    }


def _sample_invoices(world: Company, rng: random.Random, state: State) -> Params:
    """A firm of which several invoices can be compared."""
    firm = rng.choice(world.firms)
    bills = [m for m in _list_of_firm(state, firm.name) if m["subject"].startswith("Invoice ")]
    totals = [m["file"]["total"] for m in bills]
    if len(bills) < 2 or len(set(totals)) < len(totals):
        raise Resample("no firm sent several invoices")
    return {
        "firm": firm.name,
        "bills": [m["id"] for m in bills],
        "labels": [link_label(world, m) for m in bills],
    }


def _sample_largest(world: Company, rng: random.Random, state: State) -> Params:
    params = _sample_invoices(world, rng, state)
    files = [get_record(mail_part(state), "messages", key)["file"] for key in params["bills"]]
    number = max(files, key=lambda file: int(file["total"]))["number"]
    return sample_recipient(world, rng, state) | params | {"number": number}


def _reply_with_total(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "All mail")
    page = yield from navigation.search(page, f"from:{p['firm'].replace(' ', ' from:')}")
    page = yield from open_invoice(page, p["source_label"])
    total = navigation.read_value(page, "Total")
    page = yield from open_message(page, p)
    return (yield from send_answer(page, "Reply", total))


def _read_due_day(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "All mail")
    page = yield from navigation.search(page, p["number"])
    page = yield from open_invoice(page, p["label"])
    return navigation.read_value(page, "Due")


def _find_largest(page: Page, p: Params) -> Generator[OracleMove, Page, tuple[Page, str]]:
    """Opens every invoice of the firm; returns the number of the one with the largest total."""
    best, number = "", ""
    for label in p["labels"]:
        page = yield from navigation.go_to(page, "All mail")
        page = yield from navigation.search(
            page, f"from:{p['firm'].replace(' ', ' from:')} invoice"
        )
        page = yield from open_invoice(page, label)
        total = navigation.read_value(page, "Total")
        if _digits(total) > _digits(best):
            best, number = total, navigation.read_value(page, "Invoice")
    return page, number


def _read_largest(page: Page, p: Params) -> Script:
    return (yield from _find_largest(page, p))[1]


def _reply_with_largest(page: Page, p: Params) -> Script:
    page, number = yield from _find_largest(page, p)
    page = yield from open_message(page, p)
    return (yield from send_answer(page, "Reply", number))


def _digits(money: str) -> int:
    return int("".join(char for char in money if char.isdigit()) or "0")


def _largest_number(world: Company, p: Params, before: State) -> str:
    bills = [get_record(mail_part(before), "messages", key)["file"] for key in p["bills"]]
    return str(max(bills, key=lambda file: file["total"])["number"])


TEMPLATES = (
    Template(
        name="tell_total",
        skills=("search", "recall", "compare", "form", "multi-step"),
        oracle_steps=13,
        phrasings=(
            "Reply to “{subject}” from {sender} with the total of the invoice attached to the "
            "newest message from the firm {firm}. The text is the amount alone, as it is written "
            "there.",
            "{sender} wants to know, in “{subject}”, the total of the invoice that came with the "
            "newest message of {firm}. Reply with just the amount as the attachment shows it.",
        ),
        sample_params=_sample_total,
        solve=_reply_with_total,
        milestones=(VISITED_ATTACHMENT, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_message("reply", "total"),
    ),
    Template(
        name="invoice_due",
        skills=("search", "answer"),
        oracle_steps=6,
        phrasings=(
            "When is the invoice {number} due? It came by mail.",
            "On which day must invoice {number}, which {sender} sent, be paid?",
        ),
        sample_params=sampling.sample_invoice_and_person,
        solve=_read_due_day,
        milestones=(VISITED_MESSAGE, FINISHED),
        expected_answer=lambda world, p, before: str(p["due"]),
        answer_kind="date",
    ),
    Template(
        name="largest_invoice",
        skills=("search", "compare", "recall", "answer", "multi-step"),
        oracle_steps=16,
        phrasings=(
            "Which of the invoices that the firm {firm} sent by mail has the largest total? Answer "
            "with its number.",
            "Give the number of the invoice with the highest total of all that {firm} mailed.",
        ),
        sample_params=_sample_invoices,
        solve=_read_largest,
        milestones=(VISITED_LIST, FINISHED),
        expected_answer=_largest_number,
    ),
    Template(
        name="tell_largest",
        skills=("search", "compare", "recall", "form", "multi-step"),
        oracle_steps=23,
        phrasings=(
            "Of the invoices that the firm {firm} sent by mail, find the one with the largest "
            "total, "
            "and reply to “{subject}” from {sender} with its number. The text is the number alone.",
            "{sender} wants to know, in “{subject}”, which invoice mailed by {firm} has the "
            "highest total. Reply with just the number of that invoice.",
        ),
        sample_params=_sample_largest,
        solve=_reply_with_largest,
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_message("reply", "number"),
        tool_calls=make_reply_calls("number"),
    ),
)
