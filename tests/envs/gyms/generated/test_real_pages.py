"""Generated apps in real Chromium: the verifier matrix of some apps of each family."""

from __future__ import annotations

import pytest

from envs.contract.task import SPLIT_BASES
from envs.gyms.server.audit import Auditor
from tests.envs.gyms.generated.generated_pages import get_generated

pytestmark = pytest.mark.gyms


@pytest.mark.parametrize("name", ["gen-0000", "gen-0001", "gen-0002", "gen-0004", "gen-0200"])
async def test_each_program_is_solved_by_its_oracle_and_by_nothing_else(name: str) -> None:
    gym = get_generated(name)
    async with Auditor(2) as auditor:
        rows = await auditor.run_matrix(gym, gym.templates, [1])
    assert not [failure for row in rows for failure in row.failures]
    assert all(row.holds for row in rows)
    assert all(max(row.steps) <= gym.spec(row.template).oracle_steps + 1 for row in rows)


async def test_a_component_library_is_used_as_a_person_does_and_keeps_no_snapshots() -> None:
    """Its drop-downs open lists over the page, its boxes propose what fits, its menus and dialogs
    lie over all else."""
    gym, seed = get_generated("gen-0235"), SPLIT_BASES["test"]
    kinds = ("create", "link", "step")
    templates = [next(name for name in gym.templates if name.startswith(kind)) for kind in kinds]
    async with Auditor(2) as auditor:
        rows = await auditor.run_matrix(gym, templates, [seed])
        assert not [failure for row in rows for failure in row.failures]
        assert all(max(row.steps) <= gym.spec(row.template).oracle_steps + 1 for row in rows)
        (fork,) = await auditor.run_forks(gym, templates[1:2], [seed])
    assert "what React draws cannot be kept" in fork.failures[0]


@pytest.mark.parametrize("name", ["gen-0000", "gen-0001", "gen-0002", "gen-0200"])
async def test_a_state_in_the_middle_of_an_episode_is_put_back(name: str) -> None:
    gym = get_generated(name)
    async with Auditor(2) as auditor:
        (row,) = await auditor.run_forks(gym, gym.templates[2:3], [1])
    assert row.holds, row.failures
