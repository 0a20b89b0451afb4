"""Requests to the shop's page functions, without a server."""

from __future__ import annotations

from envs.gyms.apps.shop.app import SHOP
from envs.gyms.apps.shop.catalogue import Catalogue, get_catalogue
from envs.gyms.apps.shop.gym import GYM
from envs.gyms.apps.shop.state import make_state
from envs.gyms.apps.shop.widgets import ShopRequest
from envs.gyms.kit.app import SHARED_STATE
from envs.gyms.kit.request import Visit
from envs.gyms.kit.template import Template, make_expected_state
from envs.gyms.server.gym import State
from envs.gyms.server.sessions import GymSession


def make_shop_request(
    path: str = "/",
    *,
    query: dict[str, str] | None = None,
    form: dict[str, str] | None = None,
    state: State | None = None,
    seed: int = 1,
) -> ShopRequest:
    """A request to a page, or of a form, in the shop of a seed."""
    part = make_state(get_catalogue(seed)) if state is None else state
    shared: State = {**SHARED_STATE, "log": [], **part}
    task = GYM.make_task("checkout", seed)
    session = GymSession(key="test", task=task, before={}, state=shared, used_at=0.0)
    return ShopRequest.of(SHOP, (SHOP,), Visit(session, f"/shop{path}", query or {}, form or {}))


def check_verdicts(templates: tuple[Template[Catalogue], ...], seed: int = 1) -> None:
    """The expected end of each task is a success, its beginning is none."""
    for template in templates:
        catalogue, task = get_catalogue(seed), GYM.make_task(template.name, seed)
        before = GYM.initial_state(task)
        after = make_expected_state(template, catalogue, task.params, before)
        after["log"] += [event.format(**task.params) for event in template.required_events]
        make_answer = template.expected_answer
        answer = make_answer(catalogue, task.params, before) if make_answer else None
        verdict = GYM.verdict(task, before, after, answer, template.infeasible)
        assert verdict.success, (task.id, verdict)
        for infeasible in (False, True):
            assert not GYM.verdict(task, before, before, None, infeasible).success, task.id
