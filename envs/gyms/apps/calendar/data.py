"""Records and values of the calendar: events, rooms, answers, settings.

Every occurrence of a series is an event of its own; they share `series`.
"""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.calendar.times import NEVER

Item = dict[str, Any]
INVITED, ACCEPTED, TENTATIVE, DECLINED = "Invited", "Accepted", "Tentative", "Declined"
STATUSES = (INVITED, ACCEPTED, TENTATIVE, DECLINED)
ANSWERS = {"Accept": ACCEPTED, "Maybe": TENTATIVE, "Decline": DECLINED}
REASONS = ("Holiday", "Business trip", "Sick leave", "Training", "Moving house")
REMINDERS = ("None", "5 minutes", "10 minutes", "30 minutes")
FIRST_DAYS = ("Monday", "Sunday")
STARTS = ("07:00", "07:30", "08:00", "08:30", "09:00", "09:30", "10:00")
ENDS = ("15:00", "15:30", "16:00", "16:30", "17:00", "17:30", "18:00", "18:30")
BUILDINGS = ("North House", "South House", "Harbour Wing")
EQUIPMENT = ("Video", "Whiteboard", "Projector", "Phone")
ROOMS = (
    "Danube",
    "Douro",
    "Ebro",
    "Elbe",
    "Elbe Annex",
    "Isar",
    "Lahn",
    "Loire",
    "Meuse",
    "Oder",
    "Rhine",
    "Rhone",
    "Seine",
    "Seine Annex",
    "Tagus",
    "Weser",
)
SEATS = (2, 3, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 16, 20, 24, 30)
KINDS = (
    "Budget review",
    "Design review",
    "Quarterly review",
    "Roadmap review",
    "Sprint planning",
    "Budget planning",
    "Status call",
    "Sales call",
    "Contract talk",
    "Product demo",
    "Interview",
    "Training session",
    "Project kickoff",
    "Retrospective",
    "Handover",
)
NOTES = ("", "", "Bring the figures", "Agenda follows", "Please read the draft first")


def get_next_number(items: list[Item]) -> int:
    """Of a new item's id, which is a letter and a number."""
    return 1 + max((int(item["id"][1:]) for item in items), default=0)


def make_event(number: int, title: str, day: str, start: str, end: str, organizer: str) -> Item:
    """A single event without room, attendees and notes."""
    return {
        "id": f"e{number}",
        "title": title,
        "date": day,
        "start": start,
        "end": end,
        "room": "",
        "organizer": organizer,
        "people": [],
        "repeat": NEVER,
        "series": None,
        "notes": "",
        "status": ACCEPTED,
        "comment": "",
        "hidden": False,
    }
