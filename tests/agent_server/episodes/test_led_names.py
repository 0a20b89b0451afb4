"""Names of led policies are read back, and no other name is one."""

from __future__ import annotations

import pytest

from agent_server.episodes.led_names import led_name, read_lead


@pytest.mark.parametrize("steps", [1, 12, 9999])
def test_a_lead_is_read_back(steps: int) -> None:
    assert read_lead(led_name(steps)) == steps


@pytest.mark.parametrize(
    "name", ["live", "led", "led-", "led-0", "led-x", "led--1", "led-1 ", "xled-1"]
)
def test_other_names_have_none(name: str) -> None:
    assert read_lead(name) == 0
