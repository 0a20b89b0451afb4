from __future__ import annotations

import pytest

from envs.contract.actions import Click, Done, Wait
from envs.contract.observations import Observation, Tree
from envs.gyms.server.gym import OracleLost
from tasksets.desktop.actions import click, finish
from tasksets.desktop.oracle import MAX_WAITS, ActionListOracle, find_ref

TREE = """window Book
  menu Save As... #3
  button Save #4
  button Save #5
  cell Save #6
  text Saved"""


def observe(text: str) -> Observation:
    return Observation(hash="0", tree=Tree(id=9, text=text))


@pytest.mark.parametrize(
    ("target", "ref"),
    [
        ({"named": "Save"}, 4),
        ({"named": "Save", "role": "cell"}, 6),
        ({"named": "Save", "role": "menu"}, 3),
        ({"named": "Save", "index": 1}, 5),
        ({"named": "Save", "index": 9}, 6),
        ({"named": "Sav"}, 3),
        ({"named": "Saved"}, None),
        ({"named": "Open"}, None),
    ],
)
def test_an_element_goes_by_its_whole_name_or_else_by_its_beginning(
    target: dict[str, object], ref: int | None
) -> None:
    observation = observe("\n".join(line.strip() for line in TREE.splitlines()))
    assert find_ref(observation, target) == ref


def test_a_target_becomes_a_ref_of_the_tree_that_is_seen() -> None:
    oracle = ActionListOracle([click("Save", "button") | {"thought": "keep it"}, finish("42")])
    move = oracle.move(observe("button Save #4"))
    assert move.thought == "keep it"
    assert isinstance(move.action, Click)
    assert move.action.target.model_dump(include={"ref", "tree"}) == {"ref": 4, "tree": 9}
    last = oracle.move(observe("")).action
    assert isinstance(last, Done)
    assert last.answer == "42"
    with pytest.raises(OracleLost, match="the script has ended"):
        oracle.move(observe(""))


def test_it_waits_for_an_element_and_then_gives_up() -> None:
    oracle = ActionListOracle([click("Save"), click("Open")])
    assert isinstance(oracle.move(observe("")).action, Wait)
    assert isinstance(oracle.move(observe("button Save #4")).action, Click)
    for _ in range(MAX_WAITS):
        assert isinstance(oracle.move(Observation(hash="0")).action, Wait)
    with pytest.raises(OracleLost, match="Open"):
        oracle.move(observe(""))
