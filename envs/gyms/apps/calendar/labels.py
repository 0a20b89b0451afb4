"""What the calendar's pages and instructions call days, events and rooms."""

from __future__ import annotations

import re
from datetime import date

from markupsafe import Markup

from envs.gyms.apps.calendar.data import Item
from envs.gyms.kit.html import link
from envs.gyms.kit.locale import MONTHS, Locale
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import NotFound


def get_month_name(day: str) -> str:
    """ "March 2026" for a day of that month."""
    return f"{MONTHS[int(day[5:7]) - 1]} {day[:4]}"


def get_cell_label(event: Item) -> str:
    """What the month grid calls an event."""
    return f"{int(event['date'][8:])}: {event['start']} {event['title']}"


def get_list_label(locale: Locale, event: Item) -> str:
    """What lists call an event."""
    return f"{event['title']} on {locale.format_date(event['date'])} at {event['start']}"


def get_room_name(request: RequestContext, event: Item) -> str:
    """The name of an event's room, or "No room"."""
    if not event["room"]:
        return "No room"
    return str(get_record(request.state, "rooms", event["room"])["name"])


def link_event(request: RequestContext, event: Item) -> Markup:
    """A link to an event's page, labelled with its date and time."""
    label = get_list_label(request.locale, event)
    return link(event["title"], request.url(f"/events/{event['id']}"), label)


def parse_address_day(text: str) -> str:
    """A day in an address: an ISO date of this century. Raises NotFound."""
    if re.fullmatch(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", text):
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            pass
    raise NotFound(f"There is no day {text[:20]}")
