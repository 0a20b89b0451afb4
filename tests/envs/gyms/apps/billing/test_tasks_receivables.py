"""Questions on what customers owe: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.billing.gym import GYM
from envs.gyms.apps.billing.rules import get_open_amount, is_overdue
from envs.gyms.apps.billing.tasks_receivables import TEMPLATES
from envs.gyms.kit.company import get_company
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "open_amount": "What is the open amount of Umber Travel?",
        "longest_overdue": "Give the number of the overdue invoice of Willowby that was due first.",
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_debtor_has_several_open_invoices_whose_sum_is_the_answer() -> None:
    for seed in range(20, 23):
        task, world = GYM.make_task("open_amount", seed), get_company(seed)
        before = GYM.initial_state(task)
        billing = before["billing"]
        amounts = [
            get_open_amount(billing, invoice)
            for invoice in billing["invoices"]
            if invoice["customer"] == task.params["customer"]
        ]
        assert sum(amount > 0 for amount in amounts) > 1
        spec = GYM.spec("open_amount")
        assert spec.expected_answer is not None
        assert spec.expected_answer(world, task.params, before) == str(sum(amounts))


def test_one_invoice_is_overdue_for_longer_than_all_others() -> None:
    for seed in range(20, 23):
        task, today = GYM.make_task("longest_overdue", seed), get_company(seed).today
        invoices = GYM.initial_state(task)["billing"]["invoices"]
        days = sorted(invoice["due"] for invoice in invoices if is_overdue(invoice, today))
        assert days[0] < days[1]
