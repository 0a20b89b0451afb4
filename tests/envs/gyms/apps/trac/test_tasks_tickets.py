"""Tasks of `tasks_tickets`: what earns success."""

from __future__ import annotations

import copy

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.trac.application import Trac
from envs.gyms.apps.trac.gym import APP
from envs.gyms.apps.trac.tasks import TEMPLATES
from envs.gyms.apps.trac.tasks_tickets import TICKET_TASKS
from envs.gyms.real.gym import ApplicationGym
from tests.envs.gyms.apps.task_checks import check_verdicts

GYM = ApplicationGym(Trac(), APP, TEMPLATES)
"""Rules and verdicts need no Trac."""


def test_the_expected_end_is_a_success_in_each_split() -> None:
    for base in SPLIT_BASES.values():
        check_verdicts(GYM, TICKET_TASKS, seed=base + 5)


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
