"""Tasks on new events: the wording of a seed, and what earns success."""

from __future__ import annotations

from datetime import date

from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.tasks_creating import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "create_event": (
            "Invite Karla Berg, Emil Falk to Fire drill on 19.06.2026, 10:30 to 11:30. Book "
            "the room Danube."
        ),
        "create_series": (
            "Create Summer party planning, monthly, 2 times, first on 22.05.2026, 08:30 to "
            "10:00, without a room, with Greta Perez."
        ),
        "follow_up": (
            "Contract talk Marketing on 29.05.2026 needs a follow-up on 05.06.2026: the "
            'same time, room and people. Call it "Follow-up Contract talk Marketing".'
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_follow_up_takes_place_a_week_later_in_the_same_room() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("follow_up", seed)
        event = get_record(GYM.initial_state(task)["calendar"], "events", task.params["event"])
        days = date.fromisoformat(task.params["to_day"]) - date.fromisoformat(event["date"])
        assert days.days == 7
        for key in ("start", "end", "room", "people"):
            assert task.params[key] == event[key]
