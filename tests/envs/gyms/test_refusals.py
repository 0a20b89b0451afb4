"""That a task cannot be done counts once the refusal was met: by a tool as well as by a page."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from envs.contract.actions import Infeasible, Tool
from envs.contract.gym_api import ADMIN_HEADER
from envs.contract.observations import Observation
from envs.contract.task import SPLIT_BASES, Task
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.app import COOKIE, create_app
from envs.gyms.server.registry import get_web_gym, kit_gyms
from envs.gyms.server.sessions import SessionStore

SEEDS = [base + 3 for base in SPLIT_BASES.values()]
REFUSALS = [
    (gym.name, name) for gym in kit_gyms() for name in gym.templates if gym.spec(name).infeasible
]


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
        "delete_used_folder": "/mail/all",
        "merge_strangers": f"/desk/tickets/{p.get('ticket')}",
        "missing_color": "/shop/",
        "sold_out": "/shop/",
        "book_advice_twice": f"/billing/invoices/{p.get('invoice')}",
    }
    return pages[task.template or ""]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("gym_name", "template"), REFUSALS)
def test_a_refusal_counts_once_it_was_met(gym_name: str, template: str, seed: int) -> None:
    gym, store = get_web_gym(gym_name), SessionStore()
    assert isinstance(gym, AppGym)
    task = gym.make_task(template, seed)
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
    oracle = gym.oracle(task.model_copy(update={"tools": "api"}))
    while isinstance(call := oracle.move(Observation(hash="")).action, Tool):
        call_admin("POST", f"/tools/{call.name}", call.arguments)
    assert isinstance(call, Infeasible)
    assert call_admin("POST", "/verdict", {"infeasible": True})["score"] == 1.0
