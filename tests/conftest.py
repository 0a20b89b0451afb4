"""Order of the suite: what starts nothing first; then the longest first, so that of two processes
neither is left alone with them, and those that want both processors are all in one."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

# How fast a machine is decides no test: no deadline, and no check of how long drawing takes.
settings.register_profile(
    "any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any_machine")

SLOW = ("services", "browser", "gyms", "office", "desktop", "policy", "e2e", "qemu", "docker")
"""Markers by what they start, cheapest first."""


def pytest_configure() -> None:
    """A shell starts what it runs with `&` deaf to Ctrl-C; what tests start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_cost)


def _cost(item: pytest.Item) -> tuple[bool, int]:
    started = [SLOW.index(mark.name) for mark in item.iter_markers() if mark.name in SLOW]
    return bool(started), -max(started, default=0)
