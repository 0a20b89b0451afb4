"""A small campaign on the real system: nothing is lost, double or wrong, and nothing is left."""

from __future__ import annotations

import psutil
import pytest

from benchmarks.faults.campaign import (
    CampaignConfig,
    profile_of,
    replay,
    schedule_of,
)
from benchmarks.faults.schedule import Injection, Schedule
from tests.processes import left_of

SMALL = CampaignConfig(tasks=4, clients=7, workers=1, concurrency=4)
KINDS = (
    ("cut db", 0.0),
    ("kill worker", 0.0),
    ("lose messages", 0.0),
    ("half-open broker", 2.0),
    ("pause redis", 1.0),
    ("step clock", 0.0),
    ("kill postgres", 0.0),
    ("full disk", 0.5),
    ("kill chromium", 0.0),
    ("refuse policy", 0.5),
)


@pytest.mark.e2e
@pytest.mark.services
@pytest.mark.browser
@pytest.mark.timeout(1200)
async def test_a_small_campaign_accounts_for_every_episode() -> None:
    injections = tuple(
        Injection(number=number, kind=kind, after=2 * number + 1, seconds=seconds, pick=0.4)
        for number, (kind, seconds) in enumerate(KINDS)
    )
    schedule = Schedule(seed=1, round=0, injections=injections)
    lines: list[str] = []
    before = set(psutil.Process().children(recursive=True))
    result = await replay(SMALL, schedule, lines.append)
    assert result.finds == []
    assert result.injected_count >= len(KINDS) - 2, [entry.skipped for entry in result.applied]
    assert result.account.scored == result.account.submitted - len(result.account.gave_up)
    assert result.account.scored > 20
    assert not left_of(set(psutil.Process().children(recursive=True)) - before)


def test_some_rounds_have_a_desktop_or_a_policy_server_and_all_follow_from_the_seed() -> None:
    config = CampaignConfig(others_every=4, publish=lambda folder: [folder, folder])
    profiles = [profile_of(config, number) for number in range(8)]
    assert profiles == ["browser"] * 3 + ["desktop"] + ["browser"] * 3 + ["weights"]
    assert profile_of(CampaignConfig(others_every=4), 7) == "desktop", "where none is published"
    config = CampaignConfig(seed=5)
    assert schedule_of(config, 7, 20) == schedule_of(config, 7, 20)
    assert schedule_of(config, 7, 20).profile == "desktop"
