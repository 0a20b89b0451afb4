"""Tasks on invoices: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.billing.gym import GYM
from envs.gyms.apps.billing.tasks_invoices import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "send_draft": "The draft INV-1062 for Summit Tools is right: send it.",
        "void_invoice": "Invoice INV-1041 was a mistake. Void it.",
        "new_invoice": (
            "Create a draft invoice for Summit Labs: 8 x Maintenance at 440,50 € each."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_drafts_to_be_sent_have_a_customer_that_is_not_on_hold() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("send_draft", seed)
        billing = GYM.initial_state(task)["billing"]
        assert not get_record(billing, "customers", task.params["customer"])["hold"]
