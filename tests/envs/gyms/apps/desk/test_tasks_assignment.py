"""Tasks on assignee, status and priority: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.tasks_assignment import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "assign_ticket": "Assign the ticket HD-2072 to Paula Silva.",
        "set_priority_status": (
            "HD-2088 is Urgent from now on, and its status is Open. Change both."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_tickets_go_to_agents_who_are_there_and_do_not_have_them() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("assign_ticket", seed)
        desk = GYM.initial_state(task)["desk"]
        assert not get_record(desk, "agents", task.params["agent"])["away"]
        ticket = get_record(desk, "tickets", task.params["ticket"])
        assert ticket["assignee"] != task.params["agent"]


def test_status_and_priority_both_change() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("set_priority_status", seed)
        ticket = get_record(GYM.initial_state(task)["desk"], "tickets", task.params["ticket"])
        assert ticket["status"] != task.params["status"]
        assert ticket["priority"] != task.params["priority"]
