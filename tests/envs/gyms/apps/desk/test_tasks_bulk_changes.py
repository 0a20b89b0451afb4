"""Tasks on several tickets: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.tasks_bulk_changes import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "close_waiting": (
            "Thea Winter of Atlas Studios does not answer any more: close every ticket of "
            "this customer that waits."
        ),
        "raise_low": (
            "Every New ticket for the product Label printer whose priority is Low becomes "
            "High. Change them."
        ),
        "hand_over": (
            "Ivan Rossi takes over from Erika Vogel whatever is Urgent and Open. Change the "
            "assignees."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_the_described_tickets_are_all_that_change() -> None:
    for seed in range(20, 23):
        for template, count in (("close_waiting", 3), ("raise_low", 2), ("hand_over", 2)):
            task = GYM.make_task(template, seed)
            keys = task.params["keys"]
            assert len(keys) == len(set(keys)) == count
        tickets = GYM.initial_state(task)["desk"]["tickets"]
        urgent = [t for t in tickets if t["id"] in task.params["keys"]]
        assert {(t["status"], t["priority"]) for t in urgent} == {("Open", "Urgent")}
