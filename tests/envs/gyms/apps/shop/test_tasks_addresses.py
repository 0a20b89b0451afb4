"""The wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.shop.gym import GYM
from envs.gyms.apps.shop.tasks_addresses import ADDRESS_TEMPLATES
from tests.envs.gyms.apps.shop.shop_requests import check_verdicts


def test_an_instruction_of_a_seed() -> None:
    assert GYM.make_task("move_address", 1).instruction == (
        "The School address moved: street 94 Station Way, city Turin. Update it."
    )


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(ADDRESS_TEMPLATES)
