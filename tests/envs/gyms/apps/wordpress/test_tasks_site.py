"""Tasks on what is around the posts: what earns success."""

from __future__ import annotations

import copy

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.apps.wordpress.gym import APP
from envs.gyms.apps.wordpress.tasks import TEMPLATES
from envs.gyms.apps.wordpress.tasks_site import SITE
from envs.gyms.real.gym import ApplicationGym
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
