"""Questions on the user's days and events: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.sampling import count_meetings
from envs.gyms.apps.calendar.tasks_questions import DAYS, TEMPLATES
from envs.gyms.kit.company import get_company
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "count_day": (
            "Count my meetings of 28.05.2026, without the declined ones. Answer with the number."
        ),
        "busier_day": (
            "Which is my busiest day by the number of meetings that I have not declined: "
            "28.05.2026, 20.05.2026, 27.05.2026 or 30.05.2026?"
        ),
        "room_seats": (
            "Look up the room of my event Budget planning with Coral Tools on 01.07.2026: "
            "how many seats has it?"
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_the_days_to_compare_have_different_numbers_of_meetings() -> None:
    for seed in range(20, 23):
        task, world = GYM.make_task("busier_day", seed), get_company(seed)
        state = GYM.initial_state(task)
        counts = sorted(count_meetings(world, state, task.params[key]) for key in DAYS)
        assert counts[-1] > counts[-2]
        assert counts[0] >= 1
