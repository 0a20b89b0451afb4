"""Published states of task sets: known by content, and refused where a task says something else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_server.tasksets import versions
from agent_server.tasksets.files import read_tasks
from agent_server.tasksets.versions import Version, content_hash, find_split, version_of
from envs.contract.task import Task

NAME = "office-2025-07"


def content(name: str, instruction: str = "Make it bold.") -> dict[str, Any]:
    judge = {"func": "infeasible"}
    return {"id": name, "instruction": instruction, "config": [], "evaluator": judge}


def write(folder: Path, domain: str, task: dict[str, Any]) -> None:
    (folder / domain).mkdir(exist_ok=True)
    (folder / domain / f"{task['id']}.json").write_text(json.dumps(task))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the two tasks of a published state, of which a smaller set has one."""
    tasks = {"calc/a": content("a"), "gimp/b": content("b")}
    hashes = {key: content_hash(Task.model_validate(task)) for key, task in tasks.items()}
    version = Version(about="made here", tasks=hashes, left_out={"calc": ("gimp/b",)})
    published = tmp_path / "published"
    published.mkdir()
    (published / f"{NAME}.json").write_text(version.model_dump_json())
    monkeypatch.setattr(versions, "FOLDER", published)
    versions.versions.cache_clear()
    examples = tmp_path / "examples"
    examples.mkdir()
    for key, task in tasks.items():
        write(examples, key.partition("/")[0], task)
    yield examples
    versions.versions.cache_clear()


def test_a_name_chooses_the_tasks_of_a_published_state(folder: Path) -> None:
    write(folder, "os", content("c"))
    for name, ids in ((NAME, ["a", "b"]), (f"{NAME}-calc", ["a"])):
        task_set = read_tasks(folder, name)
        assert not task_set.problems
        assert [file.task.id for file in task_set.tasks] == ids
    (problem,) = read_tasks(folder, f"{NAME}-writer").problems
    assert "no such split list" in problem.message


def test_a_task_that_says_something_else_is_no_task_of_the_state(folder: Path) -> None:
    write(folder, "calc", content("a", "Make it italic."))
    (problem,) = read_tasks(folder, NAME).problems
    assert str(problem) == (
        f"calc/a.json: it asks for, sets up or judges something else than in {NAME}"
    )
    (folder / "gimp" / "b.json").unlink()
    assert f"{NAME}: gimp[0]: no file gimp/b.json" in map(str, read_tasks(folder, NAME).problems)


def test_a_set_is_of_a_state_if_each_of_its_tasks_is(folder: Path) -> None:
    tasks = [file.task for file in read_tasks(folder).tasks]
    assert version_of(tasks) == version_of(tasks[:1]) == NAME
    assert version_of([]) is None
    changed = tasks[0].model_copy(update={"evaluator": {"func": "exact_match"}})
    assert version_of([changed, tasks[1]]) is None
    # What has no part in it may differ.
    assert version_of([tasks[0].model_copy(update={"seed": 3})]) == NAME


def test_the_states_that_come_with_the_package() -> None:
    sizes = {"osworld-verified-2026-04": 369, "osworld-verified-2026-04-nogdrive": 361,
             "officeworld": 180}  # fmt: skip
    for name, size in sizes.items():
        split = find_split(name)
        assert split is not None
        assert sum(map(len, split.values())) == size
    for version in versions.versions().values():
        assert version.changed.keys() <= version.tasks.keys()
