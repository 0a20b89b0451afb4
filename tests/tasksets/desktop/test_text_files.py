from __future__ import annotations

import pytest

from tasksets.desktop.text_files import TEMPLATES
from tests.envs.desktop_box import DesktopUser
from tests.tasksets.desktop.audits import (
    GYM,
    check_gui_oracle,
    check_is_deterministic,
    check_names_exist,
    check_only_the_task_scores,
    for_each,
    for_each_on_a_desktop,
    for_each_with_gui,
)


@for_each(TEMPLATES)
def test_same_seed_same_task_and_other_seeds_differ(template: str) -> None:
    check_is_deterministic(template)


@for_each(TEMPLATES)
def test_every_step_getter_and_metric_it_names_exists(template: str) -> None:
    check_names_exist(template)


def test_parts_are_joined_in_the_order_of_their_numbers() -> None:
    rules = (GYM.make_task("files_join", 2).evaluator or {})["expected"][0]["rules"]
    assert rules["whole.txt"] == rules["part1.txt"] + rules["part2.txt"] + rules["part10.txt"]


@pytest.mark.desktop
@for_each_on_a_desktop(TEMPLATES)
async def test_only_the_task_itself_scores(user: DesktopUser, template: str) -> None:
    await check_only_the_task_scores(user, template)


@pytest.mark.desktop
@for_each_with_gui(TEMPLATES)
async def test_a_person_can_solve_it_with_mouse_and_keys(user: DesktopUser, template: str) -> None:
    await check_gui_oracle(user, template)
