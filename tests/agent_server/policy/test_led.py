"""Episodes that an oracle begins: who answers which step."""

from __future__ import annotations

import pytest

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.trajectory import Completion
from agent_server.policy.led import LedPolicy
from envs.contract.observations import Observation, Tree
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task

KEYS = [{"type": "key", "keys": ["Enter"]}, {"type": "key", "keys": ["Tab"]}]
TASK = Task(
    id="scripted",
    instruction="x",
    env="desktop",
    tools="gui",
    oracle={"gui": [*KEYS, {"type": "done"}]},
)
SEEN = Observation(hash="", tree=Tree(id=1, text="button Save #1"))
OWN = Completion(text="click Save", token_ids=(1, 2), logprobs=(-0.1, -0.2))


class SavingPolicy:
    """Saves, whatever it sees."""

    async def act(self, turn: Turn) -> Completion:
        return OWN


async def answers(steps: int, turns: int) -> list[Completion]:
    policy = LedPolicy(SavingPolicy(), TASK, steps)
    turn = Turn(TASK, SEEN, "prompt", Sampling())
    return [await policy.act(turn) for _ in range(turns)]


async def test_the_oracle_takes_the_first_steps_and_the_policy_the_others() -> None:
    first, *others = await answers(steps=1, turns=3)
    assert (first.text, first.token_ids) == ("next\nkey Enter", ())
    assert others == [OWN, OWN]


async def test_the_last_step_is_the_policys_however_far_it_is_led() -> None:
    led = await answers(steps=9, turns=4)
    assert [completion.text for completion in led[:2]] == ["next\nkey Enter", "next\nkey Tab"]
    assert led[2:] == [OWN, OWN], "the oracle would have said that it is done"


def test_a_task_without_an_oracle_is_refused() -> None:
    with pytest.raises(EpisodeFault):
        LedPolicy(SavingPolicy(), Task(id="nobody-solved-this", instruction="x", env="desktop"), 1)
