"""How oracles decide on pages of products."""

from __future__ import annotations

import pytest

from envs.contract.actions import Click, Done, Infeasible, SetValue, Type
from envs.contract.observations import Observation, Tree
from envs.gyms.apps.shop.oracle_products import AddToCart, ReadPrice
from envs.gyms.server.gym import OracleLost
from envs.gyms.server.view import Page

PARAMS = {"product": "p1", "name": "Opal Wool Coat", "color": "Blue", "size": "M"}


def page(title: str, *lines: str) -> Page:
    tree = Tree(id=1, text="\n".join(lines))
    return Page(Observation(hash="", url="/", title=title, tree=tree))


def test_it_searches_then_opens_the_exact_name() -> None:
    decider = AddToCart(PARAMS)
    move = decider.decide(page("Home", "box Search #1"))
    assert isinstance(move.action, Type)
    assert (move.action.text, move.action.submit) == ("Opal Wool Coat", True)
    results = page("Results", "box Search #1", "link Opal Wool Coat $12.50 #2")
    assert isinstance(decider.decide(results).action, Click)


def test_it_chooses_the_variant_and_ends_when_the_shop_confirms() -> None:
    decider, heading = AddToCart(PARAMS), "heading Opal Wool Coat"
    chosen = ("select Color = Blue [Choose | Blue] #1", "select Size = M [Choose | M] #2")
    box, button = "box Quantity = 1 #3", "button Add to cart #4"
    open_page = page("Product", heading, "select Color = Choose [Choose | Blue] #1", button)
    move = decider.decide(open_page)
    assert isinstance(move.action, SetValue)
    assert move.action.value == "Blue"
    assert decider.decide(page("Product", heading, *chosen, box, button)).thought == (
        "add it to the cart"
    )
    confirmed = page("Product", "text Added to cart: Opal Wool Coat Blue M", heading)
    assert isinstance(decider.decide(confirmed).action, Done)
    assert isinstance(decider.decide(page("Home", "box Search #1")).action, Done)


def test_it_gives_up_on_what_there_is_not() -> None:
    missing = page("Product", "heading Opal Wool Coat", "select Color = Choose [Choose | Red] #1")
    assert isinstance(AddToCart(PARAMS).decide(missing).action, Infeasible)
    silent = page("Product", "heading Opal Wool Coat", "select Color = Choose #1")
    decider = AddToCart(PARAMS)
    kinds = [type(decider.decide(silent).action) for _ in range(3)]
    assert kinds == [SetValue, SetValue, Infeasible]


def test_it_reads_the_price_and_is_lost_without_a_search_box() -> None:
    results = page("Results", "link Opal Wool Coat $12.50 #2")
    action = ReadPrice(PARAMS).decide(results).action
    assert isinstance(action, Done)
    assert action.answer == "$12.50"
    with pytest.raises(OracleLost, match="no box 'Search'"):
        ReadPrice(PARAMS).decide(page("Home"))
