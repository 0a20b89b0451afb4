"""The calendar's pages of days out of office, and of settings."""

from __future__ import annotations

from envs.gyms.apps.calendar import preferences
from envs.gyms.apps.calendar.data import ENDS, FIRST_DAYS, REASONS, REMINDERS, STARTS, Item
from envs.gyms.kit.html import Field, confirm_button, el, form, link, note, table_row
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


def _get_span_name(request: RequestContext, absence: Item) -> str:
    day = request.locale.format_date
    return f"{day(absence['first'])} to {day(absence['last'])}"


def _make_fields(request: RequestContext, first: str, last: str, reason: str) -> list[Field]:
    day = request.locale.format_date
    return [
        Field("first", "First day", kind="date", value=day(first)),
        Field("last", "Last day", kind="date", value=day(last)),
        Field("reason", "Reason", kind="choice", value=reason, options=REASONS),
    ]


def _save(request: RequestContext, key: str | None, declines: bool = False) -> Redirect:
    first = request.get_date("first", "First day")
    last = request.get_date("last", "Last day")
    reason = request.form.get("reason", "")
    preferences.save_away(request.world, request.state, key, first, last, reason, declines)
    return request.redirect_to("/away", "Days saved")


@PAGES.get("/away")
def show_absences(request: RequestContext) -> str:
    """All days out of office."""
    request.log_event("away")
    absences = sorted(request.state["away"], key=lambda absence: absence["first"])
    rows = [
        table_row(
            link(_get_span_name(request, absence), request.url(f"/away/{absence['id']}")),
            absence["reason"],
        )
        for absence in absences
    ]
    new = el("p", link("Enter days", request.url("/away/new")))
    table = el("table", rows) if rows else note("No days yet")
    return render_page(request, "Out of office", new, table)


@PAGES.get("/away/new")
def show_new_absence(request: RequestContext) -> str:
    """Form of a new entry."""
    today = request.world.today
    decline = Field("decline", "Decline all invitations of these days", kind="check")
    fields = [*_make_fields(request, today, today, REASONS[0]), decline]
    return render_page(
        request, "Enter days out of office", form(request, "add", fields, "Save days", "/away")
    )


@PAGES.post("/away/new/add")
def add_absence(request: RequestContext) -> Redirect:
    """Enters days, and declines their invitations where the box is ticked."""
    return _save(request, None, declines=request.form.get("decline") == "yes")


@PAGES.get("/away/{key}")
def show_absence(request: RequestContext, key: str) -> str:
    """Form of an entry, and a button that removes it."""
    absence = get_record(request.state, "away", key)
    fields = _make_fields(request, absence["first"], absence["last"], absence["reason"])
    return render_page(
        request,
        "Days out of office",
        form(request, "save", fields, "Save days", "/away"),
        confirm_button(request, "remove", "Remove days", "You are in the office then."),
        heading=_get_span_name(request, absence),
    )


@PAGES.post("/away/{key}/save")
def save_absence(request: RequestContext, key: str) -> Redirect:
    """Changes an entry."""
    get_record(request.state, "away", key)
    return _save(request, key)


@PAGES.post("/away/{key}/remove")
def remove_absence(request: RequestContext, key: str) -> Redirect:
    """Removes an entry."""
    preferences.remove_away(request.state, key)
    return request.redirect_to("/away", "Days removed")


@PAGES.get("/settings")
def show_settings(request: RequestContext) -> str:
    """Form of working hours, first day of the week and reminder."""
    request.log_event("settings")
    settings = request.state["settings"]
    fields = (
        Field("starts", "Work starts", kind="choice", value=settings["starts"], options=STARTS),
        Field("ends", "Work ends", kind="choice", value=settings["ends"], options=ENDS),
        Field("week", "Week starts on", kind="choice", value=settings["week"], options=FIRST_DAYS),
        Field("reminder", "Reminder", kind="choice", value=settings["reminder"], options=REMINDERS),
    )
    return render_page(request, "Settings", form(request, "save", fields, "Save settings"))


@PAGES.post("/settings/save")
def save_settings(request: RequestContext) -> Redirect:
    """Saves the settings."""
    names = ("starts", "ends", "week", "reminder")
    values = {name: request.form.get(name, "") for name in names}
    preferences.save_settings(request.state, **values)
    return request.redirect_to("/settings", "Settings saved")
