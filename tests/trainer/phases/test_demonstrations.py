"""Answers to demonstrations, compared action by action, and a phase that learns from them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent_server.episodes.agent import Turn
from agent_server.episodes.trajectory import Completion, Step
from agent_server.run_metrics import read_metrics
from agent_server.store.tables import Episode
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EpisodeFault, InvalidReason
from tests.trainer.seeing_run import make_screenshot, make_seeing_step, open_seeing_context
from tests.trainer.tiny_run import make_refused_step, make_step, open_context, record_episode
from trainer.context import Context, PhaseRecord
from trainer.phases.demonstrations import agreement, answer_demonstrations
from trainer.phases.reinforce import reinforce
from trainer.pipeline.controller import GroupState

PAGE = "link Cart #1\nlink Wish list #2"
STEP = make_step("click Cart").model_copy(update={"tree": PAGE})


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("click Cart", 1.0),
        ("it is there\nclick #1", 1.0),
        ("click Wish list", 0.5),
        ("scroll down", 0.1),
        ("click Basket", 0.0),
        ("", 0.0),
    ],
)
def test_an_answer_agrees_by_its_action(text: str, share: float) -> None:
    assert agreement(STEP, text) == share


@dataclass
class ScriptedPolicy:
    """Answers in turn; remembers the prompts."""

    texts: tuple[str, ...]
    prompts: list[str] = field(default_factory=list)
    pictures: list[tuple[Screenshot, ...]] = field(default_factory=list)

    async def act(self, turn: Turn) -> Completion:
        text = self.texts[len(self.prompts) % len(self.texts)]
        self.prompts.append(turn.prompt)
        self.pictures.append(turn.pictures)
        return make_step(text).completion


def demonstrate(context: Context, *steps: Step) -> None:
    """These steps or two on the same page, in the database and on disk."""
    task = context.make_task("shop/price", 1)
    row = Episode(
        id="shown", run_id=context.run_id, purpose="imitate", task=task.model_dump(mode="json")
    )
    context.collector.dispatcher.dispatch([row])
    record_episode(context, "shown", list(steps or (STEP, STEP)))
    context.demonstrations = ["shown"]


async def test_every_prompt_is_answered_by_every_rollout(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        demonstrate(context)
        policy = ScriptedPolicy(("click Cart", "click Cart", "click Wish list", "look"))
        context.policy = policy
        (group,) = await answer_demonstrations(context, groups=3, size=2)
    assert policy.prompts == [STEP.prompt] * 4
    assert group.task.origin == "shop/price"
    assert [play.agreements for play in group.plays] == [(1.0, 1.0), (0.5, 0.0)]
    assert [play.success for play in group.plays] == [True, False]
    assert [step.completion.text for step in group.plays[1].steps] == ["click Wish list", "look"]
    assert [step.result.ok for step in group.plays[1].steps] == [True, False]


async def test_a_slip_that_was_refused_is_not_to_be_agreed_with(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        demonstrate(context, make_refused_step(), STEP)
        context.policy = ScriptedPolicy(("click Cart",))
        (group,) = await answer_demonstrations(context, groups=1, size=2)
    assert [play.agreements for play in group.plays] == [(1.0,), (1.0,)]


async def test_a_policy_is_shown_the_pictures_of_a_demonstration(tmp_path: Path) -> None:
    with open_seeing_context(tmp_path) as context:
        demonstrate(context, make_seeing_step(context))
        policy = context.policy = ScriptedPolicy(("click Cart",))
        await answer_demonstrations(context, groups=1, size=2)
    assert policy.pictures == [(make_screenshot(),)] * 2


async def test_a_group_that_is_not_answered_is_empty_and_the_phase_goes_on(tmp_path: Path) -> None:
    class DeafPolicy:
        async def act(self, turn: Turn) -> Completion:
            raise EpisodeFault(InvalidReason.POLICY_TIMEOUT, f"no answer to {turn.prompt!r}")

    with open_context(tmp_path / "run") as context:
        demonstrate(context)
        context.policy = DeafPolicy()
        (group,) = await answer_demonstrations(context, groups=1, size=2)
    assert (group.plays, group.is_whole, group.is_failed) == ((), False, False)


async def test_without_a_demonstration_there_is_nothing_to_answer(tmp_path: Path) -> None:
    with (
        open_context(tmp_path / "run") as context,
        pytest.raises(RuntimeError, match="no demonstrations to answer"),
    ):
        await answer_demonstrations(context, groups=1, size=2)


async def test_a_phase_learns_from_demonstrations_without_an_environment(tmp_path: Path) -> None:
    sizes = {"iterations": 2, "groups": 2, "group_size": 2, "algorithm": "semi_online"}
    saves = itertools.count()

    async def save(_: int, groups: Callable[[], list[GroupState]]) -> None:
        assert groups() == []
        next(saves)

    run_dir = tmp_path / "run"
    with open_context(run_dir, schedule=["imitate", "reinforce"], reinforce=sizes) as context:
        demonstrate(context)
        context.policy = ScriptedPolicy(("click Cart", "click Cart", "look", "look"))
        record = PhaseRecord("reinforce", "reinforce")
        await reinforce(context, record, 0, [], save)
        assert (context.version, context.collector.in_flight) == (2, 0)
    events = [event for event in read_metrics(run_dir) if event["event"] == "reinforce"]
    assert [(event["episodes"], event["success"]) for event in events] == [(2, 0.5), (2, 0.5)]
    assert all(event["samples"] == 4 and event["inert_samples"] == 0 for event in events)
    assert next(saves) == 2
