"""How a script ends: an answer is read where the page shows it."""

from __future__ import annotations

from agent_server.scripts.interruptions import Page
from agent_server.scripts.make_checks import is_fixed, make_end, path_pattern
from agent_server.scripts.model import Done, Infeasible, Read
from envs.contract import actions
from tests.agent_server.scripts.recorded import observe

PAGE = Page.of(observe("/o/7", "heading Order A-7\ntext Total 12.50 EUR\nbox Coupon = X1 #1"))


def test_an_answer_is_read_from_its_line_or_its_field() -> None:
    assert make_end(actions.Done(answer="12.50"), PAGE, {}) == Read(after="Total ", before=" EUR")
    assert make_end(actions.Done(answer="X1"), PAGE, {}) == Read(field="Coupon")


def test_any_other_answer_is_that_of_the_day_unless_it_is_a_value() -> None:
    computed = make_end(actions.Done(answer="99"), PAGE, {})
    assert (computed, is_fixed(computed)) == (Done(answer="99"), True)
    valued = make_end(actions.Done(answer="99"), PAGE, {"n": "99"})
    assert (valued, is_fixed(valued)) == (Done(answer="{n}"), False)
    assert make_end(actions.Infeasible(reason="sold out"), PAGE, {}) == Infeasible(
        reason="sold out"
    )


def test_parts_of_an_address_that_are_numbers_may_be_others() -> None:
    assert path_pattern("http://h/people/p7/edit?x=1", {}) == "/people/*/edit"
    assert path_pattern("http://h/o/A-7", {"order": "A-7"}) == "/o/{order}"
