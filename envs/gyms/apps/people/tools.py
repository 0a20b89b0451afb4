"""The portal's API tools."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.people import rules_access, rules_leave, rules_staff
from envs.gyms.apps.people.vocabulary import APPROVED, CONTACT_FIELDS
from envs.gyms.kit.records import get_record
from envs.gyms.kit.site_tools import ToolContext, site_tool
from envs.gyms.server.gym import Refused, State


@site_tool("people.find")
def find_people(
    context: ToolContext, text: str, department: str | None = None
) -> list[dict[str, Any]]:
    """People whose name or title contains the text, at most 20: id, name, title, department, city,
    email, phone, hired (ISO date)."""
    keys = ("id", "name", "title", "department", "city", "email", "phone", "hired")
    return [
        {key: person[key] for key in keys}
        for person in context.state["staff"]
        if text.lower() in f"{person['name']} {person['title']}".lower()
        and department in (None, person["department"])
    ][:20]


@site_tool("people.leave_of")
def list_leave(context: ToolContext, person: str) -> list[dict[str, Any]]:
    """Leave requests of a person by id: number, type, from and to (ISO dates), halves (half
    days), status."""
    keys = ("number", "type", "from", "to", "halves", "status")
    requests = [leave for leave in context.state["leave"] if leave["person"] == person]
    return [{key: leave[key] for key in keys} for leave in requests]


@site_tool("people.approve_leave")
def approve_leave(context: ToolContext, number: str) -> str:
    """Approves a pending leave request by its number."""
    rules_leave.decide_leave(context.state, _find_leave_key(context.state, number), APPROVED)
    return f"approved {number}"


@site_tool("people.create_leave")
def create_leave(
    context: ToolContext, person: str, kind: str, first: str, last: str, half: bool = False
) -> str:
    """Requests leave for a person by id. kind: Vacation, Sick leave, Training or Unpaid leave;
    first and last: ISO dates; half: the last day is a half day."""
    days = [context.locale.parse_date(day) for day in (first, last)]
    if days[0] is None or days[1] is None:
        raise Refused("first and last must be ISO dates")
    leave = rules_leave.request_leave(context.state, person, kind, days[0], days[1], half)
    return f"requested as {leave['number']}"


@site_tool("people.update_contact")
def update_contact(context: ToolContext, person: str, fields: dict[str, str]) -> str:
    """Changes a person's contact data by id. fields: any of email, phone, street, postal, city,
    kin (emergency contact), kin_phone."""
    if stranger := sorted(set(fields) - set(CONTACT_FIELDS)):
        raise Refused(f"there is no field {stranger[0][:20]!r}")
    contact = get_record(context.state, "staff", person)
    rules_staff.edit_contact(
        context.state, person, {key: contact[key] for key in CONTACT_FIELDS} | fields
    )
    return f"changed {contact['name']}"


@site_tool("people.grant_role")
def grant_role(context: ToolContext, person: str, role: str) -> str:
    """Grants a role to a person by id."""
    rules_access.grant_role(context.state, person, role)
    return f"granted {role}"


@site_tool("people.revoke_role")
def revoke_role(context: ToolContext, person: str, role: str) -> str:
    """Takes a role from a person by id."""
    rules_access.revoke_role(context.state, person, role)
    return f"revoked {role}"


def _find_leave_key(state: State, number: str) -> str:
    for leave in state["leave"]:
        if leave["number"] == number:
            return str(leave["id"])
    raise Refused(f"there is no leave request {number[:20]!r}")
