from __future__ import annotations

import io

import pytest
from rich.console import Console

from agent_server.evaluation.job.progress import JobProgress, seconds_left
from agent_server.store.queries import GroupMember


@pytest.mark.parametrize(
    ("ended", "total", "elapsed_s", "left_s"),
    [(0, 10, 5, None), (5, 10, 20, 20), (1, 4, 3, 9), (4, 4, 7, 0)],
)
def test_the_end_is_estimated_at_the_pace_so_far(
    ended: int, total: int, elapsed_s: float, left_s: float | None
) -> None:
    assert seconds_left(ended, total, elapsed_s) == left_s


def test_without_a_terminal_a_line_tells_each_tenth() -> None:
    output = io.StringIO()
    slots = [GroupMember("arrived", f"e{n}", n % 2 == 0) for n in range(20)]
    with JobProgress(Console(file=output), total=20, before=0) as progress:
        for count in range(21):
            progress.update([*slots[:count], *[GroupMember("open", "e", None)] * (20 - count)])
    lines = output.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("2 of 20: solved 1, lost 0, ends about ")
    assert lines[-1] == "20 of 20: solved 10, lost 0"
