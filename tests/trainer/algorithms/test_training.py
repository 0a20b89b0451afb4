"""Every algorithm by its name: from recorded episodes to an update of a real learner's weights."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest
import torch

from agent_server.store.tables import Episode
from tests.trainer.tiny_run import make_step, open_context, record_episode
from trainer.algorithms.table import ALGORITHMS
from trainer.collector import FinishedGroup
from trainer.context import Context
from trainer.objective import phase_loss
from trainer.phases.batch import make_batch, read_groups
from trainer.phases.plays import PlayGroup
from trainer.reinforce_config import ReinforceConfig

PAGES = ("link Cart #1", "link Cart #1\nlook", "look")


def make_group(context: Context, name: str, template: str, scores: list[float]) -> FinishedGroup:
    """Episodes that begin on one page: successes look at two pages, failures at three."""
    rows = []
    for index, score in enumerate(scores):
        texts = ["click Cart", "look"] if score >= 1.0 else ["look", "click Cart", "look"]
        steps = [make_step(text, page) for text, page in zip(texts, PAGES, strict=False)]
        row = Episode(id=f"{name}{index}", run_id="run", task={}, score=score, success=score >= 1.0)
        row.version_min, row.version_max, row.steps = 0, 0, len(steps)
        record_episode(context, row.id, steps)
        rows.append(row)
    task = context.make_task(template, 1)
    return FinishedGroup(id=name, task=task, episodes=tuple(rows))


def compare_with_success(group: PlayGroup) -> PlayGroup:
    """The same episodes as rollouts of a demonstration: successes agree with it, failures not."""
    plays = tuple(
        dataclasses.replace(play, agreements=(float(play.success),) * len(play.steps))
        for play in group.plays
    )
    return dataclasses.replace(group, plays=plays)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_trains_for_an_iteration(name: str, tmp_path: Path) -> None:
    config = ReinforceConfig(algorithm=name, ref_kl=0.01, minibatches=2)
    algorithm = config.make_algorithm()
    with open_context(tmp_path / "run") as context:
        context.learner.reset_optimizer(1e-3, 0)
        context.learner.snapshot_reference()
        groups = [
            make_group(context, "mixed", "shop/price", [1.0, 0.0, 0.0, 1.0]),
            make_group(context, "hard", "shop/price", [0.0, 0.0, 1.0, 0.0]),
            make_group(context, "failed", "shop/price", [0.0, 0.0]),
        ]
        context.pool.add("shop/price", "shop/price@1", "mixed0")
        plays = read_groups(context, groups, config)
        if algorithm.source == "demonstrations":
            plays = [compare_with_success(group) for group in plays]
        batch = make_batch(context, plays, config, [], progress=0.5)
        weights = context.learner.backend.weights.master_P  # type: ignore[attr-defined]
        before = weights.clone()
        loss = phase_loss(context.config.learner.loss, algorithm)
        figures = context.learner.step(batch.samples, 1e-3, config.minibatches, loss)
        assert figures["inert_samples"] < figures["samples"]
        assert math.isfinite(figures["loss/total"])
        assert figures["grad_norm"] > 0
        assert not torch.equal(before, weights)
        assert bool(torch.isfinite(weights).all())
