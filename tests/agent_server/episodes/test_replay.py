from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_server.episodes.agent import Sampling
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.replay import Diverged, ReplayAgent, transfer
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import Completion, Step
from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.actions import Action, ActionResult, Click, Key, Target
from envs.contract.observations import Observation, Tree
from envs.contract.outcomes import EndReason, InvalidReason, Status
from tests.agent_server.toy_env import ToyPolicy, ToySession, toy_task

PAGE = "text total = 3\nbutton Add #1\nbutton Remove #2\nbutton Remove #3"


def step_of(action: Action, tree: str = PAGE, url: str = "http://a:1/cart") -> Step:
    return Step(
        index=4,
        prompt="",
        completion=Completion(text="x"),
        action=action,
        result=ActionResult.success(),
        tree=tree,
        url=url,
    )


def page(text: str, url: str = "http://b:2/cart") -> Observation:
    return Observation(hash="1", url=url, tree=Tree(id=7, text=text))


@pytest.mark.parametrize(
    ("ref", "text", "expected"),
    [
        (1, PAGE, 1),
        (1, "link Home #1\nbutton Add #5", 5),
        (3, "button Remove #8\nbutton Remove #9", 9),
        (1, "text total = 4\nbutton Add #1\nbutton Remove #2\nbutton Remove #3", 1),
    ],
)
def test_an_element_is_found_again_by_role_and_name(ref: int, text: str, expected: int) -> None:
    action = transfer(step_of(Click(target=Target(ref=ref, tree=2))), page(text))
    assert action == Click(target=Target(ref=expected, tree=7))


@pytest.mark.parametrize(
    ("action", "seen", "says"),
    [
        (Click(target=Target(ref=1)), page("button Buy #1"), "there is no 'button Add'"),
        (Click(target=Target(ref=2)), page("button Remove #1"), "there are 1 of 'button Remove'"),
        (Click(target=Target(ref=9)), page(PAGE), "element #9 was on no list"),
        (Click(target=Target(ref=1)), page("text Add\nbutton Add x #1"), "no 'button Add'"),
        (Key(keys=("Enter",)), page(PAGE, "http://b:2/pay"), "the page is /pay, not /cart"),
        (Click(target=Target(x=5, y=5)), page("button Add #1"), "acts on a point"),
    ],
)
def test_a_step_that_would_mean_something_else_is_not_repeated(
    action: Action, seen: Observation, says: str
) -> None:
    with pytest.raises(Diverged) as caught:
        transfer(step_of(action), seen)
    assert says in str(caught.value)


async def play(tmp_path: Path, name: str, agent: Any, target: int) -> Any:
    task, session = toy_task(target), ToySession()
    with Recorder(Artifacts(str(tmp_path)), name) as recorder:
        return await run_episode(task, session, agent, Sampling(), task.limits, recorder)


async def test_the_agent_goes_on_from_the_last_repeated_step(tmp_path: Path) -> None:
    await play(tmp_path, "first", CompactAgent(toy_task(5), ToyPolicy()), 5)
    steps, _ = Artifacts(str(tmp_path)).read_page("first", 0, 3)
    policy = ToyPolicy()
    result = await play(tmp_path, "again", ReplayAgent(CompactAgent(toy_task(5), policy), steps), 5)
    assert (result.reason, result.score, result.steps) == (EndReason.DONE, 1.0, 6)
    assert len(policy.turns) == 3, "three steps asked nobody"
    assert "1. click Add" in policy.turns[0].prompt
    repeated, _ = Artifacts(str(tmp_path)).read_page("again", 0, 4)
    finishes = [step.completion.finish_reason for step in repeated]
    assert finishes == ["replayed"] * 3 + ["stop"]


async def test_a_replay_that_differs_ends_the_episode_and_says_where(tmp_path: Path) -> None:
    step = step_of(Click(target=Target(ref=2)), url="toy://counter")
    result = await play(
        tmp_path, "x", ReplayAgent(CompactAgent(toy_task(1), ToyPolicy()), [step]), 1
    )
    assert (result.status, result.reason) == (Status.INVALID, InvalidReason.UNRUNNABLE)
    assert "the replay differs at step 5: there is no 'button Remove'" in result.detail
