"""Controls act as they are called, and always validly."""

from __future__ import annotations

import pytest

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.compact import parse
from agent_server.policy.controls import CONTROLS, POLICIES
from envs.contract.actions import Done, Infeasible
from envs.contract.observations import Observation, Tree, parse_tree
from tests.agent_server.toy_env import toy_task

TREE = """heading Cart
button Pay now #1
box Card number = 12 #2
select Country = Chile [Chile | Peru] #3
link Terms #4"""


def turn(seed: int | None = 1, tree: str | None = TREE) -> Turn:
    seen = Observation(hash="h", tree=None if tree is None else Tree(id=1, text=tree))
    return Turn(toy_task(), seen, "", Sampling(seed=seed))


async def test_noop_says_done_and_infeasible_says_so() -> None:
    assert parse((await CONTROLS["noop"]().act(turn())).text).action == Done()
    assert parse((await CONTROLS["infeasible"]().act(turn())).text).action == Infeasible()


async def test_random_actions_are_valid_of_many_kinds_and_repeat_by_their_seed() -> None:
    lines = parse_tree(TREE)
    answers = [(await CONTROLS["random"]().act(turn(seed))).text for seed in range(300)]
    assert answers == [(await CONTROLS["random"]().act(turn(seed))).text for seed in range(300)]
    actions = [parse(text, lines, 1) for text in answers]
    assert not [parsed.error for parsed in actions if parsed.action is None]
    kinds = {parsed.action.type for parsed in actions if parsed.action is not None}
    assert kinds == {"click", "type", "set_value", "scroll", "history", "done"}


async def test_random_goes_on_from_step_to_step_on_one_page() -> None:
    first, again = CONTROLS["random"](), CONTROLS["random"]()
    texts = [(await first.act(turn())).text for _ in range(40)]
    assert len(set(texts)) > 5
    assert texts == [(await again.act(turn())).text for _ in range(40)]


@pytest.mark.parametrize("tree", [None, "heading Nothing to click"])
async def test_random_copes_with_nothing_to_act_on(tree: str | None) -> None:
    for seed in range(20):
        assert parse((await CONTROLS["random"]().act(turn(seed, tree))).text).action is not None


def test_every_control_is_a_policy_that_can_be_asked_for() -> None:
    assert POLICIES == ("live", "renamed", "oracle", "stumbling", "noop", "infeasible", "random")
