"""The oracle of a task, if it has one."""

from __future__ import annotations

import asyncio

import pytest

from agent_server.episodes.agent import Sampling
from agent_server.episodes.compact import CompactAgent
from agent_server.policy.oracle import OraclePolicy, find_oracle
from envs.contract.actions import ActionError, ActionResult
from envs.contract.observations import Observation, Tree
from envs.contract.outcomes import RETRY_RULES, EpisodeFault, InvalidReason
from envs.contract.task import Task
from tasksets.registry import get_gym


def test_a_gym_s_task_has_its_gym_s_oracle() -> None:
    assert find_oracle(get_gym("shop").make_task("price", 1)) is not None


def test_a_task_without_one_is_refused() -> None:
    task = Task(id="nobody-solved-this", instruction="x", env="desktop")
    with pytest.raises(KeyError):
        find_oracle(task)
    with pytest.raises(EpisodeFault):
        OraclePolicy(task)


SCRIPTED = Task(
    id="scripted",
    instruction="x",
    env="desktop",
    tools="api",
    oracle={"api": [{"type": "tool", "name": "calc.save", "arguments": {}}, {"type": "done"}]},
)
SEEN = Observation(hash="", tree=Tree(id=1, text="button Save #1"))


def act_after(result: ActionResult, agent: CompactAgent) -> str:
    """What the oracle answers to the result of its first action."""
    asyncio.run(agent.act(SEEN, (), Sampling()))
    return asyncio.run(agent.act(SEEN, (result,), Sampling())).completion.text


@pytest.mark.parametrize("error", [ActionError.TOOL_FAILED, ActionError.TIMEOUT])
def test_a_tool_that_fails_an_oracle_s_list_is_a_fault_of_the_environment(
    error: ActionError,
) -> None:
    """Without it the list goes on to its end, and the verdict is that of an agent that failed."""
    result = ActionResult.failure(error, "calc.save did not end within 20 s")
    with pytest.raises(EpisodeFault, match="did not end within") as caught:
        act_after(result, CompactAgent(SCRIPTED, OraclePolicy(SCRIPTED)))
    assert caught.value.reason == InvalidReason.ACTION_TIMEOUT
    assert RETRY_RULES[caught.value.reason].max_retries == 2


def test_what_an_oracle_s_list_gets_wrong_itself_is_no_fault() -> None:
    for result in (
        ActionResult.success(),
        ActionResult.failure(ActionError.TOOL_ARGUMENTS, "no such cell"),
    ):
        assert "done" in act_after(result, CompactAgent(SCRIPTED, OraclePolicy(SCRIPTED)))


def test_an_oracle_that_reads_the_page_goes_on_after_a_tool_that_failed() -> None:
    task = get_gym("miniwob").make_task("click-button", 7)
    page = Observation(
        hash="", tree=Tree(id=1, text='text Click on the "Okay" button.\nbutton Okay #1')
    )
    agent = CompactAgent(task, OraclePolicy(task))
    failed = ActionResult.failure(ActionError.TOOL_FAILED, "the gym refused")
    asyncio.run(agent.act(page, (), Sampling()))
    assert asyncio.run(agent.act(page, (failed,), Sampling())).completion.text == "done"
