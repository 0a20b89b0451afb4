"""Without a terminal the display is lines, and not too many of them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from agent_server.store.tables import Episode
from tasksets.registry import get_gym
from trainer.collector import FinishedGroup
from trainer.progress import Progress


@pytest.fixture
def output() -> io.StringIO:
    return io.StringIO()


def make_progress(output: io.StringIO) -> Progress:
    return Progress(Console(file=output, width=300), "a run", ["imitate", "reinforce"])


def test_a_phase_begins_with_a_line_and_counts_of_its_own(output: io.StringIO) -> None:
    rows = [Episode(run_id="r", task={}, success=success, steps=3) for success in (True, False)]
    task = get_gym("shop").make_task("price", 1)
    group = FinishedGroup(id="g", task=task, episodes=tuple(rows))
    with make_progress(output) as progress:
        progress.begin_phase("imitate")
        progress.count_episodes([group])
        progress.show_evaluation("imitate", 0.5, 0.4, 0.6)
        progress.begin_phase("reinforce")
    first, second, third = output.getvalue().splitlines()
    assert first.startswith("phase: imitate (1/2)")
    assert "success: 1/2" in second
    assert "evaluated: imitate 50% [40%, 60%]" in second
    assert "phase: reinforce (2/2)" in third
    assert "success: -" in third


def test_details_do_not_print_a_line_each(output: io.StringIO) -> None:
    with make_progress(output) as progress:
        progress.begin_phase("imitate")
        for update in range(100):
            progress.show_detail(f"update {update}")
    assert len(output.getvalue().splitlines()) == 1


def test_swaps_and_invalid_episodes_are_shown(output: io.StringIO) -> None:
    with make_progress(output) as progress:
        progress.count_invalid = lambda: 7
        for accepted in (True, True, False):
            progress.count_swap(accepted)
        progress.begin_phase("imitate")
    assert "swaps: 2, 1 rejected" in output.getvalue()
    assert "invalid: 7" in output.getvalue()
