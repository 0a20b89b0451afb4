"""Tasks on recurring invoices: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.billing.gym import GYM
from envs.gyms.apps.billing.schedules import get_schedule_name
from envs.gyms.apps.billing.tasks_schedules import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "pause_schedule": "Stop billing Atlas Partners: Onboarding for the time being.",
        "reschedule": (
            "Change the schedule Delta Studios: Data export: 1.320,00 €, Quarterly, next "
            "invoice on 19.08.2026."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_schedules_of_tasks_are_active_and_have_a_name_of_their_own() -> None:
    for seed in range(20, 23):
        params = GYM.make_task("reschedule", seed).params
        billing = GYM.initial_state(GYM.make_task("reschedule", seed))["billing"]
        names = [
            get_schedule_name(s, get_record(billing, "customers", s["customer"]))
            for s in billing["schedules"]
        ]
        assert names.count(params["name"]) == 1
        assert get_record(billing, "schedules", params["schedule"])["active"]
        assert params["every"] != params["old_every"]
