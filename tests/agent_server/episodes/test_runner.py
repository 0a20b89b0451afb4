from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_server.episodes.agent import Sampling
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.control import Orders
from agent_server.episodes.gate import GO, Review
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import EpisodeResult, Trajectory
from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.actions import ActionError, ActionResult, Click, Target, Tool
from envs.contract.outcomes import EndReason, InvalidReason, Status
from envs.contract.task import Task
from tests.agent_server.toy_env import PIXEL, ToyPolicy, ToySession, toy_task


class Played:
    """One finished episode with all that it left."""

    def __init__(self, result: EpisodeResult, session: ToySession, policy: ToyPolicy) -> None:
        self.result, self.session, self.policy = result, session, policy
        self.trajectory = Trajectory(episode_id="none", steps=())

    @property
    def prompts(self) -> list[str]:
        return [turn.prompt for turn in self.policy.turns]


@pytest.fixture
def play(tmp_path: Path) -> Any:
    async def run(task: Task, version: int = 0, cancel_at: int = 10**9, **more: Any) -> Played:
        session, policy = ToySession(), ToyPolicy(version)
        artifacts = Artifacts(str(tmp_path))
        with Recorder(artifacts, "e1") as recorder:
            result = await run_episode(
                task, session, CompactAgent(task, policy), Sampling(), task.limits, recorder,
                lambda: len(policy.turns) >= cancel_at, **more,
            )  # fmt: skip
            recorder.finish(result, {})
        played = Played(result, session, policy)
        played.trajectory = artifacts.read_trajectory("e1")
        return played

    return run


async def test_a_solved_task_is_scored_with_success(play: Any) -> None:
    played = await play(toy_task(2), version=5)
    result = played.result
    assert (result.status, result.reason) == (Status.SCORED, EndReason.DONE)
    assert (result.score, result.success, result.steps) == (1.0, True, 3)
    assert result.verdict.milestones == {"began": True}
    assert (result.version_min, result.version_max) == (5, 7)
    assert {"reset_s", "policy_s", "env_s", "evaluate_s", "total_s"} == set(result.timings)


async def test_every_step_is_recorded_as_it_happened(play: Any) -> None:
    played = await play(toy_task(1))
    first, last = played.trajectory.steps
    assert first.prompt == played.prompts[0]
    assert first.thought == "one more"
    assert first.action == Click(target=Target(ref=1, tree=1))
    assert first.result.ok
    assert first.tree.startswith("text count = 0")
    assert (first.completion.token_ids, first.completion.logprobs) == ((3,), (-0.5,))
    assert {"policy", "env", "settle"} <= set(first.timings_ms)
    assert last.action.type == "done"
    assert played.trajectory.summary["success"] is True


async def test_step_limit_truncates_and_is_judged(play: Any) -> None:
    result = (await play(toy_task(4, max_steps=2))).result
    assert (result.status, result.reason) == (Status.TRUNCATED, EndReason.STEP_LIMIT)
    assert (result.score, result.steps) == (0.5, 2)


async def test_time_limit_truncates_and_is_judged(play: Any) -> None:
    result = (await play(toy_task(50, max_steps=90, max_seconds=0.3, delay_s=0.1))).result
    assert (result.status, result.reason) == (Status.TRUNCATED, EndReason.TIME_LIMIT)
    assert 0 < result.score < 1
    assert result.steps < 50


async def test_a_malformed_answer_is_a_step_whose_error_the_policy_reads(play: Any) -> None:
    played = await play(toy_task(1, script=["klick Add", "click Add #1", "done"]))
    assert played.result.success
    assert played.result.steps == 3
    step = played.trajectory.steps[0]
    assert step.action is None
    assert step.result.error is ActionError.MALFORMED
    assert "error: cannot read the action" in played.prompts[1]
    assert len(played.session.taken) == 1


async def test_four_malformed_answers_in_a_row_end_it(play: Any) -> None:
    result = (await play(toy_task(1, script=["", "click Add #1", "", "?", "a\nb\nc", ""]))).result
    assert (result.status, result.reason) == (Status.SCORED, EndReason.MALFORMED)
    assert result.steps == 6


async def test_an_error_of_the_environment_is_a_step_too(play: Any) -> None:
    played = await play(toy_task(1, script=["click Gone #9", "click Add #1", "done"]))
    assert played.result.success
    assert played.trajectory.steps[0].result.error is ActionError.UNKNOWN_REF
    assert "error: no such thing" in played.prompts[1]


async def test_the_same_action_on_the_same_page_four_times_is_a_loop(play: Any) -> None:
    result = (await play(toy_task(1, script=["click Nothing #2"]))).result
    assert (result.status, result.reason, result.steps) == (Status.SCORED, EndReason.LOOP, 4)
    assert result.score == 0


async def test_the_same_action_on_changing_pages_is_no_loop(play: Any) -> None:
    assert (await play(toy_task(8, max_steps=20))).result.success


