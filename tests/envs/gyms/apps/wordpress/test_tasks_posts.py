"""Tasks on posts and pages: what earns success."""

from __future__ import annotations

import copy

import pytest

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.apps.wordpress.gym import APP
from envs.gyms.apps.wordpress.tasks import TEMPLATES
from envs.gyms.apps.wordpress.tasks_posts import POSTS
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import make_expected_state
from envs.gyms.real.gym import ApplicationGym
from tests.envs.gyms.apps.task_checks import check_verdicts

GYM = ApplicationGym(WordPress(), APP, TEMPLATES)
"""Rules and verdicts need no WordPress."""
FEASIBLE = [template for template in POSTS if not template.infeasible]


def test_the_expected_end_is_a_success_in_each_split() -> None:
    for base in SPLIT_BASES.values():
        check_verdicts(GYM, FEASIBLE, seed=base + 5)


@pytest.mark.parametrize(
    ("event", "shows"),
    [
        ("drafts:{firm}", True),
        ("drafts:{last}, {first}", True),
        ("drafts:", True),
        ("drafts:{last}", True),
        ('drafts:about "{firm}"', True),
        ('drafts:"{last} {first}"', False),
        ("drafts:{first} -{last}", False),
        ("drafts:{firm} wins an award", False),
        ("drafts:Nobody", False),
        ("drafts:a", False),
        ("search:{firm}", False),
        ("page:edit", False),
    ],
)
def test_a_draft_is_missing_where_a_search_would_have_met_it(event: str, shows: bool) -> None:
    task = GYM.make_task("missing_post", 5)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    first, last = task.params["firm"].split()
    after["log"].append(f"wordpress:{event.format(first=first, last=last.upper(), **task.params)}")
    verdict = GYM.verdict(task, before, after, None, True)
    assert verdict.success == verdict.milestones["searched"] == shows


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


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "other"),
        ("date", "2024-01-01 08:00:00"),
        ("pings", "closed"),
        ("format", ["aside"]),
    ],
)
def test_an_address_a_day_or_more_that_was_changed_besides_is_no_success(
    field: str, value: object
) -> None:
    task = GYM.make_task("rename_post", 5)
    before = GYM.initial_state(task)
    after = make_expected_state(GYM.spec("rename_post"), get_company(5), task.params, before)
    assert GYM.verdict(task, before, after, None, False).success
    after["wordpress"]["posts"][task.params["new"]][field] = value
    assert not GYM.verdict(task, before, after, None, False).success


def test_a_new_tag_is_on_the_list_of_tags_as_well() -> None:
    task = GYM.make_task("add_tag", 5)
    before = GYM.initial_state(task)
    before["wordpress"]["tags"].pop(task.params["tag"], None)
    after = make_expected_state(GYM.spec("add_tag"), get_company(5), task.params, before)
    assert task.params["tag"] in after["wordpress"]["tags"]
    after["wordpress"]["tags"]["stray"] = {"slug": "stray", "description": "", "parent": ""}
    assert not GYM.verdict(task, before, after, None, False).success
