"""The calendar as an app: its pages and its stray change."""

from __future__ import annotations

import copy
import random

from envs.gyms.apps.calendar.app import CALENDAR, make_stray_change
from envs.gyms.kit.company import get_company
from envs.state.canonical import diff


def test_every_place_of_the_navigation_is_a_page() -> None:
    paths = [(page.method, page.path) for page in CALENDAR.pages]
    assert len(set(paths)) == len(paths)
    assert {("GET", path) for _, path in CALENDAR.nav} <= set(paths)


def test_a_form_s_path_lies_below_its_page_or_is_of_one_with_a_key() -> None:
    pages = {page.path for page in CALENDAR.pages if page.method == "GET"}
    for page in CALENDAR.pages:
        if page.method == "POST":
            above = page.path.rpartition("/")[0] or "/"
            assert above in pages, page.path


def test_the_stray_change_changes_one_value() -> None:
    before = CALENDAR.make_state(get_company(3))
    after = copy.deepcopy(before)
    make_stray_change(after, random.Random(1))
    assert len(diff(before, after)) == 1
