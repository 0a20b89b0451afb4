"""The example of an own agent reads prices, and `deskhand eval` measures it."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.actions import Done, Infeasible, Type
from envs.contract.observations import Observation, Tree
from envs.contract.task import Task
from examples.evaluate_own_agent import PriceReader
from tests.evaluation_jobs import ended
from tests.examples.example_process import ROOT

INSTRUCTIONS = (
    "How much is the Cedar Linen Apron?",
    "What does the Cedar Linen Apron cost?",
    "Tell me the price of the Cedar Linen Apron.",
)
SEARCH = "box Search #3"
RESULT = "link Cedar Linen Apron Set $99.00 #8\nlink Cedar Linen Apron $89.00 #9"


def page(tree: str) -> Observation:
    return Observation(hash=tree, tree=Tree(id=1, text=tree))


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_it_searches_and_reads_the_price(instruction: str) -> None:
    agent = PriceReader()
    agent.reset(Task(id="t", instruction=instruction))
    search = agent.act(page(SEARCH))
    assert isinstance(search, Type)
    assert (search.text, search.submit) == ("Cedar Linen Apron", True)
    assert agent.act(page(f"{SEARCH}\n{RESULT}")) == Done(answer="$89.00")


@pytest.mark.parametrize("instruction", [INSTRUCTIONS[0], "Empty the cart."])
def test_it_gives_up_where_it_knows_no_way(instruction: str) -> None:
    agent = PriceReader()
    agent.reset(Task(id="t", instruction=instruction))
    for _ in range(2):
        action = agent.act(page(SEARCH))
    assert action == Infeasible()


@pytest.mark.browser
@pytest.mark.timeout(200)
def test_it_solves_heldout_tasks_in_an_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    agent = "examples.evaluate_own_agent:PriceReader"
    tasks = ("--gym", "shop", "--template", "price", "--episodes", "4")
    output = ended("--policy", agent, *tasks, "--runs", str(tmp_path), "--name", "own-agent")
    assert "success 100.0%" in output