async def test_infeasible_is_judged_as_such(play: Any) -> None:
    result = (await play(toy_task(1, script=["infeasible = no button"]))).result
    assert (result.reason, result.score) == (EndReason.INFEASIBLE, 0.0)


async def test_an_answer_is_kept(play: Any) -> None:
    assert (await play(toy_task(1, script=["done = 42"]))).result.answer == "42"


async def test_programs_over_a_limit_of_the_box_end_the_episode_as_the_agent_s_doing(
    play: Any,
) -> None:
    result = (await play(toy_task(2, exceeded="memory: too much"))).result
    assert (result.status, result.reason) == (Status.SCORED, EndReason.BOX_LIMIT)
    assert (result.score, result.steps, result.detail) == (0.5, 1, "memory: too much")


async def test_what_cannot_be_judged_after_that_scores_nothing(play: Any) -> None:
    fault = {"at": "evaluate", "reason": "evaluator_error"}
    result = (await play(toy_task(1, exceeded="disk: full", fault=fault))).result
    assert (result.status, result.reason) == (Status.SCORED, EndReason.BOX_LIMIT)
    assert result.score == 0


@pytest.mark.parametrize("at", ["reset", "step", "evaluate"])
@pytest.mark.parametrize("reason", ["reset", "host_lost", "action_timeout", "evaluator_error"])
async def test_faults_of_the_environment_are_invalid_and_carry_no_score(
    play: Any, at: str, reason: str
) -> None:
    played = await play(toy_task(1, fault={"at": at, "reason": reason}))
    result = played.result
    assert (result.status, result.reason) == (Status.INVALID, InvalidReason(reason))
    assert (result.score, result.success, result.verdict) == (None, None, None)
    assert result.detail == f"{at} failed"
    assert result.steps == {"reset": 0, "step": 0, "evaluate": 2}[at]
    assert len(played.trajectory.steps) == result.steps, "what came before is on record"


async def test_faults_of_the_policy_are_invalid(play: Any) -> None:
    result = (await play(toy_task(1, policy_fault="policy_timeout"))).result
    assert (result.status, result.reason) == (Status.INVALID, InvalidReason.POLICY_TIMEOUT)


@pytest.mark.parametrize("steps", [0, 2])
async def test_cancellation_is_honoured_between_steps(play: Any, steps: int) -> None:
    result = (await play(toy_task(9), cancel_at=steps)).result
    assert (result.status, result.steps, result.score) == (Status.CANCELLED, steps, None)


async def test_a_gui_task_refuses_tools(play: Any) -> None:
    task = toy_task(1, script=["tool toy.count {}", "click Add #1", "done"])
    played = await play(task.model_copy(update={"tools": "gui"}))
    assert played.trajectory.steps[0].result.error is ActionError.NOT_ALLOWED
    assert "error: this task allows no tools" in played.prompts[1]
    assert played.result.success
    assert not any(isinstance(action, Tool) for action in played.session.taken)


async def test_an_api_task_refuses_the_mouse(play: Any) -> None:
    task = toy_task(1, script=["click Add #1", "tool toy.count {}", "done"])
    played = await play(task.model_copy(update={"tools": "api"}))
    assert played.trajectory.steps[0].result.error is ActionError.NOT_ALLOWED
    assert played.trajectory.steps[1].result.value == 0
    assert "got: 0" in played.prompts[2]


async def test_a_batch_that_ends_with_done_ends_the_episode(play: Any) -> None:
    click = '{"type": "click", "target": {"ref": 1}}'
    batch = f'act {{"type": "batch", "actions": [{click}, {click}, {{"type": "done"}}]}}'
    result = (await play(toy_task(2, script=[batch]))).result
    assert (result.reason, result.success, result.steps) == (EndReason.DONE, True, 1)


async def test_a_batch_whose_action_fails_goes_on(play: Any) -> None:
    bad = '{"type": "click", "target": {"ref": 9}}'
    batch = f'act {{"type": "batch", "actions": [{bad}, {{"type": "done"}}]}}'
    played = await play(toy_task(1, script=[batch, "click Add #1", "done"]))
    assert played.result.success
    assert played.result.steps == 3


class SecondClickGate:
    """Refuses what comes after a click, which only a look after that click can tell."""

    def __init__(self) -> None:
        self.reviewed: list[int] = []

    def hear(self, text: str) -> None:
        pass

    async def review(self, actions: Any, *_: Any) -> Review:
        self.reviewed.append(len(actions))
        if len(self.reviewed) < 2:
            return GO
        return Review(ActionResult.failure(ActionError.REFUSED, "not that one"))


async def test_each_action_of_a_step_is_reviewed_on_the_page_that_it_runs_on(play: Any) -> None:
    gate = SecondClickGate()
    click = '{"type": "click", "target": {"ref": 1}}'
    batch = f'act {{"type": "batch", "actions": [{click}, {click}, {click}]}}'
    played = await play(toy_task(1, script=[batch, "done"]), gate=gate)
    assert gate.reviewed == [1, 1]
    assert len(played.session.taken) == 1
    first = played.trajectory.steps[0]
    assert not first.result.ok
    assert first.result.message == "not that one"
    assert "count = 1" in played.prompts[1]
    assert played.result.success


