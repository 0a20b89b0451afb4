"""What finished groups mean to the curriculum and to the figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.episodes.led_names import led_name
from agent_server.store.tables import Episode
from envs.contract.outcomes import EndReason
from tests.trainer.tiny_run import open_context
from trainer.collector import FinishedGroup
from trainer.context import Context
from trainer.phases.plays import Play, PlayGroup
from trainer.phases.results import record_leads, record_results, success_figures

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


def make_plays(context: Context, lead: int, *scores: float, whole: bool = True) -> PlayGroup:
    plays = tuple(Play((), score, score >= 1, lead=lead) for score in scores)
    return PlayGroup(context.make_task(TEMPLATE, 1), plays, whole)


def test_what_was_solved_with_help_is_not_the_templates_rate(context: Context) -> None:
    record_results(context, [make_group(context, 0.0, 0.0)])
    record_results(context, [make_group(context, 1.0, 1.0, lead=1, steps=9)])
    assert context.sampler.rate(TEMPLATE) == 0.0
    assert context.sampler.longest_success(TEMPLATE) is None


@pytest.mark.parametrize(
    ("lead", "reason", "kept"),
    [
        (0, EndReason.STEP_LIMIT, True),
        (3, EndReason.DONE, True),
        (3, EndReason.INFEASIBLE, True),
        (3, EndReason.STEP_LIMIT, False),
        (3, EndReason.LOOP, False),
    ],
)
def test_a_success_with_help_is_kept_where_the_policy_ended_it(
    context: Context, lead: int, reason: EndReason, kept: bool
) -> None:
    group = make_group(context, 1.0, lead=lead)
    group.episodes[0].reason = reason
    record_results(context, [group])
    assert bool(context.pool.pick(1, context.rng)) is kept


def test_leads_follow_what_an_oracle_really_did_in_whole_groups(context: Context) -> None:
    steps = context.sampler.leads.steps
    record_leads(context, [make_plays(context, 0, 0.0, 0.0, whole=False)])
    assert steps(TEMPLATE) == 0, "an episode was lost, and might have succeeded"
    record_leads(context, [make_plays(context, 0, 0.0, 0.0), make_plays(context, 1, 0.0, 0.0)])
    assert steps(TEMPLATE) == 2
    # It was to lead for two steps, and was through with the task after one.
    record_leads(context, [make_plays(context, 1, 1.0, 1.0, whole=False)])
    assert steps(TEMPLATE) == 0
    replayed = dataclasses.replace(make_plays(context, 0, 1.0).plays[0], replayed=True)
    failed = make_plays(context, 0, 0.0, 0.0)
    record_leads(context, [dataclasses.replace(failed, plays=(*failed.plays, replayed))])
    assert steps(TEMPLATE) == 1, "a success of another batch says nothing of this start"


def test_figures_are_of_the_episodes_that_had_no_help(context: Context) -> None:
    groups = [make_group(context, 1.0, 0.0), make_group(context, 1.0, 1.0, lead=3)]
    figures = success_figures(groups)
    assert (figures["episodes"], figures["success"]) == (4, 0.5)
    assert (figures["led_groups"], figures["led_success"], figures["lead_mean"]) == (1, 1.0, 3.0)
    assert "led_groups" not in success_figures(groups[:1])
    lost = FinishedGroup(id="lost", task=groups[0].task, episodes=(), lost=2)
    assert success_figures([*groups[1:], lost])["success"] == 1.0, "there are no others"
