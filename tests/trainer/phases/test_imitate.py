"""Imitation: oracle episodes are collected, read as the policy would have, and trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_server.policy.manifest import read_manifest, version_folder
from envs.contract.task import HELDOUT_SEED_BASE
from tests.trainer.tiny_run import (
    make_refused_step,
    make_step,
    open_context,
    record_episode,
    working,
)
from trainer.context import PhaseRecord
from trainer.phases.imitate import failure_rates, imitate, oracle_samples


async def test_successful_demonstrations_become_the_first_trained_version(tmp_path: Path) -> None:
    record = PhaseRecord("imitate", "imitate")
    with open_context(tmp_path / "run", schedule=["imitate"]) as context:
        async with working(context):
            await imitate(context, record, 0, keep)
        assert context.version == 1
        assert len(context.demonstrations) == 4
        rows = context.store.episodes.get_many(context.demonstrations)
        assert {row.policy for row in rows} == {"oracle"}
        assert all(row.task["seed"] < HELDOUT_SEED_BASE for row in rows)
    assert (record.ended_by, record.iterations) == ("updates", 3)
    manifest = read_manifest(version_folder(tmp_path / "run/policy", 1))
    assert manifest.phase == "imitate"


async def keep(updates: int) -> None:
    """Saves nothing."""


async def test_a_resumed_phase_takes_the_demonstrations_that_it_has(tmp_path: Path) -> None:
    ids = []
    for _ in range(2):
        record = PhaseRecord("imitate", "imitate")
        with open_context(tmp_path / "run", schedule=["imitate"]) as context:
            context.next_version = 1 + len(ids)
            async with working(context):
                await imitate(context, record, 0, keep)
            ids.append(context.demonstrations)
            assert context.store.episodes.accounting("run").dispatched == 4
    assert ids[0] == ids[1]


async def test_more_demonstrations_are_of_what_dev_tasks_failed(tmp_path: Path) -> None:
    sections: dict[str, Any] = {
        "schedule": ["imitate", "imitate"],
        "env": {"tasks": ["shop/price", "shop/remove"]},
        "imitate": {"episodes": 8, "updates": 1, "focus": 0.5, "stumbles": True},
    }
    before = PhaseRecord("imitate-1", "imitate")
    before.dev = {
        "by_template": {
            "shop/price": {"success_rate": 1.0, "n": 2},
            "shop/remove": {"success_rate": 0.5, "n": 2},
        }
    }
    with open_context(tmp_path / "run", **sections) as context:
        context.demonstrations = ["of-round-1"]
        record_episode(context, "of-round-1", [make_step("click Cart")])
        assert failure_rates(context) == {}
        context.records = [before]
        assert failure_rates(context) == {"shop/remove": 0.5}
        async with working(context, lambda row: True):
            await imitate(context, PhaseRecord("imitate-2", "imitate"), 0, keep)
        assert context.demonstrations[0] == "of-round-1"
        assert len(context.demonstrations) > 1
        rows = context.store.episodes.page(run_id="run").episodes
    assert sorted(row.task["template"] for row in rows) == ["price"] * 2 + ["remove"] * 6
    assert {row.policy for row in rows} == {"stumbling"}


def test_what_was_refused_is_not_imitated(tmp_path: Path) -> None:
    right = make_step("click Cart")
    with open_context(tmp_path / "run") as context:
        record_episode(context, "e1", [make_refused_step(), right])
        (sample,) = oracle_samples(context, ["e1"])
    assert sample.completion_ids == right.completion.token_ids


def test_names_are_made_up_and_labels_stay(tmp_path: Path) -> None:
    """Words of both splits are labels; the dev page has a word of its own for the name."""
    page = "page: Shop\nlink Opal Coat #1\nbutton Buy #2\ntask: Buy the Opal Coat"
    step = make_step("click Opal Coat", page)
    dev_step = make_step("click Buy", "page: Shop\nlink Iris #1\nbutton Buy #2\ntask: Buy it")
    with open_context(tmp_path / "run") as context:
        record_episode(context, "e1", [step])
        record_episode(context, "e2", [dev_step])
        (sample,) = oracle_samples(context, ["e1"], renamed=1.0, heldout_ids=["e2"])
        prompt, answer = (
            context.tokenizer.decode(list(ids), skip_special_tokens=True)
            for ids in (sample.prompt_ids, sample.completion_ids)
        )
    assert "Opal" not in prompt + answer
    assert all(part in prompt for part in ("Shop", "button Buy #2", "task: Buy the"))
    assert answer.strip().removeprefix("click ") in prompt


async def test_without_a_success_the_phase_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_context(tmp_path / "run", schedule=["imitate"]) as context:
        collector = {"poll_s": 0.01, "group_timeout_s": 0.05}
        context.collector.config = type(context.collector.config).model_validate(collector)
        with pytest.raises(RuntimeError, match="no oracle episode succeeded"):
            await imitate(context, PhaseRecord("imitate", "imitate"), 0, keep)


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
