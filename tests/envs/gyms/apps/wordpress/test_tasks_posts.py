"""Tasks on posts and pages: what earns success."""

from __future__ import annotations

import copy

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.apps.wordpress.gym import APP
from envs.gyms.apps.wordpress.tasks import TEMPLATES
from envs.gyms.apps.wordpress.tasks_posts import POSTS
from envs.gyms.real.gym import ApplicationGym
from tests.envs.gyms.apps.task_checks import check_verdicts

GYM = ApplicationGym(WordPress(), APP, TEMPLATES)
"""Rules and verdicts need no WordPress."""


def test_the_expected_end_is_a_success_in_each_split() -> None:
    for base in SPLIT_BASES.values():
        check_verdicts(GYM, POSTS, seed=base + 5)


def test_a_post_near_the_right_one_earns_nothing() -> None:
    task = GYM.make_task("trash_post", 5)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    posts = after["wordpress"]["posts"]
    other = next(title for title in posts if title != task.params["title"])
    posts[other]["status"] = "trash"
    assert not GYM.verdict(task, before, after, None, False).success
    posts[task.params["title"]]["status"] = "trash"
    assert not GYM.verdict(task, before, after, None, False).success
    posts[other]["status"] = before["wordpress"]["posts"][other]["status"]
    assert GYM.verdict(task, before, after, None, False).success