async def test_a_note_is_shown_again_and_touches_nothing(play: Any) -> None:
    note = 'act {"type": "note", "text": "remember 7"}'
    played = await play(toy_task(1, script=[note, "click Add #1", "done"]))
    assert "remember 7" in played.prompts[1]
    assert len(played.session.taken) == 1
    assert played.result.success


async def test_screenshots_are_files_named_by_their_step(play: Any, tmp_path: Path) -> None:
    played = await play(toy_task(1), screenshots=True)
    assert [step.screenshot for step in played.trajectory.steps] == ["000.jpeg", "001.jpeg"]
    assert Artifacts(str(tmp_path)).read_screenshot("e1", "001.jpeg") == PIXEL


async def test_without_screenshots_none_is_asked_for(play: Any, tmp_path: Path) -> None:
    await play(toy_task(1))
    assert not list(tmp_path.rglob("*.jpeg"))


async def test_each_step_samples_with_a_seed_of_its_own(tmp_path: Path) -> None:
    task, policy = toy_task(2), ToyPolicy()
    with Recorder(Artifacts(str(tmp_path)), "e1") as recorder:
        agent = CompactAgent(task, policy)
        await run_episode(task, ToySession(), agent, Sampling(seed=40), task.limits, recorder)
    assert [turn.sampling.seed for turn in policy.turns] == [40, 41, 42]


async def test_an_answer_that_does_not_fit_the_schema_is_refused_once(play: Any) -> None:
    schema = {"type": "integer"}
    script = ["done = twelve", "done = 12"]
    task = toy_task(1, script=script).model_copy(update={"answer_schema": schema})
    played = await play(task)
    refused, accepted = played.trajectory.steps
    assert refused.result.error is ActionError.BAD_VALUE
    assert "the answer does not fit the task's schema: it is no JSON" in played.prompts[1]
    assert accepted.result.ok
    assert (played.result.reason, played.result.answer) == (EndReason.DONE, "12")


async def test_a_second_answer_that_does_not_fit_ends_the_episode(play: Any) -> None:
    script = ["done = twelve", "done = thirteen", "done = 12"]
    task = toy_task(1, script=script).model_copy(update={"answer_schema": {"type": "integer"}})
    result = (await play(task)).result
    assert (result.steps, result.answer) == (2, "thirteen")


class Owner:
    """Gives its orders before so many steps."""

    longest_pause_s = 60.0

    def __init__(self, *orders: Orders) -> None:
        self.orders = [*orders, Orders()]

    async def read(self) -> Orders:
        return self.orders.pop(0) if len(self.orders) > 1 else self.orders[0]


async def test_a_follow_up_is_in_the_next_prompt_and_in_the_record(play: Any) -> None:
    played = await play(toy_task(2), control=Owner(Orders(), Orders(follow_ups=("hurry up",))))
    assert ["and now: hurry up" in prompt for prompt in played.prompts] == [False, True, True]
    assert [step.follow_ups for step in played.trajectory.steps] == [(), ("hurry up",), ()]


async def test_a_follow_up_that_comes_with_the_last_answer_is_still_read(play: Any) -> None:
    script = ["click Add #1", "done", "click Add #1", "done = more"]
    control = Owner(Orders(), Orders(), Orders(follow_ups=("once more",)))
    played = await play(toy_task(2, script=script), control=control)
    assert (played.result.answer, played.result.steps, played.result.score) == ("more", 4, 1.0)
    assert played.trajectory.steps[2].follow_ups == ("once more",)


async def test_a_pause_costs_no_time_of_the_limit_and_ends_with_a_fresh_look(play: Any) -> None:
    control = Owner(Orders(), *[Orders(is_paused=True)] * 3)
    played = await play(toy_task(1, max_seconds=0.5), control=control)
    assert (played.result.reason, played.result.score) == (EndReason.DONE, 1.0)
    assert played.result.timings["total_s"] > 0.7
    assert played.session.trees == 3  # after the reset, after the step, after the pause


async def test_a_pause_that_lasts_too_long_ends_the_episode(play: Any) -> None:
    control = Owner(*[Orders(is_paused=True)] * 9)
    control.longest_pause_s = 0.2
    result = (await play(toy_task(1), control=control)).result
    assert (result.status, result.reason) == (Status.TRUNCATED, EndReason.TIME_LIMIT)
    assert "DESKHAND_PAUSE_MAX_S" in result.detail


async def test_a_limit_of_tokens_truncates_and_is_named(play: Any) -> None:
    task = toy_task(5)
    limits = task.limits.model_copy(update={"max_tokens": 6})
    result = (await play(task.model_copy(update={"limits": limits}))).result
    assert (result.status, result.reason) == (Status.TRUNCATED, EndReason.TOKEN_LIMIT)
    assert (result.steps, result.tokens, result.detail) == (2, 6, "max_tokens: 6 of 6")
