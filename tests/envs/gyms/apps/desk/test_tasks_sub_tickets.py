"""Tasks on sub-tickets: the wording of a seed, and what earns success."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk.data import CLOSED
from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.rules import update_ticket
from envs.gyms.apps.desk.tasks_sub_tickets import TEMPLATES
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "close_parent": (
            "Close the ticket HD-2157. Leave all other tickets as they are. If it cannot be "
            "closed, say so."
        ),
        "set_parent": "Make HD-2126 a sub-ticket of HD-2178.",
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_the_parent_cannot_be_closed() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("close_parent", seed)
        desk = GYM.initial_state(task)["desk"]
        with pytest.raises(Refused, match="has a sub-ticket that is not solved"):
            update_ticket(desk, task.params["ticket"], CLOSED)
