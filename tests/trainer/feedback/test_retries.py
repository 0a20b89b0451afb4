"""Failed groups are tried again; what a retry solves is imitated without the feedback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_server.episodes.compact import task_line
from agent_server.episodes.trajectory import Step
from agent_server.run_metrics import read_metrics
from agent_server.store.tables import Episode
from envs.contract.task import Task
from tests.trainer.phases.test_reinforce import save_nothing
from tests.trainer.seeing_run import make_seeing_step, open_seeing_context
from tests.trainer.tiny_run import (
    make_step,
    open_context,
    solves_by_slot,
    tiny_tokenizer,
    working,
)
from trainer.collector import FinishedGroup
from trainer.context import Context, PhaseRecord
from trainer.feedback.advice import LEAD
from trainer.feedback.make import make_writer
from trainer.feedback.retries import RETRY, Retries, Solved
from trainer.phases.batch import make_batch, read_groups
from trainer.phases.reinforce import reinforce
from trainer.samples import shown_pictures, text_sample
from trainer.tokenizer import encode_prompt

SIZES = {"iterations": 2, "groups": 2, "group_size": 2, "rescue_ce": 0.0, "ref_kl": 0.0}


def make_retries(context: Context) -> Retries:
    return Retries(context, "reinforce", make_writer(context))


@pytest.mark.parametrize("writer", ["rules", "none"])
async def test_retries_are_told_what_went_wrong_unless_they_are_the_control(
    tmp_path: Path, writer: str
) -> None:
    tasks: list[Task] = []

    def solves(row: Episode) -> bool:
        tasks.append(Task.model_validate(row.task))
        return False

    feedback = {"retries": 3, "tasks": 1, "writer": writer}
    with open_context(
        tmp_path / "run", schedule=["reinforce"], reinforce=SIZES, feedback=feedback
    ) as context:
        async with working(context, solves):
            await reinforce(context, PhaseRecord("reinforce", "reinforce"), 0, [], save_nothing)
        counts = context.store.episodes.accounting("run")
        assert (counts.is_balanced, counts.cancelled, counts.dispatched) == (True, 0, 2 * 4 + 2 * 3)
    advised = [task for task in tasks if LEAD in task.instruction]
    assert len(advised) == (6 if writer == "rules" else 0)
    events = [e for e in read_metrics(tmp_path / "run") if e["event"] == "reinforce"]
    assert sum(event["retried"] for event in events) == 2
    assert sum(event["retries"] for event in events) == 6


def make_prompt(row: Episode) -> str:
    return f"link Cart #1\n{task_line(Task.model_validate(row.task).instruction)}"


async def test_a_solved_retry_is_imitated_with_the_prompt_of_an_untold_policy(
    tmp_path: Path,
) -> None:
    with open_context(tmp_path / "run", feedback={"retries": 2}) as context:
        task = context.make_task("shop/price", 3)
        retries = make_retries(context)
        assert await retries.begin(await play(context, task, lambda row: False)) == 1
        (entry,) = retries.state()
        assert entry[RETRY] == task.instruction
        # A later process goes on with what the checkpoint says.
        later = make_retries(context)
        later.adopt([entry])
        async with working(context, lambda row: True, make_prompt):
            solved = await later.take(is_last=True)
        assert (solved.episodes, solved.successes, solved.tasks) == (2, 2, 1)
        assert len(context.pool) == 0
    (sample,) = solved.samples
    unadvised = f"link Cart #1\n{task_line(task.instruction)}"
    assert list(sample.prompt_ids) == encode_prompt(tiny_tokenizer(), unadvised)
    assert sample.completion_ids == make_step("click Cart").completion.token_ids
    assert (sample.ce, sample.logprobs) == (1.0, ())


async def test_a_solved_retry_of_a_policy_that_sees_is_imitated_with_its_pictures(
    tmp_path: Path,
) -> None:
    view = {"observe": "both", "dialect": "compact"}
    env = {"tasks": ["shop/price"], "view": view}
    with open_seeing_context(tmp_path, feedback={"retries": 2}, env=env) as context:
        task = context.make_task("shop/price", 3)
        retries = make_retries(context)
        groups = await play(context, task, lambda row: False)
        assert await retries.begin(groups) == 1

        def make_advised_step(row: Episode) -> Step:
            return make_seeing_step(context, prompt=make_prompt(row))

        async with working(context, lambda row: True, step=make_advised_step):
            (sample,) = (await retries.take(is_last=True)).samples
        unadvised = make_seeing_step(context, prompt=f"link Cart #1\n{task_line(task.instruction)}")
    assert sample.prompt_ids == unadvised.completion.prompt_ids
    assert sample.pictures == shown_pictures(unadvised)


async def test_mixed_groups_are_not_tried_again(tmp_path: Path) -> None:
    with open_context(tmp_path / "run", feedback={"retries": 2}) as context:
        retries = make_retries(context)
        groups = await play(context, context.make_task("shop/price", 3), solves_by_slot)
        assert await retries.begin(groups) == 0
        assert retries.state() == []


async def play(
    context: Context, task: Task, solves: Callable[[Episode], bool]
) -> list[FinishedGroup]:
    context.collector.submit(
        phase="reinforce",
        purpose="train",
        tasks=[task],
        size=2,
        policy="live",
        sampling=context.sampling,
    )
    async with working(context, solves):
        return await context.collector.gather(1)


@pytest.mark.parametrize(("tasks", "share"), [(0, 0.0), (1, 0.5), (3, 0.75)])
async def test_what_retries_solved_weighs_as_much_as_its_share_of_the_groups(
    tmp_path: Path, tasks: int, share: float
) -> None:
    with open_context(tmp_path / "run", feedback={"retries": 2, "weight": 0.4}) as context:
        groups = await play(context, context.make_task("shop/price", 3), solves_by_slot)
        config = context.config.reinforce
        plays = read_groups(context, groups, config)
        samples = [text_sample([1, 2], [3, 4])] * tasks
        batch = make_batch(context, plays, config, [], solved=Solved(tasks=tasks, samples=samples))
    # One group is trained on; the stream is divided by the tokens that weigh in it.
    weights = [sample.ce for sample in batch.samples if sample.ce]
    assert sum(weights) / max(len(weights), 1) == pytest.approx(0.4 * share)
