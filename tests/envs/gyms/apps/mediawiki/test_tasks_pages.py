"""Tasks of `tasks_pages`: what earns success."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.apps.mediawiki.application import MediaWiki
from envs.gyms.apps.mediawiki.gym import APP
from envs.gyms.apps.mediawiki.tasks import TEMPLATES
from envs.gyms.real.gym import ApplicationGym

GYM = ApplicationGym(MediaWiki(), APP, TEMPLATES)
"""Rules and verdicts need no MediaWiki."""


def test_a_protection_that_ends_and_a_block_besides_earn_nothing() -> None:
    task = GYM.make_task("protect_page", 5)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    wiki = after["mediawiki"]
    wiki["protected"][task.params["firm"]] = {"edit": "sysop", "move": "sysop until 20260513090000"}
    assert not GYM.verdict(task, before, after, None, False).success
    wiki["protected"][task.params["firm"]] = {"edit": "sysop", "move": "sysop"}
    assert GYM.verdict(task, before, after, None, False).success
    wiki["blocked"]["Jo Ott"] = "infinity"
    assert not GYM.verdict(task, before, after, None, False).success


@pytest.mark.parametrize(
    ("event", "shows"),
    [
        ("missing:{who}", True),
        ("search:{words}", True),
        ("search:{first}", False),
        ("missing:{words}", False),
        ("view:Main Page", False),
    ],
)
def test_a_person_is_missing_where_the_search_for_the_name_or_its_page_says_so(
    event: str, shows: bool
) -> None:
    task = GYM.make_task("missing_person", 5)
    before = GYM.initial_state(task)
    after = copy.deepcopy(before)
    words = task.params["who"].lower()
    shown = event.format(words=words, first=words.split()[0], **task.params)
    after["log"].append(f"mediawiki:{shown}")
    assert GYM.verdict(task, before, after, None, True).success == shows
