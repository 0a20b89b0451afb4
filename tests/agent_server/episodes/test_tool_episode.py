"""How an episode in a toolbox goes, in that of the example."""

from __future__ import annotations

from pathlib import Path

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.tool_episode import describe_tools, make_tool_task, play
from agent_server.episodes.toolbox import load_toolbox
from agent_server.episodes.trajectory import Completion
from envs.contract.actions import ActionError

EXAMPLE = Path("examples/tools_and_reward.py")


class Scripted:
    """Gives these answers in turn."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.prompts = list(answers), list[str]()

    async def act(self, turn: Turn) -> Completion:
        self.prompts.append(turn.prompt)
        return Completion(text=self.answers.pop(0))


def test_the_tools_of_the_example_are_a_line_each() -> None:
    assert describe_tools(load_toolbox(EXAMPLE)) == [
        "tool stock(item: string): How many of an item there are.",
        "tool order(item: string, count: integer): Orders more of an item.",
    ]


async def test_an_episode_reads_results_and_errors_and_is_scored_by_its_resource() -> None:
    box = load_toolbox(EXAMPLE)
    problem = box.make_problem(1)
    item = problem.question.split(" ")[1]
    missing = 10 - problem.data[item]
    policy = Scripted(
        "tool stock {}",
        "tool sell {}",
        "scroll down",
        f'tool order {{"item": "{item}", "count": {missing}}}',
        f"done = {missing}",
    )
    pool = box.make_pool()
    task = make_tool_task(box, problem, 1)
    episode = await play(box, pool, task, policy, Sampling())
    await pool.close()
    assert episode.score == 1.0
    errors = [step.result.error for step in episode.steps]
    assert errors[:3] == [
        ActionError.TOOL_ARGUMENTS,
        ActionError.TOOL_ARGUMENTS,
        ActionError.NOT_ALLOWED,
    ]
    assert "error: there is no tool sell; there are: stock, order" in policy.prompts[2]
    assert policy.prompts[-1].endswith("got: ordered")


async def test_an_episode_that_never_answers_ends_at_its_limit_and_is_scored() -> None:
    box = load_toolbox(EXAMPLE)
    pool = box.make_pool()
    task = make_tool_task(box, box.make_problem(0), 0)
    episode = await play(box, pool, task, Scripted(*["tool stock {}"] * 9), Sampling())
    await pool.close()
    assert (len(episode.steps), episode.score) == (box.max_steps, 0.0)
