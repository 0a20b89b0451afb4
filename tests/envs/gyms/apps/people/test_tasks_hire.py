"""Tasks that hire somebody: from the first page on, and from a draft that is half done."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_hire import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "hire": (
            "Enter and submit a new hire. Person: Mila Weber, mila.weber@willowby.example, +1 "
            "555 425 9981, city Split. Contract: Buyer, Operations, first day 07.06.2026, "
            "Internship, band B3, 46.000,00 € a year. Equipment: Large laptop, Basic phone and a "
            "building pass."
        ),
        "finish_draft": (
            "The draft for hiring Karl Martin is half done. Finish it: Large laptop, Smartphone "
            "and a building pass; the first day must be 13.06.2026 instead. Submit it."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
