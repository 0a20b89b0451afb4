"""Billing's pages of recurring invoices: list, one schedule, pausing and resuming it."""

from __future__ import annotations

from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import EVERY, Item
from envs.gyms.apps.billing.invoices import get_customer
from envs.gyms.kit.html import Field, badge, button, confirm_button, form, link
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


def get_schedule_name(schedule: Item, customer: Item) -> str:
    """What pages and instructions call a schedule; two schedules may have the same name."""
    return f"{customer['name']}: {schedule['text']}"


@PAGES.get("/schedules")
def show_schedules(request: RequestContext) -> str:
    """All schedules."""
    request.log_event("schedules")

    def name(schedule: Item) -> str:
        return get_schedule_name(schedule, get_customer(request, schedule))

    listing = Listing(
        columns=(
            Column("Schedule", lambda s: link(name(s), request.url(f"/schedules/{s['id']}"))),
            Column("Amount", lambda s: request.locale.format_money(s["amount"]), "money"),
            Column("Every", lambda s: s["every"]),
            Column("Next", lambda s: request.locale.format_date(s["next"])),
            Column("", lambda s: badge("Active" if s["active"] else "Paused")),
        ),
        searchable_text=name,
        sorts=(
            Sort("Next", lambda s: (s["next"], s["id"])),
            Sort("Amount", lambda s: (s["amount"], s["id"]), descending=True),
        ),
        filters=(Filter("every", "Every", options=EVERY, get_option=lambda s: s["every"]),),
    )
    return render_page(request, "Schedules", listing.render(request, request.state["schedules"]))


@PAGES.get("/schedules/{key}")
def show_schedule(request: RequestContext, key: str) -> str:
    """Form of one schedule, and the button that pauses or resumes it."""
    schedule = get_record(request.state, "schedules", key)
    request.log_event(f"schedule:{key}")
    amount = request.locale.format_money(schedule["amount"])
    next_day = request.locale.format_date(schedule["next"])
    fields = (
        Field("amount", "Amount", kind="money", value=amount),
        Field("every", "Every", kind="choice", value=schedule["every"], options=EVERY),
        Field("next", "Next invoice", kind="date", value=next_day),
    )
    warning = "No invoices are made while it is paused."
    pause_or_resume = (
        confirm_button(request, "pause", "Pause schedule", warning)
        if schedule["active"]
        else button(request, "resume", "Resume schedule")
    )
    return render_page(
        request,
        "Schedule",
        form(request, "save", fields, "Save schedule", "/schedules"),
        pause_or_resume,
        heading=get_schedule_name(schedule, get_customer(request, schedule)),
    )


@PAGES.post("/schedules/{key}/save")
def save_schedule(request: RequestContext, key: str) -> Redirect:
    """Saves amount, interval and next day."""
    rules.edit_schedule(
        request.state,
        key,
        amount=request.get_cents("amount", "Amount"),
        every=request.form.get("every", ""),
        next_day=request.get_date("next", "Next invoice"),
        today=request.world.today,
    )
    return request.redirect_to(f"/schedules/{key}", "Schedule saved")


@PAGES.post("/schedules/{key}/pause")
def pause_schedule(request: RequestContext, key: str) -> Redirect:
    """Pauses an active schedule."""
    rules.set_active(request.state, key, False)
    return request.redirect_to(f"/schedules/{key}", "Schedule paused")


@PAGES.post("/schedules/{key}/resume")
def resume_schedule(request: RequestContext, key: str) -> Redirect:
    """Resumes a paused schedule."""
    rules.set_active(request.state, key, True)
    return request.redirect_to(f"/schedules/{key}", "Schedule resumed")
