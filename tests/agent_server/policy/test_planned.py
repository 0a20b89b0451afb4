"""Two policies that answer one step: what each reads, and what is recorded of each."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.compact import CompactAgent, build_prompt, parse
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import Completion, Usage
from agent_server.policy.planned import PlannedPolicy, read_end, say_in_words
from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.actions import Click, Done, Infeasible, Target
from envs.contract.observations import Observation, Tree, parse_tree
from envs.contract.outcomes import Status
from envs.contract.task import Task
from envs.dialects.roles import RoleEndpoint, Roles
from tests.agent_server.toy_env import ToySession, toy_task

TASK = Task(id="t", instruction="Open the cart")
TREE = "link Cart (2) #7\nbox Search #2\nbutton Add #4\nbutton Add #5\nselect Sort = Name #9"
SEEN = Observation(hash="a", title="Shop", tree=Tree(id=4, text=TREE))
PROMPT = build_prompt(TASK.instruction, [], SEEN)
APART = Roles(apart=True)


@dataclass
class Speaker:
    """Says these texts in turn, with token ids of its own."""

    texts: list[str]
    first_id: int
    version: int = 3
    turns: list[Turn] = field(default_factory=list)

    async def act(self, turn: Turn) -> Completion:
        self.turns.append(turn)
        return Completion(
            text=self.texts.pop(0),
            prompt_ids=(self.first_id,) * 3,
            token_ids=(self.first_id, self.first_id + 1),
            logprobs=(-0.5, -0.25),
            version_min=self.version,
            version_max=self.version,
        )


def speak(planner: Speaker, grounder: Speaker, roles: Roles = APART) -> Completion:
    policy = PlannedPolicy(planner, grounder, "compact", roles)
    return asyncio.run(policy.act(Turn(TASK, SEEN, PROMPT, Sampling(max_tokens=48))))


def test_the_grounder_reads_page_and_plan_but_neither_task_nor_history() -> None:
    planner, grounder = Speaker(["click the cart\nmore"], 10), Speaker(["click Cart"], 20)
    answer = speak(planner, grounder)
    assert planner.turns[0].prompt == f"{PROMPT}\nrole: planner"
    assert planner.turns[0].sampling.max_tokens == 32
    assert grounder.turns[0].prompt == f"page: Shop\n{TREE}\ndo: click the cart\nrole: grounder"
    assert grounder.turns[0].sampling.max_tokens == 48
    assert answer.text == "click the cart\nclick Cart"
    parsed = parse(answer.text, parse_tree(TREE))
    assert (parsed.thought, parsed.action) == ("click the cart", Click(target=Target(ref=7)))


def test_ids_logprobs_and_versions_of_the_two_are_apart() -> None:
    answer = speak(Speaker(["open"], 10, version=2), Speaker(["click Cart"], 20, version=4))
    assert answer.plan is not None
    assert (answer.plan.completion.token_ids, answer.token_ids) == ((10, 11), (20, 21))
    assert answer.plan.completion.logprobs == answer.logprobs == (-0.5, -0.25)
    assert (answer.plan.completion.version_min, answer.version_min) == (2, 4)
    assert answer.versions == {2, 4}
    assert answer.tokens == Usage(prompt=6, completion=4)


@pytest.mark.parametrize(
    ("plan", "end"),
    [
        ("done", Done()),
        ("done = 42", Done(answer="42")),
        ("infeasible = sold out", Infeasible(reason="sold out")),
        ("done with the first part", None),
    ],
)
def test_the_planner_ends_the_task_alone(plan: str, end: Done | Infeasible | None) -> None:
    assert read_end(plan) == end
    grounder = Speaker(["click Cart"], 20)
    answer = speak(Speaker([plan], 10), grounder)
    assert bool(grounder.turns) == (end is None)
    if end is not None:
        assert parse(answer.text).action == end
        assert answer.versions == {3}


def test_an_end_is_said_in_the_dialect_of_points() -> None:
    for dialect in ("uitars", "computer_use", "glm"):
        policy = PlannedPolicy(Speaker(["done = 42"], 1), Speaker([], 2), dialect, APART)  # type: ignore[arg-type]
        answer = asyncio.run(policy.act(Turn(TASK, SEEN, PROMPT, Sampling())))
        assert "42" in answer.text
        assert ("finished" in answer.text) == (dialect == "uitars")


def test_a_planner_that_says_nothing_is_an_answer_without_action() -> None:
    grounder = Speaker([], 20)
    answer = speak(Speaker([" \n"], 10), grounder)
    assert parse(answer.text).error is not None
    assert grounder.turns == []


def test_an_endpoints_role_has_text_and_a_count_but_no_version() -> None:
    there = RoleEndpoint(base_url="http://h/v1", model="m")
    roles = Roles(apart=True, endpoint_plays="planner", endpoint=there, explain=True)
    planner = Speaker(["open the cart"], 10, version=0)
    answer = speak(planner, Speaker(["click Cart"], 20), roles)
    assert answer.plan is not None
    assert answer.plan.completion.token_ids == ()
    assert answer.plan.completion.usage == Usage(prompt=3, completion=2)
    assert answer.versions == {3}, "an endpoint's version would make the episode look old"
    assert "Answer with one line" in planner.turns[0].prompt


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("I look.\nclick Cart", "click the link Cart (2)"),
        ("click Add #5", "click the button Add, number 2 of 2"),
        ("enter Search = blue shirt", "type blue shirt into the box Search and press Enter"),
        ("select Sort = Price", "set the select Sort to Price"),
        ("scroll down", "scroll down"),
        ("I press it.\nAction: click(start_box='(1,2)')", "I press it."),
    ],
)
def test_a_demonstration_is_said_in_words(answer: str, words: str) -> None:
    assert say_in_words(answer, PROMPT) == words


def test_an_episode_records_both_answers_of_each_step(tmp_path: Path) -> None:
    async def run() -> Status:
        policy = PlannedPolicy(
            Speaker(["press", "done"], 10), Speaker(["scroll down"], 20), "compact", APART
        )
        task = toy_task(1)
        with Recorder(Artifacts(str(tmp_path)), "e1") as recorder:
            agent = CompactAgent(task, policy)
            result = await run_episode(task, ToySession(), agent, Sampling(), task.limits, recorder)
        assert (result.version_min, result.version_max) == (3, 3)
        assert result.tokens == 3 * 5
        return result.status

    assert asyncio.run(run()) is Status.SCORED
    first, last = Artifacts(str(tmp_path)).read_seen("e1").steps
    assert first.completion.plan is not None
    assert (first.thought, first.completion.plan.completion.text) == ("press", "press")
    assert last.completion.plan is not None
    assert last.completion.token_ids == ()
