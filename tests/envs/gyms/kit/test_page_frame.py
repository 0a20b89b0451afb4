"""The page around an app."""

from __future__ import annotations

from dataclasses import replace

from envs.gyms.apps.billing.app import BILLING
from envs.gyms.kit.disturbances import ACCEPT, TAKEN_BACK, TO_THE_FORM
from envs.gyms.kit.page_frame import render_bare_page, render_not_found, render_page
from tests.envs.gyms.apps.app_requests import make_request, text_of


def test_a_page_shows_the_waiting_message_once() -> None:
    request = make_request(BILLING)
    request.visit.state["flash"] = "✓ <Saved>"
    assert "✓ &lt;Saved&gt;" in render_page(request, "Invoices", heading="All")
    page = render_page(request, "Invoices", heading="All")
    assert "Saved" not in page
    assert "<title>Invoices - Billing</title>" in page
    assert "<h1>All</h1>" in page


def test_what_was_taken_back_leads_to_its_form() -> None:
    request = make_request(BILLING)
    request.visit.state["flash"] = TAKEN_BACK
    request.visit.session.unsaved_form = "/billing/invoices/i1"
    assert f'<a href="/billing/invoices/i1">{TO_THE_FORM}</a>' in render_page(request, "x")


def test_a_banner_covers_the_page() -> None:
    request = make_request(BILLING)
    assert ACCEPT not in render_page(request, "x")
    assert ACCEPT in render_page(replace(request, overlay="banner"), "x")
    assert "There is no page" in text_of(render_not_found(request, "There is no page"))
    assert text_of(render_bare_page(request, "Sorry", "Later")) == "Sorry Sorry Later"
