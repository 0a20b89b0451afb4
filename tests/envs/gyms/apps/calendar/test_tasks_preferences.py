"""Tasks on days out of office and settings: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.preferences import is_free_of_absences, save_away
from envs.gyms.apps.calendar.tasks_preferences import TEMPLATES
from envs.gyms.kit.company import get_company
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "out_of_office": (
            "I am out of office from 21.06.2026 to 25.06.2026, reason Sick leave. Enter it "
            "so that all invitations of these days are declined."
        ),
        "longer_away": (
            "The entry out of office from 25.05.2026 to 29.05.2026 is too short: its last "
            "day is 07.06.2026."
        ),
        "working_hours": "From now on I work at Willowby from 07:00 to 15:00. Change the settings.",
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_new_days_out_of_office_are_not_taken_and_longer_ones_are_later() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("out_of_office", seed)
        first, last = task.params["first"], task.params["last"]
        assert first < last
        assert is_free_of_absences(GYM.initial_state(task)["calendar"], first, last)
        longer = GYM.make_task("longer_away", seed)
        away = GYM.initial_state(longer)["calendar"]["away"]
        absence = next(a for a in away if a["id"] == longer.params["away"])
        assert longer.params["last"] > absence["last"]


def test_out_of_office_without_its_box_is_no_success() -> None:
    for seed in (*range(12), *range(10**9, 10**9 + 12), *range(2 * 10**9, 2 * 10**9 + 12)):
        task = GYM.make_task("out_of_office", seed)
        p, before, after = task.params, GYM.initial_state(task), GYM.initial_state(task)
        save_away(get_company(seed), after["calendar"], None, p["first"], p["last"], p["reason"])
        assert not GYM.verdict(task, before, after, None, infeasible=False).success, task.id
