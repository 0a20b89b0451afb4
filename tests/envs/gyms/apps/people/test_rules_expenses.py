"""What the portal allows with expense reports."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import rules_expenses as rules
from envs.gyms.server.gym import Refused, State

TODAY = "2026-03-02"


def test_a_report_from_draft_to_approval(portal: State) -> None:
    report = rules.create_report(portal, "u1", "Trade fair", TODAY)
    key = report["id"]
    with pytest.raises(Refused, match="needs a line"):
        rules.submit_report(portal, key)
    rules.add_line(portal, key, "Taxi", TODAY, 4999, False, TODAY)
    rules.add_line(portal, key, "Hotel", TODAY, 5000, False, TODAY)
    assert rules.report_total(report) == 9999
    rules.submit_report(portal, key)
    assert rules.lacks_receipt(report)
    with pytest.raises(Refused, match="receipt is missing"):
        rules.approve_report(portal, key)
    rules.send_back(portal, key, "Please attach the receipt")
    rules.remove_line(portal, key, f"{key}-2")
    rules.submit_report(portal, key)
    rules.approve_report(portal, key)
    assert report["status"] == "Approved"
    with pytest.raises(Refused, match="is approved"):
        rules.remove_line(portal, key, f"{key}-1")


def test_lines_of_a_kind_and_of_the_past(portal: State) -> None:
    key = rules.create_report(portal, "u1", "Trade fair", TODAY)["id"]
    for kind, day, message in (("Taxi", "2026-03-03", "future"), ("Gold", TODAY, "Category")):
        with pytest.raises(Refused, match=message):
            rules.add_line(portal, key, kind, day, 100, True, TODAY)
