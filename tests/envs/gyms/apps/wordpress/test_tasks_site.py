"""Tasks on what is around the posts: what earns success."""

from __future__ import annotations

import copy

import pytest

from envs.contract.task import SPLIT_BASES, Task
from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.apps.wordpress.gym import APP
from envs.gyms.apps.wordpress.tasks import TEMPLATES
from envs.gyms.apps.wordpress.tasks_site import SITE
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import make_expected_state
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.server.gym import State
from tests.envs.gyms.apps.task_checks import check_verdicts

GYM = ApplicationGym(WordPress(), APP, TEMPLATES)
"""Rules and verdicts need no WordPress."""


def test_the_expected_end_is_a_success_in_each_split() -> None:
    for base in SPLIT_BASES.values():
        check_verdicts(GYM, SITE, seed=base + 5)


def test_one_setting_more_earns_nothing() -> None:
    task = GYM.make_task("set_page_length", 5)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    settings = after["wordpress"]["settings"]
    settings["posts_per_page"] = task.params["number"]
    assert GYM.verdict(task, before, after, None, False).success
    settings["posts_per_rss"] = task.params["number"]
    assert not GYM.verdict(task, before, after, None, False).success


def solve(template: str) -> tuple[Task, State, State]:
    """A task with the state before and the one that it asks for."""
    task = GYM.make_task(template, 5)
    before = GYM.initial_state(task)
    return (
        task,
        before,
        make_expected_state(GYM.spec(template), get_company(5), task.params, before),
    )


@pytest.mark.parametrize("name", ["option stylesheet", "user berg1: password"])
def test_looks_and_passwords_that_were_changed_besides_are_no_success(name: str) -> None:
    task, before, after = solve("set_tagline")
    assert GYM.verdict(task, before, after, None, False).success
    after["wordpress"]["besides"][name] = "changed"
    assert not GYM.verdict(task, before, after, None, False).success


def test_a_renamed_category_keeps_its_address() -> None:
    task, before, after = solve("rename_category")
    category = after["wordpress"]["categories"][task.params["new"]]
    assert category["slug"] == task.params["old"].lower()
    category["slug"] = "other"
    assert not GYM.verdict(task, before, after, None, False).success


def test_first_and_last_name_of_a_new_user_stand_in_their_fields() -> None:
    task, before, after = solve("add_user")
    user = after["wordpress"]["users"][task.params["login"]]
    assert f"{user['first']} {user['last']}" == task.params["who"]
    user["first"], user["last"] = task.params["who"], ""
    assert not GYM.verdict(task, before, after, None, False).success
