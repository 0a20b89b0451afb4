"""Text episodes: a policy call and a verifier, in every phase and in every evaluation."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent_server.episodes.agent import Turn
from agent_server.episodes.trajectory import Completion
from agent_server.run_metrics import read_metrics
from envs.contract.outcomes import EpisodeFault, InvalidReason
from tests.trainer.tiny_run import make_step, open_context, working
from trainer.config import ConfigError
from trainer.phases.batch import make_batch
from trainer.phases.schedule import Position, run_schedule
from trainer.phases.text_episodes import (
    answer_problems,
    open_source,
    own_solution_samples,
    score_heldout,
    share_of,
    solution_samples,
)
from trainer.reasoning_config import ReasoningConfig
from trainer.reinforce_config import ReinforceConfig
from trainer.run_file import RunFile

REASONING = {"share": 0.5, "kinds": ["arithmetic"], "eval_problems": 6}


@dataclass
class CleverPolicy:
    """Knows the answer to every other question it is asked, and fails where a test says so."""

    version: int = 0
    fails: bool = False
    turns: list[Turn] = field(default_factory=list)

    async def act(self, turn: Turn) -> Completion:
        self.turns.append(turn)
        if self.fails:
            raise EpisodeFault(InvalidReason.POLICY_ERROR, "connection refused")
        text = "done = 1"
        if len(self.turns) % 2:
            text = f"done = {solve(turn.prompt)}"
        return make_step(text, turn.prompt, self.version).completion


def solve(prompt: str) -> int:
    words = prompt.removeprefix("task: ").replace("?", "").replace("$", "").split()
    if words[0] == "What":
        first, second, third = int(words[2]), int(words[4]), int(words[6])
        return first * second + (third if words[5] == "+" else -third)
    return int(words[-1].rstrip(".")) - int(words[0]) * int(words[3])


@pytest.mark.parametrize(
    ("count", "share", "added"),
    [(12, 0.0, 0), (12, 0.25, 4), (12, 0.01, 1), (0, 0.5, 0), (8, 0.5, 8)],
)
def test_a_share_is_of_all(count: int, share: float, added: int) -> None:
    assert share_of(count, share) == added


async def test_groups_of_answers_look_like_groups_of_episodes(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", reasoning=REASONING) as context:
        policy = context.policy = CleverPolicy()
        groups = await answer_problems(context, 2, size=4)
    assert len(policy.turns) == 8
    assert policy.turns[0].sampling.max_tokens == 96
    for group in groups:
        assert group.task.origin == "reasoning/arithmetic"
        assert [play.success for play in group.plays].count(True) == 2
        assert [play.score for play in group.plays].count(1.0) == 2
        assert group.is_whole
        assert all(play.steps[0].completion.logprobs for play in group.plays)


async def test_right_answers_teach_also_where_agreement_counts(tmp_path: Path) -> None:
    config = ReinforceConfig(algorithm="semi_online", ref_kl=0.0)
    with open_context(tmp_path / "run", reasoning=REASONING) as context:
        context.policy = CleverPolicy()
        groups = await answer_problems(context, 1, size=2)
        samples = make_batch(context, groups, config, []).samples
    # A score of 1 against -1, of the rollout and again among the answers to the prompt.
    assert [sample.advantage for sample in samples] == pytest.approx([2.0, -2.0])


async def test_answers_of_a_rejected_version_are_not_trained_on(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", reasoning=REASONING) as context:
        context.policy = CleverPolicy(version=3)
        context.rejected.add(3)
        (group,) = await answer_problems(context, 1, size=2)
    assert (group.plays, group.is_failed) == ((), False)


async def test_a_policy_that_does_not_answer_loses_groups_and_not_the_run(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", reasoning=REASONING) as context:
        context.policy = CleverPolicy(fails=True)
        (group,) = await answer_problems(context, 1, size=2)
        assert (group.plays, group.is_failed) == ((), False)
        figures = await score_heldout(context, "test")
    assert (figures["success_rate"], figures["lost"], figures["n"]) == (0.0, 6, 6)


async def test_the_held_out_score_is_of_the_same_problems(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", reasoning=REASONING) as context:
        policy = context.policy = CleverPolicy()
        figures = await score_heldout(context, "test")
        again = await score_heldout(context, "test")
    prompts = [turn.prompt for turn in policy.turns]
    assert prompts[:6] == prompts[6:]
    assert figures == again
    assert (figures["success_rate"], figures["n"], figures["lost"]) == (0.5, 6, 0)
    assert figures["by_template"] == {"reasoning/arithmetic": {"success_rate": 0.5, "n": 6}}


async def test_solutions_are_imitated_as_the_server_would_sample_them(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", reasoning=REASONING) as context:
        samples = solution_samples(context, "imitate", 3, prompt_ce=0.1)
        assert [(sample.ce, sample.prompt_ce) for sample in samples] == [(1.0, 0.1)] * 3
        context.policy = CleverPolicy()
        own = await own_solution_samples(context, 4)
    assert len(own) == 2, "right answers only"
    assert all(sample.logprobs for sample in own)


async def test_every_phase_has_its_share_and_every_evaluation_a_score(tmp_path: Path) -> None:
    run_dir, schedule = tmp_path / "run", ["imitate", "reinforce", "pulse", "expert_iteration"]
    sizes = {"iterations": 1, "groups": 1, "group_size": 2, "updates": 1}
    with open_context(
        run_dir, schedule=schedule, reasoning=REASONING, expert_iteration=sizes
    ) as context:
        context.policy = CleverPolicy()
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
    events = read_metrics(run_dir)
    (imitated,) = [event for event in events if "reasoning_solutions" in event]
    assert imitated["reasoning_solutions"] == imitated["oracle_steps"] == 4
    steps = [event for event in events if "reasoning_groups" in event]
    assert [event["reasoning_groups"] for event in steps] == [2, 2]
    assert [event["reasoning_success"] for event in steps] == [0.5, 0.5]
    assert all(event["groups"] == 4 for event in steps)
    (pulse,) = [event for event in events if event["event"] == "pulse" and "kept" in event]
    assert pulse["steps"] == 4
    records = RunFile.read(run_dir).records
    assert [record.eval["reasoning"]["n"] for record in records] == [6] * 4


def test_a_file_that_cannot_be_used_is_refused_by_its_key() -> None:
    with pytest.raises(ConfigError, match=r"reasoning\.file: cannot read .*none\.jsonl"):
        open_source(ReasoningConfig(file="none.jsonl"))
