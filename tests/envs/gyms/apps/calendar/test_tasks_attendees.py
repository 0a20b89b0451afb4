"""Tasks on attendees: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.tasks_attendees import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "swap_attendee": (
            "Remove Oscar Lopez from Interview with Acorn Works of 06.07.2026 and add Emil Weber."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_one_attendee_leaves_and_one_who_was_not_invited_comes() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("swap_attendee", seed)
        event = get_record(GYM.initial_state(task)["calendar"], "events", task.params["event"])
        assert task.params["leaves"] in event["people"]
        assert task.params["comes"] not in event["people"]
