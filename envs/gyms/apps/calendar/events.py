"""The calendar's page of one event, and what its buttons do: attendees, cancelling, answering."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.data import ANSWERS, Item
from envs.gyms.apps.calendar.labels import get_list_label, get_room_name
from envs.gyms.kit.html import (
    Child,
    Field,
    button,
    confirm_button,
    details,
    el,
    form,
    join,
    link,
    menu,
    note,
    section,
)
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/events/{key}")
def show_event(request: RequestContext, key: str) -> str:
    """One event: facts, attendees, and what the user may do with it."""
    event = get_record(request.state, "events", key)
    request.log_event(f"event:{key}")
    names = ", ".join(request.world.person(person).name for person in event["people"])
    can_change = _is_own(request, event) and not _is_over(request, event)
    return render_page(
        request,
        "Event",
        details(*_list_facts(request, event)),
        el("p", "Attendees ", names or "nobody else"),
        el("div", _make_actions(request, event), class_="row"),
        _render_attendees(request, event) if can_change else None,
        heading=event["title"],
    )


def _is_own(request: RequestContext, event: Item) -> bool:
    return bool(event["organizer"] == request.world.user.id)


def _is_over(request: RequestContext, event: Item) -> bool:
    return bool(event["date"] < request.world.today)


def _list_facts(request: RequestContext, event: Item) -> list[tuple[str, Child]]:
    room: Child = get_room_name(request, event)
    if event["room"]:
        room = link(get_room_name(request, event), request.url(f"/rooms/{event['room']}"))
    facts: list[tuple[str, Child]] = [
        ("Date", request.locale.format_date(event["date"])),
        ("Time", f"{event['start']} to {event['end']}"),
        ("Room", room),
        ("Organizer", request.world.person(event["organizer"]).name),
        ("Repeats", event["repeat"]),
        ("Notes", event["notes"] or "none"),
    ]
    if not _is_own(request, event) and request.world.user.id in event["people"]:
        facts += [("Your answer", event["status"]), ("Your comment", event["comment"] or "none")]
    return facts


def _make_actions(request: RequestContext, event: Item) -> list[Child]:
    if _is_over(request, event):
        return [note("This event is over")]
    at = f"/events/{event['id']}"
    if _is_own(request, event):
        edit = link("Edit event", request.url(f"{at}/edit"))
        return [edit, menu("More", *_make_cancel_buttons(request, event))]
    if request.world.user.id in event["people"]:
        answer = link("Answer invitation", request.url(f"{at}/answer"))
        return [answer, menu("More", button(request, "hide", "Hide from my calendar"))]
    return []


def _make_cancel_buttons(request: RequestContext, event: Item) -> list[Markup]:
    if event["series"] is None:
        return [confirm_button(request, "cancel", "Cancel event", "All attendees are told.")]
    return [
        confirm_button(
            request, "cancel-series", "Cancel whole series", "All that is to come is cancelled."
        ),
        confirm_button(
            request, "cancel", "Cancel this occurrence", "The others of the series stay."
        ),
    ]


def _render_attendees(request: RequestContext, event: Item) -> Markup:
    """The attendees with a button to remove each, and a form to add a person."""
    rows = []
    for key in event["people"]:
        name = request.world.person(key).name
        remove = button(request, "drop", "Remove", f"Remove {name}", person=key)
        rows.append(el("div", name, " ", remove, class_="row"))
    others = sorted(
        (person.name, person.id)
        for person in request.world.people
        if person.id not in event["people"] and person.id != request.world.user.id
    )
    options = [(key, name) for name, key in others]
    field = Field("person", "Person", kind="choice", options=options)
    return section("Who comes", join(rows), form(request, "add", [field], "Add person"))


@PAGES.post("/events/{key}/add")
def add_attendee(request: RequestContext, key: str) -> Redirect:
    """Invites a person."""
    person = request.get_choice("person", "Person", [p.id for p in request.world.people])
    rules.set_attendance(request.world, request.state, key, person, True)
    return request.redirect_to(f"/events/{key}", "Person added")


@PAGES.post("/events/{key}/drop")
def remove_attendee(request: RequestContext, key: str) -> Redirect:
    """Takes a person off the event."""
    person = request.form.get("person", "")
    rules.set_attendance(request.world, request.state, key, person, False)
    return request.redirect_to(f"/events/{key}", "Person removed")


@PAGES.post("/events/{key}/cancel")
def cancel_event(request: RequestContext, key: str) -> Redirect:
    """Cancels one event; of a series, this occurrence."""
    rules.cancel_event(request.world, request.state, key)
    return request.redirect_to("/agenda", "Event cancelled")


@PAGES.post("/events/{key}/cancel-series")
def cancel_series(request: RequestContext, key: str) -> Redirect:
    """Cancels all that is to come of a series."""
    rules.cancel_event(request.world, request.state, key, whole_series=True)
    return request.redirect_to("/agenda", "Series cancelled")


@PAGES.post("/events/{key}/hide")
def hide_invitation(request: RequestContext, key: str) -> Redirect:
    """Hides an invitation from the user's calendar."""
    rules.hide_invitation(request.world, request.state, key)
    return request.redirect_to("/agenda", "Event hidden")


@PAGES.post("/events/{key}/move")
def move_event(request: RequestContext, key: str) -> Redirect:
    """Moves an event that was dragged to another day of the month."""
    day = request.get_date("to", "Date")
    rules.move_event(request.world, request.state, key, day)
    return request.redirect_to(f"/?month={day[:7]}", f"Moved to {request.locale.format_date(day)}")


@PAGES.get("/events/{key}/answer")
def show_answer_form(request: RequestContext, key: str) -> str:
    """Form of the answer to an invitation."""
    event = get_record(request.state, "events", key)
    fields = (
        Field("answer", "Answer", kind="choice", options=tuple(ANSWERS)),
        Field("comment", "Comment", value=event["comment"], hint="the organizer reads it"),
    )
    return render_page(
        request,
        "Answer",
        note(get_list_label(request.locale, event)),
        form(request, "send", fields, "Send answer", f"/events/{key}"),
        heading="Answer invitation",
    )


@PAGES.post("/events/{key}/answer/send")
def answer_invitation(request: RequestContext, key: str) -> Redirect:
    """Sends the answer."""
    answer = request.form.get("answer", "")
    comment = " ".join(request.form.get("comment", "").split())[:200]
    rules.answer_invitation(request.world, request.state, key, answer, comment)
    return request.redirect_to(f"/events/{key}", "Answer sent")
