"""Oracles as scripts: their end, being lost, and what they overcome."""

from __future__ import annotations

import pytest

from envs.contract.actions import Click, Done, Infeasible, Scroll
from envs.contract.task import Task
from envs.gyms.kit.disturbances import ACCEPT, ERROR_TITLE
from envs.gyms.kit.script import GiveUp, Script, ScriptOracle, decide_on_each_page
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page
from tests.envs.gyms.kit.observed import observe

TASK = Task(id="t", instruction="x")


def solve(page: Page, params: dict[str, object]) -> Script:
    page = yield page.click("open it", "link", "Open")
    return page.text_after("Total ")


def test_the_script_s_value_is_the_answer() -> None:
    oracle = ScriptOracle(TASK, solve)
    assert isinstance(oracle.move(observe("link Open #1")).action, Click)
    assert oracle.move(observe("text Total $3")).action == Done(answer="$3")


def test_what_is_in_the_way_is_dismissed_first() -> None:
    oracle = ScriptOracle(TASK, solve)
    covered = observe(f"button {ACCEPT} #1", "link Open #2")
    assert oracle.move(covered).thought == "that is in the way"
    failed = observe("link Try again #1", title=ERROR_TITLE)
    assert oracle.move(failed).thought == "it may work now"
    assert oracle.move(observe("link Open #1")).thought == "open it"


def test_giving_up_is_an_ending() -> None:
    def refuse(page: Page, params: dict[str, object]) -> Script:
        raise GiveUp("it is paid")
        yield

    assert ScriptOracle(TASK, refuse).move(observe()).action == Infeasible(reason="it is paid")


def test_a_decider_scrolls_where_it_is_lost() -> None:
    def decide(page: Page) -> OracleMove:
        return page.click("go", "link", "Open")

    script = decide_on_each_page(Page(observe(below=True)), decide)
    assert isinstance(next(script).action, Scroll)
    assert isinstance(script.send(Page(observe("link Open #1"))).action, Click)
    with pytest.raises(OracleLost, match="no link 'Open'"):
        script.send(Page(observe()))
