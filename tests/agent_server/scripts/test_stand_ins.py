"""The same choice by another kind of control."""

from __future__ import annotations

from agent_server.scripts.interruptions import Page
from agent_server.scripts.model import Named, ScriptStep
from agent_server.scripts.stand_ins import find_stand_in
from envs.contract.actions import Click, SetValue, Target
from tests.agent_server.scripts.recorded import observe

COLOR = ScriptStep(
    action={"type": "set_value", "value": "{c}"}, target=(Named(role="select", name="Color"),)
)
VALUES = {"c": "Blue"}


def page(tree: str) -> Page:
    return Page.of(observe("/", tree))


def test_a_drop_down_that_became_buttons_and_back() -> None:
    radio = find_stand_in(page("radio Red #1\nradio Blue #2"), COLOR, VALUES)
    assert radio == Click(target=Target(ref=2, tree=1))
    click = ScriptStep(action={"type": "click"}, target=(Named(role="radio", name="{c}"),))
    chosen = find_stand_in(page("select Color = Red [Red | Blue] #4"), click, VALUES)
    assert chosen == SetValue(target=Target(ref=4, tree=1), value="Blue")


def test_a_box_that_became_a_drop_down() -> None:
    typed = ScriptStep(
        action={"type": "type", "text": "{c}", "clear": True},
        target=(Named(role="box", name="Color"),),
    )
    expected = SetValue(target=Target(ref=1, tree=1), value="Blue")
    assert find_stand_in(page("select Color = Red [Red | Blue] #1"), typed, VALUES) == expected


def test_where_several_could_be_meant_there_is_none() -> None:
    assert find_stand_in(page("radio Blue #1\nbutton Blue #2"), COLOR, VALUES) is None
    assert find_stand_in(page("text Blue"), COLOR, VALUES) is None
