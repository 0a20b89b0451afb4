"""Task files: what is read, and what is said of those that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_server.tasksets.files import TaskFileError, load_task, load_tasks

OSWORLD = {
    "id": "bb5e4c0d",
    "snapshot": "chrome",
    "instruction": "Make Bing the main search engine.",
    "source": "somewhere",
    "config": [{"type": "launch", "parameters": {"command": ["google-chrome"]}}],
    "trajectory": "trajectories/",
    "related_apps": ["chrome"],
    "evaluator": {"func": "match_in_list", "result": {"type": "default_search_engine"},
                  "expected": {"type": "rule", "rules": {"expected": ["Bing"]}}},
    "proxy": False,
}  # fmt: skip


def write(folder: Path, name: str, data: object) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(data if isinstance(data, str) else json.dumps(data))
    return file


def test_an_osworld_file_is_a_desktop_task_with_all_its_fields(tmp_path: Path) -> None:
    task = load_task(write(tmp_path, "a.json", OSWORLD))
    assert (task.env, task.id, task.instruction) == ("desktop", "bb5e4c0d", OSWORLD["instruction"])
    assert task.evaluator == OSWORLD["evaluator"]
    assert task.model_extra is not None
    assert task.model_extra["related_apps"] == ["chrome"]


def test_a_folder_is_read_whole_and_in_order(tmp_path: Path) -> None:
    for name, task_id in (("b/2.json", "two"), ("a/1.json", "one")):
        write(tmp_path, name, OSWORLD | {"id": task_id})
    assert [task.id for task in load_tasks(tmp_path)] == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not JSON"),
        ("[1]", "a task is an object, not list"),
        ({"id": "x"}, "instruction: Field required"),
        (OSWORLD | {"limits": {"max_steps": 0}}, r"limits\.max_steps: "),
    ],
)
def test_a_file_that_is_no_task_is_named_with_its_key(
    tmp_path: Path, content: object, complaint: str
) -> None:
    file = write(tmp_path, "bad.json", content)
    with pytest.raises(TaskFileError, match=rf"bad\.json: .*{complaint}"):
        load_tasks(file)


def test_two_tasks_with_one_id_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.json", OSWORLD)
    write(tmp_path, "b.json", OSWORLD)
    with pytest.raises(TaskFileError, match="'bb5e4c0d' is also that of"):
        load_tasks(tmp_path)


def test_an_empty_folder_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    with pytest.raises(TaskFileError, match="no task files"):
        load_tasks(tmp_path)
    with pytest.raises(TaskFileError, match=r"none\.json: no such file or folder"):
        load_tasks(tmp_path / "none.json")


def test_split_lists_are_no_tasks_and_choose_tasks_in_their_order(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write(tmp_path, f"examples/os/{name}.json", OSWORLD | {"id": name})
    write(tmp_path, "test_two.json", {"os": ["c", "a"]})
    assert [task.id for task in load_tasks(tmp_path)] == ["a", "b", "c"]
    for folder in (tmp_path, tmp_path / "examples"):
        assert [task.id for task in load_tasks(folder, "test_two.json")] == ["c", "a"]


@pytest.mark.parametrize(
    ("split", "complaint"),
    [
        ({"os": ["a", "gone"]}, r"split\.json: os\[1\]: no file os/gone\.json"),
        ({"chrome": ["a"]}, r"split\.json: chrome\[0\]: no file chrome/a\.json"),
        ({"os": ["a", "a"]}, r"split\.json: os\[1\]: 'a' is named twice"),
        ({"os": "a"}, r"split\.json: a split list is an object of lists of ids"),
    ],
)
def test_a_split_list_that_does_not_fit_is_told_where(
    tmp_path: Path, split: object, complaint: str
) -> None:
    write(tmp_path, "set/os/a.json", OSWORLD | {"id": "a"})
    write(tmp_path, "split.json", split)
    with pytest.raises(TaskFileError, match=complaint):
        load_tasks(tmp_path / "set", "split.json")


def test_a_split_list_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, "os/a.json", OSWORLD)
    with pytest.raises(TaskFileError, match=r"none\.json: no such split list"):
        load_tasks(tmp_path, "none.json")


def test_mistyped_paths_lists_and_ids_are_told_what_is_near(tmp_path: Path) -> None:
    write(tmp_path, "set/chrome/restore.json", OSWORLD | {"id": "restore"})
    write(tmp_path, "set/os/desktop_60.json", OSWORLD | {"id": "desktop_60"})
    write(tmp_path, "desktop_60_list.json", {"chrme": ["restore"], "chrome": ["restor", "far"]})
    with pytest.raises(TaskFileError, match=r"st: no such file or folder \(did you mean set\?\)"):
        load_tasks(tmp_path / "st")
    with pytest.raises(TaskFileError, match=r"did you mean desktop_60_list\.json"):
        load_tasks(tmp_path / "set", "desktop_6_list.json")
    with pytest.raises(TaskFileError, match=r"did you mean osworld-verified-2026-04 or"):
        load_tasks(tmp_path / "set", "osworld-verified-2026-4")
    with pytest.raises(TaskFileError) as caught:
        load_tasks(tmp_path / "set", "desktop_60_list.json")
    assert [line.partition(": no file ")[2] for line in str(caught.value).splitlines()] == [
        "chrme/restore.json (did you mean chrome/restore.json?)",
        "chrome/restor.json (did you mean restore?)",
        "chrome/far.json",
    ]


def test_a_list_of_another_folder_is_told_quickly_what_is_missing(tmp_path: Path) -> None:
    write(tmp_path, "set/os/task_0.json", OSWORLD | {"id": "task_0"})
    write(tmp_path, "list.json", {"os": [f"task_{number}" for number in range(1, 20)]})
    with pytest.raises(TaskFileError) as caught:
        load_tasks(tmp_path / "set", "list.json")
    lines = str(caught.value).splitlines()
    assert len(lines) == 19
    assert sum("did you mean" in line for line in lines) == 5
