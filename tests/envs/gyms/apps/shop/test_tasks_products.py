"""The wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.shop.gym import GYM
from envs.gyms.apps.shop.tasks_products import PRODUCT_TEMPLATES
from tests.envs.gyms.apps.shop.shop_requests import check_verdicts


def test_an_instruction_of_a_seed() -> None:
    assert GYM.make_task("cheapest_sized", 1).instruction == (
        "Add the cheapest Black Cotton Dress in size M to the cart."
    )


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(PRODUCT_TEMPLATES)
