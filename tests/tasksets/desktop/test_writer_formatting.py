from __future__ import annotations

import pytest

from tasksets.desktop.writer_formatting import TEMPLATES
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


def test_only_one_colour_of_highlighting_goes() -> None:
    task = GYM.make_task("writer_clear_highlight", 4)
    before, after = (
        [run.get("highlight") for block in body for run in block["runs"] if isinstance(run, dict)]
        for body in (
            task.config[0]["parameters"]["body"],
            (task.evaluator or {})["expected"][0]["rules"]["body"],
        )
    )
    assert len(set(before)) == 2
    assert len({colour for colour in after if colour}) == 1
    assert all(new in (None, old) for new, old in zip(after, before, strict=True))


@pytest.mark.desktop
@for_each_on_a_desktop(TEMPLATES)
async def test_only_the_task_itself_scores(user: DesktopUser, template: str) -> None:
    await check_only_the_task_scores(user, template)


@pytest.mark.desktop
@for_each_with_gui(TEMPLATES)
async def test_a_person_can_solve_it_with_mouse_and_keys(user: DesktopUser, template: str) -> None:
    await check_gui_oracle(user, template)
