"""Tasks on customers: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.billing.gym import GYM
from envs.gyms.apps.billing.tasks_customers import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "change_contact": (
            "The contact at Delta Textiles is now Olga Adler, "
            "olga.adler@delta-textiles.example. Update the customer."
        ),
        "hold_customer": "Indigo Partners does not pay: put it on hold.",
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_new_contact_is_another_one_at_the_same_domain() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("change_contact", seed)
        customers = GYM.initial_state(task)["billing"]["customers"]
        customer = next(c for c in customers if c["id"] == task.params["customer"])
        assert task.params["contact"] != customer["contact"]
        assert task.params["email"].partition("@")[2] == customer["email"].partition("@")[2]
