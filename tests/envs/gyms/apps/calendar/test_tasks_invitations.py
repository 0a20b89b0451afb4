"""Tasks on invitations: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.calendar.data import INVITED
from envs.gyms.apps.calendar.gym import GYM
from envs.gyms.apps.calendar.tasks_invitations import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "answer_invitation": (
            "Answer the invitation Design review with Indigo Media on 02.07.2026: Accept, "
            'with the comment "Thank you for asking me".'
        ),
        "sick_day": (
            "Out of office on 28.05.2026 for the reason Business trip: enter it. Also "
            "decline Interview with Umber Retail and Training session with Ember Press, "
            'both on that day, saying "I am on a trip that day".'
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_sick_day_has_two_invitations_and_is_not_out_of_office_yet() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("sick_day", seed)
        calendar, day = GYM.initial_state(task)["calendar"], task.params["day"]
        invited = [
            event["id"]
            for event in calendar["events"]
            if event["date"] == day and event["status"] == INVITED
        ]
        assert sorted(invited) == sorted([task.params["event_1"], task.params["event_2"]])
        assert not any(a["first"] <= day <= a["last"] for a in calendar["away"])
