"""Imitation: oracle episodes are collected, read as the policy would have, and trained on."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.manifest import read_manifest, version_folder
from envs.contract.task import HELDOUT_SEED_BASE
from tests.trainer.tiny_run import make_step, open_context, record_episode, working
from trainer.context import PhaseRecord
from trainer.phases.imitate import imitate, oracle_samples


async def test_successful_demonstrations_become_the_first_trained_version(tmp_path: Path) -> None:
    record = PhaseRecord("imitate", "imitate")
    with open_context(tmp_path / "run", schedule=["imitate"]) as context:
        async with working(context):
            await imitate(context, record)
        assert context.version == 1
        assert len(context.demonstrations) == 4
        rows = context.store.episodes.get_many(context.demonstrations)
        assert {row.policy for row in rows} == {"oracle"}
        assert all(row.task["seed"] < HELDOUT_SEED_BASE for row in rows)
    assert (record.ended_by, record.iterations) == ("updates", 3)
    manifest = read_manifest(version_folder(tmp_path / "run/policy", 1))
    assert manifest.phase == "imitate"


async def test_without_a_success_the_phase_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_context(tmp_path / "run", schedule=["imitate"]) as context:
        collector = {"poll_s": 0.01, "group_timeout_s": 0.05}
        context.collector.config = type(context.collector.config).model_validate(collector)
        with pytest.raises(RuntimeError, match="no oracle episode succeeded"):
            await imitate(context, PhaseRecord("imitate", "imitate"))


def test_an_oracles_text_is_tokenised_as_the_server_would_sample_it(tmp_path: Path) -> None:
    step = make_step("click Cart", "link Cart #1")
    with open_context(tmp_path / "run") as context:
        record_episode(context, "e1", [step])
        (sample,) = oracle_samples(context, ["e1"], prompt_ce=0.1)
    assert (sample.prompt_ids, sample.completion_ids) == (
        step.completion.prompt_ids,
        step.completion.token_ids,
    )
    assert (sample.ce, sample.prompt_ce, sample.logprobs) == (1.0, 0.1, ())
