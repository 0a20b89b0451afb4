"""The client of the server that the settings name, and what is said where it cannot be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.live import make_live_policy
from agent_server.settings import Settings
from envs.contract.outcomes import EpisodeFault, InvalidReason


def test_without_an_address_no_episode_can_run(tmp_path: Path) -> None:
    with pytest.raises(EpisodeFault, match="DESKHAND_POLICY_URLS is not set") as refused:
        make_live_policy(Settings(run_dir=tmp_path))
    assert refused.value.reason is InvalidReason.UNRUNNABLE


def test_a_missing_tokenizer_is_named(tmp_path: Path) -> None:
    settings = Settings(
        run_dir=tmp_path,
        policy_urls=("http://127.0.0.1:9",),
        policy_tokenizer=Path("tokenizer.json"),
    )
    with pytest.raises(EpisodeFault, match=r"no file .*tokenizer\.json") as refused:
        make_live_policy(settings)
    assert refused.value.reason is InvalidReason.POLICY_ERROR


async def test_a_server_of_others_needs_no_tokenizer(tmp_path: Path) -> None:
    policy = make_live_policy(Settings(run_dir=tmp_path, policy_urls=("http://127.0.0.1:9",)))
    await policy.close()
