"""Tasks on a ticket's details: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.tasks_details import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "tag_and_due": (
            'Emma Falk (Harbor Tools) reported "Web shop is slow". That ticket is due on '
            "04.06.2026 now and gets the tag warranty besides those it has."
        ),
        "new_ticket": (
            "Open a new ticket for Greta Winter (Willowby), product Handheld scanner, "
            'subject "Question about the invoice for Handheld scanner", priority Normal, '
            'message "It beeps without end".'
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_customer_and_subject_name_one_ticket_only() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("tag_and_due", seed)
        tickets = GYM.initial_state(task)["desk"]["tickets"]
        p = task.params
        matches = [
            t for t in tickets if (t["customer"], t["subject"]) == (p["customer"], p["subject"])
        ]
        assert [ticket["id"] for ticket in matches] == [p["ticket"]]
        assert p["tag"] not in matches[0]["tags"]
