"""From groups of episodes to weighted samples."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
import torch

from agent_server.episodes.led_names import led_name
from agent_server.episodes.trajectory import Completion
from agent_server.store.tables import Episode
from tests.trainer.tiny_run import (
    ScriptedSwapper,
    make_refused_step,
    make_step,
    open_context,
    record_episode,
)
from trainer.collector import FinishedGroup
from trainer.context import Context, PhaseRecord
from trainer.loss_config import LossConfig
from trainer.losses import StreamCounts, TokenLogprobs, total_loss
from trainer.packing import pack
from trainer.phases.batch import Batch, make_batch, read_groups
from trainer.reinforce_config import ReinforceConfig
from trainer.samples import Sample, ce_sample

CONFIG = ReinforceConfig(partial=0.0)
PROBES = [ce_sample(make_step())]


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    with open_context(tmp_path / "run") as opened:
        opened.version = 3
        yield opened


def make_group(context: Context, *scores: float, version: int = 3) -> FinishedGroup:
    """Episodes of one step each, all from the same page."""
    rows = []
    for index, score in enumerate(scores):
        row = Episode(run_id="run", task={}, score=score, success=score >= 1.0)
        row.id, row.version_min, row.version_max = f"e{index}v{version}", version, version
        record_episode(context, row.id, [make_step(version=version)])
        rows.append(row)
    task = context.make_task("shop/price", 1)
    return FinishedGroup(id="g", task=task, episodes=tuple(rows))


def build_batch(
    context: Context,
    groups: list[FinishedGroup],
    config: ReinforceConfig,
    anchors: list[Sample],
) -> Batch:
    return make_batch(context, read_groups(context, groups, config), config, anchors)


def test_steps_of_a_mixed_group_are_reinforced_by_their_advantage(context: Context) -> None:
    batch = build_batch(context, [make_group(context, 1.0, 0.0)], CONFIG, [])
    assert [sample.advantage for sample in batch.samples] == [1.0, -1.0]
    assert (batch.zero_variance, batch.rescued) == (0, 0)


def test_the_groups_baseline_divides_by_the_deviation(context: Context) -> None:
    config = CONFIG.model_copy(update={"algorithm": "step_grpo"})
    batch = build_batch(context, [make_group(context, 1.0, 0.0, 0.0, 0.0)], config, [])
    assert batch.samples[0].advantage == pytest.approx(3**0.5)


def test_a_group_of_equal_rewards_is_counted_and_left_out(context: Context) -> None:
    batch = build_batch(context, [make_group(context, 1.0, 1.0)], CONFIG, [])
    assert (batch.samples, batch.zero_variance) == ([], 1)


def test_a_group_of_failures_is_rescued_by_a_kept_success(context: Context) -> None:
    record_episode(context, "kept", [make_step()])
    context.pool.add("shop/price", "shop/price@9", "kept")
    config = CONFIG.model_copy(update={"rescue_ce": 0.3})
    batch = build_batch(context, [make_group(context, 0.0, 0.0)], config, [])
    assert [(sample.ce, sample.rl) for sample in batch.samples] == [(0.3, 0.0)]
    assert (batch.zero_variance, batch.rescued) == (1, 1)


def test_staleness_is_counted_from_the_oldest_token(context: Context) -> None:
    batch = build_batch(context, [make_group(context, 1.0, 0.0, version=1)], CONFIG, [])
    assert {sample.staleness for sample in batch.samples} == {2}


async def test_the_learner_is_ahead_of_the_live_version_where_the_next_was_rejected(
    context: Context,
) -> None:
    context.next_version = 4
    cast(ScriptedSwapper, context.swapper).outcomes += ["rejected", "accepted"]
    for version, staleness in ((3, 1), (5, 0)):
        await context.publish_and_swap(PhaseRecord("reinforce", "reinforce"), PROBES)
        group = make_group(context, 1.0, 0.0, version=version)
        batch = build_batch(context, [group], CONFIG, [])
        assert {sample.staleness for sample in batch.samples} == {staleness}


def test_episodes_of_a_rejected_version_are_left_out(context: Context) -> None:
    context.rejected.add(2)
    batch = build_batch(context, [make_group(context, 1.0, 0.0, version=2)], CONFIG, [])
    assert (batch.samples, batch.zero_variance, batch.empty) == ([], 0, 1)


def test_successes_are_replayed_and_oracle_steps_anchor(context: Context) -> None:
    config = CONFIG.model_copy(update={"replay_ce": 0.2, "anchor_ce": 0.1, "anchor_steps": 1})
    anchors = [Sample((1,), (2,), ce=1.0), Sample((1,), (3,), ce=1.0)]
    batch = build_batch(context, [make_group(context, 1.0, 0.0)], config, anchors)
    success, anchor, failure = batch.samples
    tokens = len(success.completion_ids) + 1
    assert success.ce == pytest.approx(0.2 * tokens / len(success.completion_ids))
    assert anchor.ce == pytest.approx(0.1 * tokens)
    assert failure.ce == 0.0


def loss_of(batch: Batch, nll: float) -> dict[str, float]:
    """The streams of a whole batch when every token has this loss, before any update."""
    counts = StreamCounts.of(batch.samples)
    (packed,) = pack(batch.samples, 100_000)
    current_N = torch.full((len(packed.targets_N),), -nll)
    tokens = TokenLogprobs(
        current_N=current_N,
        entropy_N=torch.zeros_like(current_N),
        proximal_N=current_N,
        reference_N=current_N + math.log(2.0),
    )
    sums = total_loss(LossConfig(), tokens, packed, counts)[1]
    return {name: float(value) for name, value in sums.items()}


def test_a_whole_batch_has_the_loss_that_its_weights_say(context: Context) -> None:
    # The kept success has more tokens than the twelve groups' steps: that must not matter.
    record_episode(context, "kept", [make_step("click Cart click Cart click Cart")] * 9)
    context.pool.add("shop/price", "shop/price@9", "kept")
    config = CONFIG.model_copy(update={"rescue_ce": 0.3, "ref_kl": 0.03})
    mixed = [make_group(context, 1.0, 0.0, version=version) for version in range(3)]
    flat = make_group(context, 1.0, 1.0, version=7)
    failed = make_group(context, 0.0, 0.0, version=8)
    batch = build_batch(context, [*mixed, flat, failed], config, [])
    assert (batch.zero_variance, batch.rescued, batch.empty) == (2, 1, 0)
    sums = loss_of(batch, nll=1.0)
    # Sampled at -1 as well, so every ratio is 1; advantages are 1 and -1 on equally many tokens.
    assert sums["rl"] == pytest.approx(0.0, abs=1e-6)
    assert sums["rl_tokens"] == sum(len(s.completion_ids) for s in batch.samples if s.advantage)
    # One rescued group of four that are trained on, whose tokens all have a loss of 1 nat.
    assert sums["ce"] == pytest.approx(0.3 * 1 / 4)
    assert sums["ref_kl"] == pytest.approx(0.03 * (1 - math.log(2)))


def test_a_refused_answer_of_a_success_is_reinforced_but_not_imitated(context: Context) -> None:
    config = CONFIG.model_copy(update={"algorithm": "grpo", "replay_ce": 0.2})
    group = make_group(context, 1.0, 0.0)
    success = group.episodes[0].model_copy(update={"id": "stumbled"})
    record_episode(context, success.id, [make_refused_step(), make_step(version=3)])
    group = dataclasses.replace(group, episodes=(success, group.episodes[1]))
    samples = build_batch(context, [group], config, []).samples
    refused = make_refused_step().completion.token_ids
    assert [(s.completion_ids == refused, s.advantage, s.ce > 0) for s in samples] == [
        (False, 1.0, True),
        (True, 1.0, False),
        (False, -1.0, False),
    ]


def test_the_steps_of_an_oracle_that_led_are_not_learnt_from(context: Context) -> None:
    oracle = make_step()
    oracle = oracle.model_copy(update={"completion": Completion(text=oracle.completion.text)})
    config = CONFIG.model_copy(update={"algorithm": "step_grpo"})
    group = make_group(context, 1.0, 0.0)
    led = group.episodes[0].model_copy(update={"id": "led", "policy": led_name(3)})
    record_episode(context, led.id, [oracle, oracle, oracle, make_step(version=3)])
    group = dataclasses.replace(group, episodes=(led, group.episodes[1]))
    (read,) = read_groups(context, [group], config)
    assert [play.lead for play in read.plays] == [3, 0]
    batch = make_batch(context, [read], config, [])
    # Four steps of reward 1 and one of 0 would have a deviation of 0.4, and an advantage of 0.5.
    assert [sample.advantage for sample in batch.samples] == [1.0, -1.0]


@pytest.mark.parametrize(
    ("changes", "counts"), [({"rescue_ce": 0.3}, (1, 0)), ({"algorithm": "dart"}, (0, 1))]
)
def test_a_refused_answer_of_a_kept_success_is_left_out(
    context: Context, changes: dict[str, object], counts: tuple[int, int]
) -> None:
    record_episode(context, "kept", [make_refused_step(), make_step()])
    context.pool.add("shop/price", "shop/price@9", "kept")
    config = CONFIG.model_copy(update={"rescue_ce": 0.0, **changes})
    batch = build_batch(context, [make_group(context, 0.0, 0.0)], config, [])
    assert (batch.rescued, batch.replayed) == counts
    refused = make_refused_step().completion.token_ids
    assert refused not in {sample.completion_ids for sample in batch.samples}


@pytest.mark.parametrize("loss", ["lost", "stale", "untrusted"])
def test_a_group_that_lost_episodes_is_not_rescued(context: Context, loss: str) -> None:
    record_episode(context, "kept", [make_step()])
    context.pool.add("shop/price", "shop/price@9", "kept")
    config = CONFIG.model_copy(update={"rescue_ce": 0.3})
    part, whole = make_group(context, 0.0), make_group(context, version=4)
    if loss == "untrusted":
        context.rejected.add(3)
    else:
        part, whole = (dataclasses.replace(group, **{loss: 1}) for group in (part, whole))
    batch = build_batch(context, [part, whole], config, [])
    assert (batch.samples, batch.rescued) == ([], 0)
    assert batch.empty == (2 if loss == "untrusted" else 1)


def test_a_step_without_advantage_is_not_pulled_to_the_reference(context: Context) -> None:
    config = CONFIG.model_copy(update={"ref_kl": 0.03})
    group = make_group(context, 1.0, 0.0)
    record_episode(context, "alone", [make_step(prompt="another page")])
    row = Episode(run_id="run", task={}, score=1.0, success=True)
    row.id, row.version_min, row.version_max = "alone", 3, 3
    group = dataclasses.replace(group, episodes=(*group.episodes, row))
    batch = build_batch(context, [group], config, [])
    pulls = {(sample.advantage, sample.ref_kl, sample.moves_weights) for sample in batch.samples}
    assert pulls == {(1.0, 0.03, True), (-1.0, 0.03, True), (0.0, 0.0, False)}


def test_a_success_of_an_earlier_batch_joins_a_group_of_failures(context: Context) -> None:
    record_episode(context, "kept", [make_step()])
    context.pool.add("shop/price", "shop/price@9", "kept")
    config = CONFIG.model_copy(update={"algorithm": "dart", "rescue_ce": 0.0})
    batch = build_batch(context, [make_group(context, 0.0, 0.0)], config, [])
    # Rewards 0, 0, 1 over steps: mean 1/3, deviation sqrt(2)/3.
    assert sorted(sample.advantage for sample in batch.samples) == pytest.approx(  # type: ignore[type-var]
        [-(2**-0.5), -(2**-0.5), 2**0.5]
    )
    assert (batch.replayed, batch.zero_variance) == (1, 0)


def test_a_success_of_the_present_batch_is_not_replayed_beside_itself(context: Context) -> None:
    config = CONFIG.model_copy(update={"algorithm": "spear"})
    group = make_group(context, 1.0, 0.0)
    context.pool.add("shop/price", group.task.id, group.episodes[0].id)
    assert build_batch(context, [group], config, []).replayed == 0
    record_episode(context, "kept", [make_step()])
    context.pool.add("shop/price", "shop/price@9", "kept")
    assert build_batch(context, [group], config, []).replayed == 1


def test_pairs_are_measured_by_the_policy_and_by_the_reference(context: Context) -> None:
    config = CONFIG.model_copy(update={"algorithm": "dpo", "ref_kl": 0.0})
    group = make_group(context, 1.0, 0.0)
    record_episode(context, "other", [make_step("look")])
    row = Episode(id="other", run_id="run", task={}, score=0.0, success=False)
    group = dataclasses.replace(group, episodes=(group.episodes[0], row))
    with pytest.raises(ValueError, match="snapshot_reference"):
        build_batch(context, [group], config, [])
    context.learner.snapshot_reference()
    better, worse = build_batch(context, [group], config, []).samples
    # Policy and reference are the same: m = 0, sigma(0) = 1/2, times all tokens of the one pair.
    tokens = len(better.completion_ids) + len(worse.completion_ids)
    assert (better.advantage, worse.advantage) == pytest.approx((0.05 * tokens, -0.05 * tokens))


def test_a_critic_is_read_before_it_learns_from_the_batch(context: Context) -> None:
    config = CONFIG.model_copy(update={"algorithm": "reinforce"})
    group = make_group(context, 1.0, 1.0, 0.0, 1.0)
    first = build_batch(context, [group], config, [])
    assert [sample.advantage for sample in first.samples] == pytest.approx([0.5, 0.5, 0.5, -0.5])
    assert context.critic is not None
    # Three of four succeed from this page: the value is between 1/2 and 3/4 now.
    second = build_batch(context, [group], config, [])
    assert 0.25 < second.samples[0].advantage < 0.5
