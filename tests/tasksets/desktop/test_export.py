"""The bundled task files are those that the templates make."""

from __future__ import annotations

import json
from pathlib import Path

from agent_server.tasksets.files import load_tasks
from tasksets.desktop.export import file_content, make_bundled_tasks
from tasksets.desktop.gym import GYM

FOLDER = Path(__file__).parents[3] / "tasksets/bundled/desktop"


def test_the_files_are_up_to_date() -> None:
    files = {str(file.relative_to(FOLDER)): file.read_text() for file in FOLDER.rglob("*.json")}
    expected = {path: file_content(task) for path, task in make_bundled_tasks().items()}
    assert files == expected, "run python -m tasksets.desktop.export tasksets/bundled/desktop"


def test_there_are_at_least_sixty_and_all_load_as_held_out_desktop_tasks() -> None:
    tasks = load_tasks(FOLDER)
    assert len(tasks) >= 60
    assert {(task.env, task.split) for task in tasks} == {("desktop", "test")}
    assert len({task.id for task in tasks}) == len(tasks)


def test_a_file_names_the_oracle_and_hides_the_over_edits() -> None:
    task = GYM.make_task("mail_star", 3)
    content = json.loads(file_content(task))
    assert content["id"] == "desktop/mail_star@3"
    assert content["oracle"]["api"][-1] == {"type": "done"}
    assert "over" not in content
    assert (task.model_extra or {})["over"]
