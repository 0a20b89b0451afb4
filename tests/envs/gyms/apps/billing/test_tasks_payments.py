"""Tasks on payments: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.billing.gym import GYM
from envs.gyms.apps.billing.rules import get_open_amount
from envs.gyms.apps.billing.tasks_payments import TEMPLATES
from envs.gyms.kit.company import get_company
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "pay_invoice": "Record that Umber Works paid INV-1052 today: 2.015,00 €, Card.",
        "pay_part": ("Book a part payment on INV-1029: 2.312,00 € on 25.04.2026, Bank transfer."),
        "pay_twice": (
            "Record a payment of today by Card for the open amount of invoice INV-1022. If "
            "nothing is open, say that it cannot be done."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_part_payment_is_less_than_the_open_amount() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("pay_part", seed)
        billing = GYM.initial_state(task)["billing"]
        invoice = get_record(billing, "invoices", task.params["invoice"])
        assert 0 < task.params["cents"] < get_open_amount(billing, invoice)
        assert task.params["day"] < get_company(seed).today


def test_refusing_counts_only_after_the_invoice_was_visited() -> None:
    task = GYM.make_task("pay_twice", 3)
    before, after = GYM.initial_state(task), GYM.initial_state(task)
    assert not GYM.verdict(task, before, after, None, True).success
    after["log"].append(f"billing:invoice:{task.params['invoice']}")
    assert GYM.verdict(task, before, after, None, True).success
    assert not GYM.verdict(task, before, after, None, False).success
