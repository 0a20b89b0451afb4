"""The oracle that slips: what it says wrong is refused, and what follows is the oracle's answer."""

from __future__ import annotations

import random

import pytest

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.compact import parse
from agent_server.policy import stumbling
from agent_server.policy.stumbling import MOST_IN_A_ROW, StumblingOracle, make_slip
from envs.contract.observations import Observation, Tree, parse_tree
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from tasksets.registry import get_gym

TREE = 'text Click on the "Okay" button.\nbutton No #1\nbutton Okay #2\nbox Name #3'
LINES = parse_tree(TREE)


@pytest.mark.parametrize("answer", ["click Okay", "click Okay #2", "look\ntype Name = Ann"])
def test_every_slip_is_refused(answer: str) -> None:
    slips = {make_slip(answer, LINES, random.Random(seed)) for seed in range(60)} - {None}
    assert len(slips) > 3
    for slip in slips:
        assert slip is not None
        assert parse(slip, LINES).error is not None, slip
        assert slip.count("\n") == answer.count("\n"), "the thought is right"


async def test_the_right_answer_follows_a_slip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stumbling, "SHARE", 1.0)
    task = get_gym("miniwob").make_task("click-button", 7)
    policy = StumblingOracle(task)
    turn = Turn(task, Observation(hash="", tree=Tree(id=1, text=TREE)), "prompt", Sampling())
    answers = [(await policy.act(turn)).text for _ in range(MOST_IN_A_ROW + 1)]
    assert answers[-1] == "click Okay"
    assert all(parse(text, LINES).error is not None for text in answers[:-1])


def test_a_task_without_an_oracle_is_refused() -> None:
    with pytest.raises(EpisodeFault):
        StumblingOracle(Task(id="nobody-solved-this", instruction="x", env="desktop"))
