"""The drive as an app."""

from __future__ import annotations

import random

from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.drive.data import make_state
from envs.gyms.kit.company import get_company


def test_every_place_of_the_navigation_has_a_page() -> None:
    paths = {page.path for page in DRIVE.pages if page.method == "GET"}
    assert {path for _, path in DRIVE.nav} <= paths


def test_each_path_has_one_page() -> None:
    pages = [(page.method, page.path) for page in DRIVE.pages]
    assert len(set(pages)) == len(pages)


def test_the_stray_change_turns_one_star() -> None:
    state, before = (make_state(get_company(1)) for _ in range(2))
    DRIVE.make_stray_change(state, random.Random(0))
    pairs = zip(state["files"], before["files"], strict=True)
    assert [new["starred"] != old["starred"] for new, old in pairs].count(True) == 1
