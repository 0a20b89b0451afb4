"""Reading a page by its tree, and the oracle that follows a script."""

from __future__ import annotations

import pytest

from envs.contract.actions import Click, Done
from envs.contract.observations import Observation
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, LivePageOracle, Moves, list_refs
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.miniwob.play import live_page, observation

PAGE = (
    'text Click "Okay" or  " no "',
    "text Name:",
    "text not this",
    "box #",
    "button okay #",
    "button Okay #",
    "link Okay #",
)


def test_the_query_is_the_first_text() -> None:
    page = live_page(*PAGE)
    assert page.query == 'Click "Okay" or " no "'
    assert page.quoted_texts == ["Okay", "no"]
    assert page.texts == ["Name:", "not this"]
    assert page.match_query(r'Click "(\w+)" (or)') == ("Okay", "or")
    with pytest.raises(OracleLost, match="no Select"):
        page.match_query("Select (.*)")


def test_elements_by_name_role_and_place() -> None:
    page = live_page(*PAGE)
    assert page.get("Okay", "button").ref == 5  # the exact case comes before the first in any case
    assert page.get("OKAY", "button").ref == 4
    assert page.get("Okay").ref == 5
    assert [line.ref for line in page.all("button", "link")] == [4, 5, 6]
    assert page.box().ref == 3
    assert page.first_below("name", "link").ref == 6
    assert page.find("nothing") is None
    for lost in (lambda: page.get("nothing"), lambda: page.box(1), lambda: page.first_below("x")):
        with pytest.raises(OracleLost):
            lost()


def test_moves_target_the_element_of_this_tree() -> None:
    page = live_page(*PAGE)
    move = page.click(page.get("Okay", "button"))
    assert isinstance(move.action, Click)
    assert move.action.target == page.target(page.get("Okay", "button"))
    assert (move.thought, move.called) == ("", None), "what is copied needs no thought"


def test_numbers_of_elements_are_listed_up_to_a_most() -> None:
    assert list_refs(live_page(*PAGE).all("button", "link"), most=2) == "#4, #5"


def test_an_oracle_ends_with_its_script_or_with_the_episode() -> None:
    def two_clicks(page: LivePage) -> Moves:
        for _ in range(2):
            yield page.click(page.get("Okay"))

    oracle = LivePageOracle(two_clicks)
    actions = [oracle.move(observation(*PAGE)).action for _ in range(3)]
    assert [isinstance(action, Done) for action in actions] == [False, False, True]
    over = LivePageOracle(two_clicks).move(observation("text Finished."))
    assert isinstance(over.action, Done)
    with pytest.raises(OracleLost, match="tree"):
        LivePageOracle(two_clicks).move(Observation(hash=""))
