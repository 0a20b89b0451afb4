"""The search for an element: each way once, and an end to it."""

from __future__ import annotations

from agent_server.scripts.interruptions import Fix, Page
from agent_server.scripts.model import Named
from agent_server.scripts.search import Search
from envs.contract.actions import Click, Scroll, Target, Wait
from tests.agent_server.scripts.recorded import observe

HUGO = (Named(role="link", name="{who}"),)
WHO = {"who": "Hugo"}
TREE = "button Menu #1\nlink Ada #2\nlink Next page #3"


def test_up_down_menu_next_page_then_patience() -> None:
    search, kinds = Search(), []
    for scroll in ("more above, more below", "more below", "more above", "", "", "", "", ""):
        way = search.find(Page.of(observe("/", TREE, scroll=scroll)), HUGO, WHO)
        if way is None:
            break
        assert isinstance(way, Fix)
        kinds.append(way.action)
    assert isinstance(kinds[0], Scroll)
    assert isinstance(kinds[1], Scroll)
    assert kinds[2] == Click(target=Target(ref=1, tree=1))
    assert kinds[3] == Click(target=Target(ref=3, tree=1))


def test_a_search_without_any_way_ends() -> None:
    search = Search()
    page = Page.of(observe("/", "heading Empty"))
    waits = [search.find(page, HUGO, WHO) for _ in range(4)]
    assert [fix.action for fix in waits if isinstance(fix, Fix)] == [Wait(ms=250)] * 3
    assert waits[-1] is None


def test_a_menu_that_the_step_before_opened_is_not_closed() -> None:
    search = Search(menus={"More"})
    way = search.find(Page.of(observe("/", "button More #1")), HUGO, WHO)
    assert isinstance(way, Fix)
    assert isinstance(way.action, Wait)


def test_pages_of_a_list_are_turned_for_records_only() -> None:
    page = Page.of(observe("/", "link Next page #3"))
    way = Search().find(page, (Named(role="link", name="Settings"),), {})
    assert isinstance(way, Fix)
    assert isinstance(way.action, Wait)
