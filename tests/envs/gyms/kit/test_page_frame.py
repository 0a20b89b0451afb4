"""The page around an app."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envs.client import RemoteSession
from envs.contract.actions import Action, Click, Navigate, Type
from envs.contract.observations import Observe
from envs.gyms.apps.billing.app import BILLING
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.kit.disturbances import ACCEPT, TAKEN_BACK, TO_THE_FORM
from envs.gyms.kit.page_frame import render_bare_page, render_message, render_not_found, render_page
from envs.gyms.server.registry import get_web_gym
from envs.gyms.server.view import Page
from envs.providers.local import local_host
from tests.envs.gyms.apps.app_requests import make_request, text_of


async def step(session: RemoteSession, action: Action) -> Page:
    return Page((await session.step([action], Observe(tree=True))).observation)


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


def test_only_what_confirms_is_a_toast() -> None:
    assert 'class="flash done"' in str(render_message("✓ Saved"))
    assert 'class="flash"' in str(render_message("Name is required"))
    assert render_message(None) is None


def test_the_place_that_is_open_is_marked() -> None:
    page = render_page(make_request(BILLING, path="/invoices"), "Invoices")
    assert '<a href="/billing/invoices" class="here">Invoices</a>' in page
    assert page.count('class="here"') == 1


@pytest.mark.gyms
async def test_addresses_are_proposed_and_a_right_click_opens_a_menu() -> None:
    mail, drive = get_web_gym("mail"), get_web_gym("drive")
    task = mail.make_task(mail.templates[0], 1)
    async with local_host(1, page=(390, 844)) as host:
        session = await host.open()
        await session.reset(task, Observe())
        page = await step(session, Navigate(url="/mail/new"))
        box = page.get_line("box", "To")
        page = await step(session, Click(target=page.target(box)))
        page = await step(session, Type(text="x@firm.example, emma."))
        proposal = next(line for line in page.elements("button") if line.name.startswith("emma."))
        page = await step(session, Click(target=page.target(proposal)))
        assert f"box To = x@firm.example, {proposal.name} #" in page.tree.text
        assert page.find("button", proposal.name) is None

        await session.reset(drive.make_task(drive.templates[0], 1), Observe())
        page = await step(session, Navigate(url="/drive/files"))
        assert page.find("link", "Open") is None
        names = [item["name"] for item in make_request(DRIVE).state["files"]]
        row = next(line for line in page.elements("link") if line.name in names)
        page = await step(session, Click(target=page.target(row), button="right"))
        page = await step(session, Click(target=page.target(page.get_line("link", "Open"))))
        assert page.has_heading(row.name)
        await session.close()
