from __future__ import annotations

import random

import pytest

from tasksets.desktop.files import TEMPLATES, documents_become, sample_notes, setup_files
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


def test_what_changes_follows_from_the_states_before_and_after() -> None:
    evaluator = documents_become(
        {"a.txt": "1", "b.txt": "2", "Old": None, "c.txt": "3"},
        {"a.txt": "1", "b.txt": "4", "d.txt": "3"},
    )
    assert evaluator["expected"][0]["rules"] == {"a.txt": "1", "b.txt": "4", "d.txt": "3"}
    assert evaluator["expected"][1]["rules"] == {
        "added": ["Documents/d.txt"],
        "changed": ["Documents/b.txt"],
        "removed": ["Documents/c.txt"],
    }


def test_setup_makes_folders_and_files() -> None:
    folder, file = setup_files({"Old": None, "a.txt": "1"})
    assert folder == {"type": "folder", "parameters": {"path": "/home/user/Documents/Old"}}
    assert file["parameters"] == {"path": "/home/user/Documents/a.txt", "text": "1"}


def test_notes_differ() -> None:
    notes = sample_notes(random.Random(1), 6)
    assert len(set(notes)) == 6


@pytest.mark.desktop
@for_each_on_a_desktop(TEMPLATES)
async def test_only_the_task_itself_scores(user: DesktopUser, template: str) -> None:
    await check_only_the_task_scores(user, template)


@pytest.mark.desktop
@for_each_with_gui(TEMPLATES)
async def test_a_person_can_solve_it_with_mouse_and_keys(user: DesktopUser, template: str) -> None:
    await check_gui_oracle(user, template)
