"""Entropulse trains on kept successes, and does nothing without any."""

from __future__ import annotations

from pathlib import Path

from agent_server.run_metrics import read_metrics
from tests.trainer.tiny_run import make_refused_step, make_step, open_context, record_episode
from trainer.context import PhaseRecord
from trainer.phases.pulse import pulse, read_successes


async def test_kept_successes_become_a_new_version(tmp_path: Path) -> None:
    record = PhaseRecord("pulse", "pulse")
    with open_context(tmp_path / "run", schedule=["reinforce", "pulse"]) as context:
        for index in range(3):
            record_episode(context, f"e{index}", [make_step(), make_step("look")])
            context.pool.add("shop/price", "shop/price@1", f"e{index}")
        await pulse(context, record)
        assert context.version == 1
    assert (record.ended_by, record.iterations) == ("updates", 2)
    event = read_metrics(tmp_path / "run")[0]
    assert [event[key] for key in ("kept", "picked", "tasks", "steps")] == [3, 2, 1, 4]


def test_what_was_refused_is_not_imitated(tmp_path: Path) -> None:
    right = make_step("click Cart")
    with open_context(tmp_path / "run") as context:
        record_episode(context, "e1", [make_refused_step(), right])
        (sample,) = read_successes(context, ["e1"])
    assert sample.completion_ids == right.completion.token_ids


async def test_without_a_success_nothing_changes(tmp_path: Path) -> None:
    record = PhaseRecord("pulse", "pulse")
    with open_context(tmp_path / "run", schedule=["reinforce", "pulse"]) as context:
        await pulse(context, record)
        assert (context.version, context.learner.steps) == (0, 0)
    assert record.ended_by == ""
