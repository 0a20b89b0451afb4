"""Groups of episodes in a toolbox, beside groups of the environment."""

from __future__ import annotations

from pathlib import Path

from agent_server.episodes.agent import Turn
from agent_server.episodes.trajectory import Completion
from agent_server.run_metrics import read_metrics
from tests.trainer.phases.test_reinforce import save_nothing
from tests.trainer.tiny_run import make_step, open_context, working
from trainer.context import Context, PhaseRecord
from trainer.phases.reinforce import reinforce
from trainer.phases.tool_episodes import ToolEpisodes

GUESSES = """
from agent_server.episodes.toolbox import Toolbox, ToolProblem

box = Toolbox("guess", resources=2, max_steps=2)

@box.tool("look")
async def look(resource) -> int:
    "The number."
    return 7

@box.problem
def make(rng):
    return ToolProblem(f"Guess {rng.random()}.", 7)

@box.reward
async def score(resource, data, answer):
    if answer == "boom":
        raise KeyError(answer)
    return float(answer == str(data))
"""


class Alternating:
    """A policy that is right every second time; then it makes the reward raise."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.count = answers, 0

    async def act(self, turn: Turn) -> Completion:
        answer = self.answers[self.count % len(self.answers)]
        self.count += 1
        return make_step(f"done = {answer}", turn.prompt).completion


def write_box(folder: Path) -> dict[str, object]:
    file = folder / "box.py"
    file.write_text(GUESSES)
    return {"file": str(file), "share": 0.5}


async def play(context: Context, *answers: str) -> tuple[list[bool], bool]:
    context.policy = Alternating(*answers)
    tools = ToolEpisodes(context)
    (group,) = await tools.play_groups(1, 4)
    await tools.close()
    return [each.success for each in group.plays], group.is_whole


async def test_the_reward_scores_each_episode(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", toolbox=write_box(tmp_path)) as context:
        successes, is_whole = await play(context, "7", "8")
    assert (sorted(successes), is_whole) == ([False, False, True, True], True)


async def test_an_episode_that_the_users_code_lost_is_in_no_group(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", toolbox=write_box(tmp_path)) as context:
        successes, is_whole = await play(context, "7", "boom")
    assert (successes, is_whole) == ([True, True], False)


async def test_a_learner_step_trains_on_them_beside_the_environment(tmp_path: Path) -> None:
    sizes = {"iterations": 1, "groups": 1, "group_size": 2}
    with open_context(
        tmp_path / "run", schedule=["reinforce"], reinforce=sizes, toolbox=write_box(tmp_path)
    ) as context:
        context.policy = Alternating("7", "8")
        async with working(context):
            await reinforce(context, PhaseRecord("reinforce", "reinforce"), 0, [], save_nothing)
    (event,) = [e for e in read_metrics(tmp_path / "run") if e["event"] == "reinforce"]
    figures = {key: event[key] for key in ("groups", "toolbox_groups", "toolbox_score", "samples")}
    assert event["toolbox_lost"] == 0
    assert figures == {"groups": 2, "toolbox_groups": 1, "toolbox_score": 0.5, "samples": 4}
