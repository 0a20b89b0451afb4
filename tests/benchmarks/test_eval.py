"""The tasks of the evaluation benchmark are the bundled sixty."""

from __future__ import annotations

from agent_server.tasksets.files import load_tasks
from benchmarks.eval import SIXTY, TASKS


def test_sixty_different_desktop_tasks_are_measured() -> None:
    tasks = load_tasks(TASKS, SIXTY)
    assert len({task.id for task in tasks}) == 60
    assert {task.env for task in tasks} == {"desktop"}
    assert all(task.is_judged for task in tasks)
