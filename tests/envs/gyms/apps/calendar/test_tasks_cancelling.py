"""Tasks on events that are cancelled: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.tasks_cancelling import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "cancel_event": "Call off Handover Marketing, planned for 17.06.2026.",
        "cancel_occurrence": (
            "Cancel Handover Marketing on 02.06.2026, but keep the other dates of the series."
        ),
        "cancel_series": (
            "Call off every coming date of the weekly event Handover Marketing to which "
            "30.06.2026 belongs."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_series_to_cancel_have_another_date() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("cancel_occurrence", seed)
        events = GYM.initial_state(task)["calendar"]["events"]
        event = next(e for e in events if e["id"] == task.params["event"])
        assert sum(other["series"] == event["series"] for other in events) > 1


def test_a_single_event_to_cancel_belongs_to_no_series() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("cancel_event", seed)
        event = get_record(GYM.initial_state(task)["calendar"], "events", task.params["event"])
        assert event["series"] is None
