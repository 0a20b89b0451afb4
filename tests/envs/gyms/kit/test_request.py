"""Fields of forms, and the events of a session."""

from __future__ import annotations

import pytest

from envs.gyms.apps.billing.app import BILLING
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request


def test_fields_are_read_in_the_world_s_locale() -> None:
    locale = make_request(BILLING).locale
    fields = {
        "day": locale.format_date("2026-03-05"),
        "sum": locale.format_money(1250),
        "a": " x  y ",
    }
    request = make_request(BILLING, form=fields)
    assert request.get_date("day", "Day") == "2026-03-05"
    assert request.get_cents("sum", "Sum") == 1250
    assert request.get_text("a", "A") == "x y"
    with pytest.raises(Refused, match="B is required"):
        request.get_text("b", "B")
    with pytest.raises(Refused, match="A must be a date such as"):
        request.get_date("a", "A")
    with pytest.raises(Refused, match="Choose one: A"):
        request.get_choice("a", "A", ("z",))


def test_events_are_logged_once_with_the_app_s_name() -> None:
    request = make_request(BILLING, path="/invoices", query={"q": "a b"})
    request.log_event("invoice:1")
    request.log_event("invoice:1")
    assert logged_events(request) == ["billing:invoice:1"]
    assert request.address == "/billing/invoices?q=a+b"
    assert request.redirect_to("/x", "Saved").flash == "✓ Saved"
