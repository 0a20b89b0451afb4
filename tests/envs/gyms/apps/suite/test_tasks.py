"""Tasks across apps: what earns success."""

from __future__ import annotations

from envs.gyms.apps.suite.gym import GYM
from envs.gyms.apps.suite.tasks import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_an_advice_that_was_booked_already_cannot_be_done() -> None:
    task = GYM.make_task("book_advice_twice", 2)
    state = GYM.initial_state(task)
    invoices = {invoice["id"]: invoice for invoice in state["billing"]["invoices"]}
    assert invoices[task.params["invoice"]]["status"] == "Paid"
