"""The table at the end: by metric, how many cases agree and how many differ by a named defect."""

from __future__ import annotations

from collections import Counter

import pytest

TALLY = pytest.StashKey[dict[str, Counter[str]]]()


@pytest.fixture(scope="session")
def tally(request: pytest.FixtureRequest) -> dict[str, Counter[str]]:
    """By metric: "agree", "differ" (by a named defect) and "unexplained"."""
    counted: dict[str, Counter[str]] = {}
    request.config.stash[TALLY] = counted
    return counted


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    counted = config.stash.get(TALLY, {})
    if not counted:
        return
    terminalreporter.section("agreement with desktop-env, without --compat")
    line = "{:<52} {:>6} {:>6} {:>7} {:>12}".format
    terminalreporter.write_line(line("metric", "cases", "agree", "differ", "unexplained"))
    rows = [*sorted(counted.items()), ("total", sum(counted.values(), Counter()))]
    for metric, counts in rows:
        columns = (counts[kind] for kind in ("agree", "differ", "unexplained"))
        terminalreporter.write_line(line(metric, sum(counts.values()), *columns))
