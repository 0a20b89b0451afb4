"""What the portal allows with expense reports.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.people.records import make_report, make_report_line
from envs.gyms.apps.people.rules_fields import check_choice
from envs.gyms.apps.people.vocabulary import (
    APPROVED,
    CATEGORIES,
    DRAFT,
    RECEIPT_REQUIRED_FROM,
    SENT_BACK,
    SUBMITTED,
    Item,
)
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def report_total(report: Item) -> int:
    """Cents."""
    return sum(line["amount"] for line in report["lines"])


def _get_report_with_status(state: State, key: str, *statuses: str) -> Item:
    report = get_record(state, "reports", key)
    if report["status"] not in statuses:
        raise Refused(f"{report['number']} is {report['status'].lower()}")
    return report


def create_report(state: State, person: str, purpose: str, day: str) -> Item:
    """Adds a draft; `day` is an ISO date."""
    get_record(state, "staff", person)
    report = make_report(len(state["reports"]), person, purpose, day)
    state["reports"].append(report)
    return report


def add_line(
    state: State, key: str, kind: str, day: str, amount: int, receipt: bool, today: str
) -> None:
    """To a draft or a report that was sent back; `amount` in cents."""
    report = _get_report_with_status(state, key, DRAFT, SENT_BACK)
    if day > today:
        raise Refused("Date must not be in the future")
    check_choice(kind, CATEGORIES, "Category")
    report["lines"].append(make_report_line(report, kind, day, amount, receipt))


def remove_line(state: State, key: str, line: str) -> None:
    """From a draft or a report that was sent back."""
    report = _get_report_with_status(state, key, DRAFT, SENT_BACK)
    report["lines"] = [item for item in report["lines"] if item["id"] != line]


def submit_report(state: State, key: str) -> None:
    """A draft or a report that was sent back, with at least one line."""
    report = _get_report_with_status(state, key, DRAFT, SENT_BACK)
    if not report["lines"]:
        raise Refused("A report needs a line at least")
    report["status"] = SUBMITTED


def lacks_receipt(report: Item) -> bool:
    """Whether a line that needs a receipt has none."""
    return any(
        not line["receipt"] and line["amount"] >= RECEIPT_REQUIRED_FROM for line in report["lines"]
    )


def approve_report(state: State, key: str) -> None:
    """A submitted one that lacks no receipt."""
    report = _get_report_with_status(state, key, SUBMITTED)
    if lacks_receipt(report):
        raise Refused("A receipt is missing: send the report back")
    report["status"] = APPROVED


def send_back(state: State, key: str, reason: str) -> None:
    """A submitted one, for a reason."""
    _get_report_with_status(state, key, SUBMITTED).update(status=SENT_BACK, reason=reason)
