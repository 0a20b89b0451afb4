"""Tasks on merging tickets: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.relations import find_merge_problem
from envs.gyms.apps.desk.tasks_merging import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "merge_twins": (
            'There are two tickets "Error 24 on Label printer" of Greta Winter (Willowby). '
            "Merge the newer one into the older one."
        ),
        "merge_strangers": "Merge ticket HD-2116 into HD-2071, if the rules allow it.",
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_duplicates_can_be_merged_and_lookalikes_cannot() -> None:
    for seed in range(20, 23):
        for template, problem in (
            ("merge_twins", None),
            ("merge_strangers", "Tickets of different customers cannot be merged"),
        ):
            task = GYM.make_task(template, seed)
            desk = GYM.initial_state(task)["desk"]
            ticket = get_record(desk, "tickets", task.params["ticket"])
            into = get_record(desk, "tickets", task.params["into"])
            assert ticket["subject"] == into["subject"]
            assert find_merge_problem(desk, ticket, into) == problem


def test_the_newer_ticket_goes_into_the_older() -> None:
    for seed in range(20, 23):
        params = GYM.make_task("merge_twins", seed).params
        assert params["into_number"] < params["number"]
