"""Supervised training stops where its budget, its loss or its entropy says."""

from __future__ import annotations

import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from agent_server.run_metrics import read_metrics
from tests.trainer.tiny_run import make_step, open_context
from trainer.context import PhaseRecord
from trainer.imitate_config import ImitateConfig
from trainer.phases import supervised
from trainer.phases.supervised import StoppingRule, learning_rate_factor, supervise
from trainer.samples import ce_sample

SAMPLES = [ce_sample(make_step(text)) for text in ("click Cart", "look")]


def make_rule(**changes: object) -> StoppingRule:
    values = {"heldout": SAMPLES, "check_every": 1, "entropy_floor": 0.0, "loss_target": 0.0}
    return StoppingRule(**values | changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("config", "rule", "reason", "updates"),
    [
        ({"updates": 3}, None, "updates", 3),
        ({"updates": 9, "max_minutes": 1e-9}, None, "max_minutes", 0),
        ({"updates": 9}, {"loss_target": 1e9}, "loss_target", 1),
        ({"updates": 9, "warmup_updates": 1}, {"entropy_floor": 1e9}, "entropy_floor", 3),
        ({"updates": 2}, {"heldout": [], "loss_target": 1e9}, "updates", 2),
    ],
)
async def test_training_says_what_ended_it(
    tmp_path: Path,
    config: dict[str, float],
    rule: dict[str, object] | None,
    reason: str,
    updates: int,
) -> None:
    record = PhaseRecord("imitate", "imitate")
    with open_context(tmp_path / "run") as context:
        ended_by = await supervise(
            context,
            record,
            SAMPLES,
            ImitateConfig.model_validate(config),
            None if rule is None else make_rule(**rule),
        )
    assert (ended_by, record.iterations) == (reason, updates)
    assert len(record.entropies) == updates


async def test_a_slower_machine_learns_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = []
    for pace in (1.0, 400.0):
        ticks = itertools.count()
        clock = SimpleNamespace(monotonic=lambda pace=pace, ticks=ticks: next(ticks) * pace)
        monkeypatch.setattr(supervised, "time", clock)
        with open_context(tmp_path / f"run-{pace:g}") as context:
            config = ImitateConfig(updates=6, warmup_updates=2)
            record = PhaseRecord("imitate", "imitate")
            assert await supervise(context, record, SAMPLES, config) == "updates"
            weights.append(context.learner.backend.weights.master_P.clone())
    assert torch.equal(*weights)


async def test_a_phase_that_goes_on_learns_what_an_uninterrupted_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervised, "SAVE_EVERY", 2)
    config = ImitateConfig(updates=5, warmup_updates=2, batch_steps=1)
    states: dict[int, dict[str, Any]] = {}
    with open_context(tmp_path / "run") as context:

        async def save(updates: int) -> None:
            states[updates] = context.learner.state_dict()

        record = PhaseRecord("imitate", "imitate")
        await supervise(context, record, SAMPLES, config, None, 0, save)
        whole = context.learner.backend.weights.master_P.clone()
    assert list(states) == [2, 4]
    with open_context(tmp_path / "other") as context:
        context.learner.load_state_dict(states[2])
        record = PhaseRecord("imitate", "imitate")
        await supervise(context, record, SAMPLES, config, None, 2)
        assert torch.equal(context.learner.backend.weights.master_P, whole)


async def test_the_guard_counts_the_time_before_a_phase_was_resumed(tmp_path: Path) -> None:
    config = ImitateConfig(updates=9, max_minutes=60)
    record = PhaseRecord("imitate", "imitate", supervised_s=3600.0)
    with open_context(tmp_path / "run") as context:
        assert await supervise(context, record, SAMPLES, config, None, 8) == "max_minutes"
        assert await supervise(context, record, SAMPLES, config) == "updates", "begun anew"


async def test_the_held_out_loss_is_logged_and_falls(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        config = ImitateConfig(updates=12, warmup_updates=0, lr=3e-3)
        await supervise(context, PhaseRecord("imitate", "imitate"), SAMPLES, config, make_rule())
    losses = [event["heldout_loss"] for event in read_metrics(tmp_path / "run")]
    assert len(losses) == 12
    assert losses[-1] < losses[0]


def test_the_rate_warms_up_stays_and_falls_to_a_tenth() -> None:
    assert learning_rate_factor(0, 10, 0.0) == pytest.approx(0.1)
    assert learning_rate_factor(20, 10, 0.5) == 1.0
    assert learning_rate_factor(20, 10, 5 / 6) == pytest.approx(0.55)
    assert learning_rate_factor(20, 10, 1.0) == pytest.approx(0.1)
    assert learning_rate_factor(0, 0, 0.0) == 1.0, "without warm-up"


def test_the_entropy_that_stops_is_smoothed() -> None:
    rule = make_rule(entropy_floor=0.5)
    rule.observe_entropy(1.0)
    rule.observe_entropy(0.0)
    assert (rule.entropy, rule.is_collapsed) == (pytest.approx(0.9), False)
    for _ in range(20):
        rule.observe_entropy(0.0)
    assert rule.is_collapsed
