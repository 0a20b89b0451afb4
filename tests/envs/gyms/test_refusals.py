"""That a task cannot be done counts once the refusal was met: by a tool as well as by a page."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from envs.contract.gym_api import ADMIN_HEADER
from envs.contract.task import SPLIT_BASES, Task
from envs.gyms.server.app import COOKIE, create_app
from envs.gyms.server.registry import get_web_gym
from envs.gyms.server.sessions import SessionStore

SEEDS = [base + 3 for base in SPLIT_BASES.values()]
Call = tuple[str, dict[str, Any]]


def _make_call(task: Task) -> Call:
    p = task.params
    search = {key: p.get(key) for key in ("start", "end")}
    calls: dict[str, Call] = {
        "pay_twice": (
            "billing.record_payment",
            {"number": p.get("number"), "cents": 1, "method": "Cash"},
        ),
        "role_conflict": (
            "people.grant_role",
            {"person": p.get("person"), "role": p.get("role")},
        ),
        "leave_too_long": (
            "people.create_leave",
            {
                "person": p.get("person"),
                "kind": "Vacation",
                "first": p.get("from"),
                "last": p.get("to"),
            },
        ),
        "no_room": (
            "calendar.free_rooms",
            search | {"day": p.get("to_day"), "people": p.get("heads")},
        ),
        "close_parent": ("desk.set_status", {"number": p.get("number"), "status": "Closed"}),
        "transfer_refused": ("drive.transfer", {"file": p.get("file"), "person": p.get("who")}),
        "rename_refused": ("drive.rename", {"item": p.get("file"), "name": p.get("new")}),
        "forward_nothing": ("mail.read", {"message": p.get("message")}),
    }
    return calls[task.template or ""]


def _related_page(task: Task) -> str:
    p = task.params
    pages = {
        "pay_twice": "/billing/invoices",
        "role_conflict": f"/people/access/{p.get('person')}",
        "leave_too_long": f"/people/staff/{p.get('person')}/leave",
        "no_room": f"/calendar/rooms/r1?day={p.get('to_date')}",
        "close_parent": f"/desk/tickets/{p.get('ticket')}",
        "transfer_refused": f"/drive/items/{p.get('file')}",
        "rename_refused": f"/drive/items/{p.get('file')}",
        "forward_nothing": "/mail/",
    }
    return pages[task.template or ""]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("gym_name", "template"),
    [
        ("billing", "pay_twice"),
        ("people", "role_conflict"),
        ("people", "leave_too_long"),
        ("calendar", "no_room"),
        ("desk", "close_parent"),
        ("drive", "transfer_refused"),
        ("drive", "rename_refused"),
        ("mail", "forward_nothing"),
    ],
)
def test_a_refusal_counts_once_it_was_met(gym_name: str, template: str, seed: int) -> None:
    task, store = get_web_gym(gym_name).make_task(template, seed), SessionStore()
    client = TestClient(create_app("secret", store), cookies={COOKIE: "mine"})
    headers = {ADMIN_HEADER: "secret"}

    def call_admin(method: str, path: str, body: Any) -> Any:
        path = f"/_admin/sessions/mine{path}"
        reply = client.request(method, path, json=body, headers=headers)
        assert reply.status_code == 200, reply.text
        return reply.json()

    call_admin("PUT", "", task.model_dump(mode="json"))
    assert client.get(_related_page(task)).status_code == 200
    assert call_admin("POST", "/verdict", {"infeasible": True})["score"] < 1.0
    tool, arguments = _make_call(task)
    call_admin("POST", f"/tools/{tool}", arguments)
    assert call_admin("POST", "/verdict", {"infeasible": True})["score"] == 1.0
