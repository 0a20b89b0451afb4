from __future__ import annotations

import pytest

from tasksets.desktop.calc_formatting import TEMPLATES
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


def test_only_closed_rows_are_to_be_hidden() -> None:
    for seed in range(10):
        rules = (GYM.make_task("calc_hide_rows", seed).evaluator or {})["expected"]
        rows = rules[0]["rules"]["Cases"]
        hidden = rules[1]["rules"]["Cases"]["hidden_rows"]
        assert hidden == [n for n, row in enumerate(rows, 1) if row[2] == "closed"]
        assert 0 < len(hidden) < len(rows) - 1


@pytest.mark.desktop
@for_each_on_a_desktop(TEMPLATES)
async def test_only_the_task_itself_scores(user: DesktopUser, template: str) -> None:
    await check_only_the_task_scores(user, template)


@pytest.mark.desktop
@for_each_with_gui(TEMPLATES)
async def test_a_person_can_solve_it_with_mouse_and_keys(user: DesktopUser, template: str) -> None:
    await check_gui_oracle(user, template)
