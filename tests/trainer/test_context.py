"""New weights reach the server in one way, and what did not verify is not trusted."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

import trainer.context
from agent_server.policy.swap import CallRefused, SwapFailed
from agent_server.store.tables import Episode
from tests.trainer.tiny_run import ScriptedSwapper, make_step, open_context
from trainer.context import Context, PhaseRecord
from trainer.samples import ce_sample, rl_sample

SAMPLES = [ce_sample(make_step())]


def swapper_of(context: Context) -> ScriptedSwapper:
    return cast(ScriptedSwapper, context.swapper)


async def test_an_accepted_version_is_live_and_recorded(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        record = PhaseRecord("imitate", "imitate")
        report = await context.publish_and_swap(record, SAMPLES)
        (row,) = context.store.runs.versions("run")
    assert report.accepted
    assert (context.version, context.next_version, record.policy_version) == (1, 2, 1)
    assert (row.version, row.parent, row.status, row.phase) == (1, 0, "live", "imitate")
    assert (tmp_path / "run/policy/live").resolve().name == "v000001"


async def test_a_rejected_version_is_never_live_and_its_tokens_are_not_trusted(
    tmp_path: Path,
) -> None:
    with open_context(tmp_path / "run") as context:
        swapper_of(context).outcomes.append("rejected")
        await context.publish_and_swap(PhaseRecord("imitate", "imitate"), SAMPLES)
        (row,) = context.store.runs.versions("run")
        assert (context.version, context.next_version, row.status) == (0, 2, "rejected")
        for version_min, version_max, trusted in [(0, 0, True), (0, 1, False), (2, 3, True)]:
            episode = Episode(run_id="run", task={}, version_min=version_min)
            episode.version_max = version_max
            assert context.is_trusted(episode) is trusted
        assert context.is_trusted(Episode(run_id="run", task={})), "an oracle's has no version"
    assert not (tmp_path / "run/policy/live").exists()


async def test_a_policy_server_that_is_restarted_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer.context, "SERVER_POLL_S", 0.001)
    with open_context(tmp_path / "run") as context:
        swapper_of(context).outcomes += ["failed", "failed", "accepted"]
        report = await context.publish_and_swap(PhaseRecord("imitate", "imitate"), SAMPLES)
        assert report.accepted
        monkeypatch.setattr(trainer.context, "SERVER_RESTART_S", -1.0)
        swapper_of(context).outcomes.append("failed")
        with pytest.raises(SwapFailed, match="connection refused"):
            await context.publish_and_swap(PhaseRecord("imitate", "imitate"), SAMPLES)


async def test_what_a_policy_server_refuses_for_good_is_not_tried_again(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        swapper_of(context).outcomes += ["refused", "accepted"]
        with pytest.raises(CallRefused, match="answered 403"):
            await context.publish_and_swap(PhaseRecord("imitate", "imitate"), SAMPLES)


async def test_a_learner_step_is_counted_in_the_phases_record(tmp_path: Path) -> None:
    record = PhaseRecord("reinforce", "reinforce")
    with open_context(tmp_path / "run") as context:
        sample = rl_sample(make_step(), advantage=1.0)
        figures = await context.train(record, [sample], lr=1e-4)
    assert record.learner_tokens == sample.tokens
    assert record.entropies == [figures["entropy_mean"]]
    ((difference, _, tokens),) = record.mismatches
    assert difference == figures["mismatch/abs_logprob_mean"]
    assert tokens == len(sample.completion_ids)


def test_a_task_has_the_runs_tools_and_limits(tmp_path: Path) -> None:
    env = {"tasks": ["shop/price"], "tools": "gui", "max_steps": 3}
    with open_context(tmp_path / "run", env=env) as context:
        task = context.make_task("shop/price", 5)
    assert (task.origin, task.seed, task.tools, task.limits.max_steps) == (
        "shop/price",
        5,
        "gui",
        3,
    )
