"""Tasks on booking rooms: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.availability import find_free_rooms
from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.tasks_booking import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "book_smallest": (
            '15 visitors come on 15.05.2026, 11:30 to 12:30. Make an event "Student visit" '
            "then in the smallest room that is free and large enough; invite nobody. Tell "
            "me if none is."
        ),
        "no_room": (
            "Book the smallest free room that seats 22 on 10.06.2026 from 11:00 to 12:00 "
            'and call the event "Plant tour", without attendees. If there is none, say that '
            "it cannot be done."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, [t for t in TEMPLATES if not t.infeasible], seed=1)


def test_no_room_counts_after_a_search_of_that_size_or_smaller_or_a_look_at_all_rooms() -> None:
    task = GYM.make_task("no_room", 1)
    p, before = task.params, GYM.initial_state(task)
    large = [r for r in before["calendar"]["rooms"] if r["capacity"] >= p["heads"]]
    span = f"{p['to_day']}:{p['start']}:{p['end']}"
    all_rooms = [f"calendar:room:{room['id']}:{p['to_day']}" for room in large]
    assert all_rooms
    for log, success in (
        ([], False),
        ([f"calendar:rooms-on:{p['to_day']}"], False),
        ([f"calendar:no-room:{span}:{p['heads'] + 1}"], False),
        ([f"calendar:no-room:{span}:{p['heads']}"], True),
        ([f"calendar:no-room:{span}:2"], True),
        (all_rooms[1:], False),
        (all_rooms, True),
    ):
        after = before | {"log": log}
        assert GYM.verdict(task, before, after, None, infeasible=True).success is success, log


def test_one_free_room_is_the_smallest() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("book_smallest", seed)
        p = task.params
        rooms = find_free_rooms(
            GYM.initial_state(task)["calendar"], p["to_day"], p["start"], p["end"], p["heads"]
        )
        seats = sorted(room["capacity"] for room in rooms)
        assert seats[0] < seats[1]
        assert p["room"] in [room["id"] for room in rooms if room["capacity"] == seats[0]]


def test_no_room_is_free_where_none_is_to_be_booked() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("no_room", seed)
        p, calendar = task.params, GYM.initial_state(task)["calendar"]
        assert find_free_rooms(calendar, p["to_day"], p["start"], p["end"], p["heads"]) == []
        assert find_free_rooms(calendar, p["to_day"], p["start"], p["end"], 1)
