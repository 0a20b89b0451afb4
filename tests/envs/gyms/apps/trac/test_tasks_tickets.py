"""Tasks of `tasks_tickets`: what earns success."""

from __future__ import annotations

import copy

import pytest

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.trac.application import Trac
from envs.gyms.apps.trac.gym import APP
from envs.gyms.apps.trac.tasks import TEMPLATES
from envs.gyms.apps.trac.tasks_tickets import TICKET_TASKS
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import make_expected_state
from envs.gyms.real.gym import ApplicationGym
from tests.envs.gyms.apps.task_checks import check_verdicts

GYM = ApplicationGym(Trac(), APP, TEMPLATES)
"""Rules and verdicts need no Trac."""
FEASIBLE = [template for template in TICKET_TASKS if not template.infeasible]


def test_the_expected_end_is_a_success_in_each_split() -> None:
    for base in SPLIT_BASES.values():
        check_verdicts(GYM, FEASIBLE, seed=base + 5)


@pytest.mark.parametrize(
    ("events", "shows"),
    [
        (["search:{words}"], True),
        (["search:{first}"], True),
        (["tickets:{words}"], True),
        (["narrowed:{words}"], False),
        (["narrowed:x", "search:{words}"], False),
        (["narrowed:x", "tickets:{words}"], True),
        (["search:{words}", "narrowed:x"], True),
        (["search:{last}"], False),
        (["page:query"], False),
    ],
)
def test_a_ticket_is_missing_where_tickets_were_searched(events: list[str], shows: bool) -> None:
    task = GYM.make_task("missing_ticket", 5)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    words = task.params["firm"].lower()
    first, last = words.split()
    after["log"] += [f"trac:{x}".format(words=words, first=first, last=last) for x in events]
    verdict = GYM.verdict(task, before, after, None, True)
    assert verdict.success == verdict.milestones["searched"] == shows


@pytest.mark.parametrize(
    ("part", "change"),
    [("files", {"wiki Fair: a.txt": "3 bytes, "}), ("locked", ["WikiStart"]), ("reports", {})],
)
def test_what_is_done_besides_is_no_success(part: str, change: object) -> None:
    task = GYM.make_task("accept_ticket", 5)
    before = GYM.initial_state(task)
    after = make_expected_state(GYM.spec("accept_ticket"), get_company(5), task.params, before)
    assert GYM.verdict(task, before, after, None, False).success
    after["trac"][part] = change
    assert not GYM.verdict(task, before, after, None, False).success


def test_the_same_step_of_another_ticket_earns_nothing() -> None:
    task = GYM.make_task("close_ticket", 5)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    tickets = after["trac"]["tickets"]
    closed = {"status": "closed", "resolution": task.params["resolution"]}
    summary = task.params["summary"]
    other = next(name for name in tickets if name != summary and tickets[name]["status"] == "new")
    untouched = dict(tickets[other])
    tickets[other].update(closed)
    assert not GYM.verdict(task, before, after, None, False).success
    tickets[summary].update(closed)
    assert not GYM.verdict(task, before, after, None, False).success
    tickets[other].update(untouched)
    assert GYM.verdict(task, before, after, None, False).success


def test_a_new_ticket_goes_to_the_owner_of_its_new_component() -> None:
    task = GYM.make_task("change_component", 0)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    ticket = after["trac"]["tickets"][task.params["summary"]]
    assert [ticket[name] for name in ("status", "component", "owner")] == [
        "new",
        "Website",
        "winter46",
    ]
    ticket["component"] = "Exports"
    assert not GYM.verdict(task, before, after, None, False).success
    ticket["owner"] = after["trac"]["components"]["Exports"]["owner"]
    assert GYM.verdict(task, before, after, None, False).success
