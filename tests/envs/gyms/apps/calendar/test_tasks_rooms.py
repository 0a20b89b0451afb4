"""Questions on rooms: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.availability import find_first_free_hour, list_free_spans
from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.tasks_rooms import TEMPLATES
from envs.gyms.apps.calendar.times import to_minutes
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "first_free_hour": (
            "Find the earliest time on 19.05.2026 at which Rhine is free for 60 minutes (as 07:15)."
        ),
        "largest_room": (
            "In South House of Willowby, which of the rooms with video seats the most people?"
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_the_first_free_span_is_too_short() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("first_free_hour", seed)
        calendar = GYM.initial_state(task)["calendar"]
        room, day = task.params["room"], task.params["day"]
        start, end = list_free_spans(calendar, room, day)[0]
        assert to_minutes(end) - to_minutes(start) < 60
        assert find_first_free_hour(calendar, room, day) not in (None, start)


def test_one_room_with_video_is_the_largest_of_its_building() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("largest_room", seed)
        seats = sorted(
            room["capacity"]
            for room in GYM.initial_state(task)["calendar"]["rooms"]
            if room["name"] in task.params["names"]
        )
        assert seats[-1] > seats[-2]
