"""What the portal's oracles read from a list."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people.oracle_moves import first_list_entry, locale_of, open_person
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.oracle_walk import make_page, walk


def test_the_first_link_below_the_summary_of_a_list() -> None:
    summary = "text 2 found, sorted by Name"
    people = make_page("link Menu #", summary, "link Ann #", "link Bo #")
    assert first_list_entry(people) == "Ann"
    with pytest.raises(OracleLost, match="empty"):
        first_list_entry(make_page("link Menu #", summary))


def test_the_locale_of_the_params() -> None:
    assert locale_of({"locale": "eu"}).parse_money("1.200,50 €") == 120050


def test_people_are_searched_in_the_directory() -> None:
    start, people = make_page("link Directory #"), make_page("box Search #", "link Ann Lee #")
    moves, _ = walk(lambda page: open_person(page, "Ann Lee"), start, people)
    assert moves == ["click Directory", "type Search Ann Lee", "click Ann Lee"]
