"""The portal as an app."""

from __future__ import annotations

import copy
import random

from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.server.gym import State


def test_each_path_has_one_page_and_the_navigation_leads_to_pages() -> None:
    pages = [(page.method, page.path) for page in PEOPLE.pages]
    assert len(set(pages)) == len(pages)
    assert {path for _, path in PEOPLE.nav} <= {path for _, path in pages}


def test_forms_for_new_records_come_before_the_pages_of_old_ones() -> None:
    paths = [page.path for page in PEOPLE.pages if page.method == "GET"]
    for kind in ("expenses", "announcements"):
        assert paths.index(f"/{kind}/new") < paths.index(f"/{kind}/{{key}}")


def test_the_stray_change_turns_one_pin(portal: State) -> None:
    before = copy.deepcopy(portal["announcements"])
    PEOPLE.make_stray_change(portal, random.Random(0))
    pairs = zip(portal["announcements"], before, strict=True)
    assert [new["pinned"] != old["pinned"] for new, old in pairs].count(True) == 1
