"""Scripts that look something up."""

from __future__ import annotations

from envs.gyms.apps.miniwob.scripts import lookups
from tests.envs.gyms.apps.miniwob.play import observation, play

SUBMIT = "button Submit #"


def test_values_of_a_table() -> None:
    table = ("text Color", "text red", "text Year", "text 1999")
    first_page = observation(
        "text Enter the value of Year into the text field", *table, "box #", SUBMIT
    )
    assert play(lookups.copy_from_table, first_page) == ["type 1999", "click Submit"]
    two = observation(
        "text Enter the values", *table, "text Year:", "box #", "text Color:", "box #", SUBMIT
    )
    assert play(lookups.copy_from_table, two)[:2] == ["type 1999", "type red"]


def test_labels_before_and_behind_their_boxes() -> None:
    query = "text Search for comedy movies directed by Bo from year 2001."
    before = observation(
        query,
        "text Year",
        "box y #",
        "text Genre",
        "box g #",
        "text Director",
        "box d #",
        "button Go! #",
    )
    behind = observation(
        query,
        "box y #",
        "text Year",
        "box g #",
        "text Genre",
        "box d #",
        "text Director",
        "button Go! #",
    )
    expected = {"type y 2001", "type g comedy", "type d Bo"}
    for page in (before, behind):
        moves = play(lookups.movie_search, page)
        assert set(moves[:3]) == expected
        assert moves[3:] == ["click Go!"]


def test_results_lie_three_on_a_page() -> None:
    query = 'text Enter "Ann" into the search bar, then find and click the 5th search result.'
    page = observation(query, "box #", "button Search #", "link a #", "link b #", "link 2 #")
    assert play(lookups.search_engine, page) == ["type Ann", "click Search", "click 2", "click b"]


def test_suggestions_by_start_and_end() -> None:
    query = 'text Enter an item that starts with "Be" and ends with "um".'
    page = observation(query, "box #", "option Belize #", "option Belgium #", SUBMIT)
    assert play(lookups.autocomplete, page) == ["type Be", "click Belgium", "click Submit"]


def test_contacts_are_turned_to_by_name() -> None:
    query = "text Find Ann in the contact book and click on their email."
    other = observation(query, "heading Bo", "text Email:", "link b@x #", "link > #")
    page = observation(query, "heading Ann", "text Email:", "link a@x #", "link > #")
    assert play(lookups.phone_book, other, page) == ["click >", "click a@x"]
