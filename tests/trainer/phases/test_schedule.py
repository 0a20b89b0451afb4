"""A schedule runs every phase with its evaluation, and continues from its last checkpoint."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
import torch

from tests.trainer.tiny_run import open_context, working
from trainer import checkpoints
from trainer.checkpoints import load_checkpoint, save_checkpoint
from trainer.phases import schedule, supervised
from trainer.phases.schedule import Position, restore, run_schedule
from trainer.run_file import RunFile
from trainer.samples import Picture, Sample

SCHEDULE = ["imitate", "reinforce", "pulse"]


async def test_every_phase_is_trained_evaluated_and_on_disk(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    with open_context(run_dir, schedule=SCHEDULE) as context:
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
        assert [record.name for record in context.records] == SCHEDULE
        assert [record.eval["n"] for record in context.records] == [3, 3, 3]
        assert context.version == 4, "one for imitate, two learner steps, one pulse"
        weights = context.learner.backend.weights.master_P.clone()
    run = RunFile.read(run_dir)
    assert [record.ended_by for record in run.records] == ["updates", "iterations", "updates"]
    assert run.staleness.count == 8

    with open_context(run_dir, schedule=SCHEDULE) as again:
        state = load_checkpoint(run_dir)
        again.learner.load_state_dict(state["learner"])
        position = restore(again, state)
        assert position.phase == 3
        assert (again.next_version, len(again.demonstrations)) == (5, 4)
        assert torch.equal(again.learner.backend.weights.master_P, weights)
        assert [record.eval for record in again.records] == [record.eval for record in run.records]


async def test_a_reset_is_not_evaluated_and_states_are_in_the_checkpoint(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    schedule = ["reinforce", "reset", "reinforce"]
    with open_context(run_dir, schedule=schedule) as context:
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
        states = context.states
    run = RunFile.read(run_dir)
    assert [bool(record.eval) for record in run.records] == [True, False, True]
    assert [record.ended_by for record in run.records] == ["iterations", "reset", "iterations"]
    assert [len(record.readings) for record in run.records] == [2, 0, 2]
    before, at_reset, after = (record.entropy_fixed for record in run.records)
    assert before == at_reset != after
    with open_context(run_dir, schedule=schedule) as again:
        restore(again, load_checkpoint(run_dir))
        assert again.states == states
        assert [r.readings for r in again.records] == [r.readings for r in run.records]


def test_fixed_states_keep_their_pictures(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    pictures = (Picture(bytes(range(256))), Picture(b"PNG"))
    states = [Sample((5, 5), (6,), pictures=pictures), Sample((5,), (6, 7))]
    with open_context(run_dir) as context:
        context.states = list(states)
        state = schedule._make_state(context, Position(), context.learner.state_dict())
        save_checkpoint(run_dir, 1, state)
        context.states = []
        restore(context, load_checkpoint(run_dir))
        assert context.states == states


async def test_a_run_that_fails_in_an_evaluation_does_not_train_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(context: object, record: object, is_last: bool) -> None:
        raise RuntimeError("the disk is full")

    run_dir = tmp_path / "run"
    with open_context(run_dir, schedule=["imitate"]) as context, monkeypatch.context() as patch:
        patch.setattr(schedule, "evaluate", fail)
        async with working(context):
            with pytest.raises(RuntimeError, match="disk is full"):
                await run_schedule(context, Position(), time.monotonic())
    with open_context(run_dir, schedule=["imitate"]) as again:
        state = load_checkpoint(run_dir)
        again.learner.load_state_dict(state["learner"])
        position = restore(again, state)
        assert (position.phase, position.trained) == (0, True)
        again.version = state["version"]
        steps = again.learner.steps
        async with working(again):
            await run_schedule(again, position, time.monotonic())
        assert again.learner.steps == steps
        assert again.records[0].eval["n"] == 3


def test_a_version_published_after_the_last_checkpoint_keeps_its_number(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        state = schedule._make_state(context, Position(), context.learner.state_dict())
        (tmp_path / "run/policy/v000007").mkdir(parents=True)
        restore(context, state)
        assert context.next_version == 8
        assert 7 in context.rejected, "its tokens are of a learner that is no more"


def test_how_far_the_learner_is_ahead_of_the_live_version_is_in_the_checkpoint(
    tmp_path: Path,
) -> None:
    with open_context(tmp_path / "run") as context:
        context.learner_ahead = 2
        state = schedule._make_state(context, Position(), context.learner.state_dict())
        context.learner_ahead = 0
        restore(context, state)
        assert context.learner_ahead == 2


async def test_a_resumed_learner_makes_the_same_step_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checkpoint of the first step names the groups of the second; they have ended since."""
    monkeypatch.setattr(checkpoints, "KEEP", 100)
    section = {"iterations": 2, "groups": 2, "group_size": 2, "pipeline": "async"}
    changes = {"schedule": ["reinforce"], "reinforce": section}
    first, second = tmp_path / "first/run", tmp_path / "second/run"
    with open_context(first, **changes) as context:
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
        expected = context.learner.state_dict()
    shutil.copytree(first, second, symlinks=True)
    for folder in sorted((second / "checkpoints").iterdir())[2:]:
        shutil.rmtree(folder)
    with open_context(second, **changes) as again:
        state = load_checkpoint(second)
        again.learner.load_state_dict(state["learner"])
        again.version = state["version"]
        position = restore(again, state)
        assert (position.iteration, len(position.groups)) == (1, 2)
        async with working(again):
            await run_schedule(again, position, time.monotonic())
        learner = again.learner.state_dict()
    assert torch.equal(learner["master"], expected["master"])
    assert learner["steps"] == expected["steps"]
    assert str(learner["moments"]) == str(expected["moments"])


async def test_a_resumed_imitation_goes_on_with_the_same_problems_and_the_same_entropy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "KEEP", 100)
    monkeypatch.setattr(supervised, "SAVE_EVERY", 2)
    changes = {
        "schedule": ["imitate"],
        "imitate": {"episodes": 4, "updates": 4, "batch_steps": 2},
        "reasoning": {"share": 0.5, "kinds": ["arithmetic"], "eval_problems": 0},
    }
    first, second = tmp_path / "first/run", tmp_path / "second/run"
    with open_context(first, **changes) as context:
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
        (expected,) = context.records
        weights = context.learner.backend.weights.master_P.clone()
    shutil.copytree(first, second, symlinks=True)
    for folder in sorted((second / "checkpoints").iterdir())[2:]:
        shutil.rmtree(folder)
    with open_context(second, **changes) as again:
        state = load_checkpoint(second)
        again.learner.load_state_dict(state["learner"])
        position = restore(again, state)
        assert position.iteration == 2
        async with working(again):
            await run_schedule(again, position, time.monotonic())
        (record,) = again.records
        assert torch.equal(again.learner.backend.weights.master_P, weights)
    assert record.entropies == expected.entropies
    assert record.entropy_average == expected.entropy_average is not None
