"""Ways to find an element again: none that could mean another record."""

from __future__ import annotations

from agent_server.scripts.model import Beginning, ByAttributes, Named, Nearby, Placed
from agent_server.scripts.selectors import find_line, make_selectors, make_sender
from envs.contract.actions import ElementTraits
from envs.contract.observations import parse_tree

LINES = parse_tree(
    "heading New invoice\ntext Price\nbox Price #1\nbutton Create draft #2\nbutton Cancel #3\n"
    "link INV-7 on 3 May #4\nlink INV-8 on 4 May #5"
)


def test_a_button_is_found_by_name_attributes_text_nearby_and_place() -> None:
    traits = ElementTraits(tag="button", form="/invoices/new/create", method="post")
    assert make_selectors(LINES, LINES[3], traits, {}) == (
        Named(role="button", name="Create draft"),
        ByAttributes(css='form[action="/invoices/new/create"] button:not([type="button"])'),
        Nearby(role="button", after="Price"),
        Placed(role="button", nth=1, of=2),
    )


def test_a_record_is_found_by_its_name_alone() -> None:
    traits = ElementTraits(tag="a", href="/invoices/i7")
    assert make_selectors(LINES, LINES[5], traits, {"number": "INV-7"}) == (
        Named(role="link", name="{number} on 3 May"),
        Beginning(role="link", begins="{number} on"),
    )


def test_one_of_several_is_none() -> None:
    twice = parse_tree("button Pay #1\nbutton Pay #2")
    assert find_line(twice, Named(role="button", name="Pay"), {}) is None
    assert find_line(LINES, Beginning(role="link", begins="INV-"), {}) is None
    assert find_line(LINES, Placed(role="button", nth=1, of=3), {}) is None


def test_numbers_in_addresses_are_left_out_and_quotes_stay_inside() -> None:
    traits = ElementTraits(tag="select", name="status", form='/o/7/"x', method="get")
    assert make_sender(traits, {}) == (
        'form[action^="/o/"][action$="/\\"x"]:has(select[name="status"]) '
        'button:not([type="button"])'
    )
