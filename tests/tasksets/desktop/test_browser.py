from __future__ import annotations

import pytest

from tasksets.desktop.browser import (
    INITIAL_PREFERENCES,
    TEMPLATES,
    html_table,
    page_file,
    page_url,
    preferences_are,
)
from tests.envs.desktop_box import DesktopUser
from tests.tasksets.desktop.audits import (
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


def test_tables_and_pages_as_html() -> None:
    assert html_table([("A", "B"), (1, 2)]) == (
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
    )
    step = page_file("news", "News", "<p>x</p>")
    assert page_url("news") == f"file://{step['parameters']['path']}"
    assert "<title>News</title>" in step["parameters"]["text"]


def test_other_settings_must_keep_their_values() -> None:
    rules = preferences_are({"enable_do_not_track": True})["expected"][0]["rules"]["expected"]
    assert rules == {**INITIAL_PREFERENCES, "enable_do_not_track": True}


@pytest.mark.desktop
@for_each_on_a_desktop(TEMPLATES)
async def test_only_the_task_itself_scores(user: DesktopUser, template: str) -> None:
    await check_only_the_task_scores(user, template)


@pytest.mark.desktop
@for_each_with_gui(TEMPLATES)
async def test_a_person_can_solve_it_with_mouse_and_keys(user: DesktopUser, template: str) -> None:
    await check_gui_oracle(user, template)
