"""Tasks on events that move: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.tasks_moving import TEMPLATES
from envs.gyms.kit.company import get_company
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "drag_event": "Drag Contract talk of 07.07.2026 to 25.07.2026 in the month view.",
        "reschedule": (
            "Change date, time and room of Roadmap review (11.06.2026): 01.06.2026, 10:00 "
            "to 10:30, Tagus."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_dragged_event_stays_in_its_month_and_in_the_future() -> None:
    for seed in range(20, 23):
        params, today = GYM.make_task("drag_event", seed).params, get_company(seed).today
        assert params["to"][:7] == params["day"][:7]
        assert params["to"] > today
        assert params["to"] != params["day"]
