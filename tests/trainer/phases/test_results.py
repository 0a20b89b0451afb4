"""What finished groups mean to the curriculum and to the figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.episodes.led_names import led_name
from agent_server.store.tables import Episode
from tests.trainer.tiny_run import open_context
from trainer.collector import FinishedGroup
from trainer.context import Context
from trainer.phases.results import record_results, success_figures

TEMPLATE = "shop/price"


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    with open_context(tmp_path / "run") as opened:
        yield opened


def make_group(context: Context, *scores: float, lead: int = 0, steps: int = 4) -> FinishedGroup:
    policy = led_name(lead) if lead else "live"
    rows = [
        Episode(run_id="run", task={}, policy=policy, score=score, success=score >= 1, steps=steps)
        for score in scores
    ]
    return FinishedGroup(id="g", task=context.make_task(TEMPLATE, 1), episodes=tuple(rows))


def test_what_was_solved_with_help_moves_the_lead_and_not_the_rate(context: Context) -> None:
    record_results(context, [make_group(context, 0.0, 0.0)])
    assert context.sampler.leads.steps(TEMPLATE) == 1
    assert context.sampler.rate(TEMPLATE) == 0.0
    record_results(context, [make_group(context, 1.0, 1.0, lead=1, steps=9)])
    assert context.sampler.leads.steps(TEMPLATE) == 0
    assert context.sampler.rate(TEMPLATE) == 0.0
    assert context.sampler.longest_success(TEMPLATE) is None


def test_figures_are_of_the_episodes_that_had_no_help(context: Context) -> None:
    groups = [make_group(context, 1.0, 0.0), make_group(context, 1.0, 1.0, lead=3)]
    figures = success_figures(groups)
    assert (figures["episodes"], figures["success"]) == (4, 0.5)
    assert (figures["led_groups"], figures["led_success"], figures["lead_mean"]) == (1, 1.0, 3.0)
    assert "led_groups" not in success_figures(groups[:1])
    assert success_figures(groups[1:])["success"] == 1.0, "there are no others"
