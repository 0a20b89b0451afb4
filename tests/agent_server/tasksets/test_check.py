"""What is wrong with task files: all of it at once, each with file and JSON path."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.tasksets.check import absent, find_complaints
from agent_server.tasksets.files import read_tasks
from envs.contract.task import Task

GOOD: dict[str, Any] = {
    "id": "abc",
    "instruction": "Compare.",
    "config": [
        {"type": "download", "parameters": {"files": [
            {"url": "https://a.example/b.xlsx", "path": "/home/user/b.xlsx"}]}},
        {"type": "execute", "parameters": {"command": ["ls"], "stdout": "ls.out",
                                           "until": {"returncode": 0}}},
        {"type": "command", "parameters": {"command": "ls | wc", "shell": "true"}},
        {"type": "sleep", "parameters": {"seconds": 0.5}},
        {"type": "tidy_desktop", "parameters": {}},
    ],
    "evaluator": {
        "postconfig": [{"type": "activate_window",
                        "parameters": {"window_name": "a", "strict": True}}],
        "func": ["exact_match", "check_include_exclude"],
        "conj": "or",
        "result": [{"type": "vm_file", "path": "/home/user/b.xlsx", "dest": "b.xlsx"},
                   {"type": "vm_command_line", "command": ["cat", "../a"]}],
        "expected": [{"type": "rule", "rules": {}}, None],
        "options": [{}, {"a": 1}],
    },
}  # fmt: skip


def changed(path: str, value: Any) -> dict[str, Any]:
    """GOOD with another value at a path such as "config/0/type"."""
    data = copy.deepcopy(GOOD)
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    place: Any = data
    for part in parents:
        place = place[part]
    place[last] = value
    return data


def told(data: dict[str, Any]) -> list[str]:
    return [f"{issue.where}: {issue.message}" for issue in find_complaints(data)]


def test_a_file_with_all_that_osworld_writes_is_well() -> None:
    assert told(GOOD) == []


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("config", {}, "config: must be a list of setup steps"),
        ("config/1", "ls", "config[1]: a setup step is an object, not str"),
        ("config/0/type", "fly", "config[0].type: no setup step 'fly'"),
        ("config/0/type", 3, "config[0].type: names no setup step"),
        ("config/0/parameters", [], "config[0].parameters: parameters are an object, not list"),
        ("config/0/parameters/files/0/url", "file:///a",
         "config[0].parameters.files[0].url: 'file:///a' is not an http:// or https:// address"),
        ("config/0/parameters/files", [{"url": "https://a.example/b"}],
         "config[0].parameters.files[0].path: Field required"),
        ("config/0/parameters/files/0/path", "/home/user/../../etc/b",
         "config[0].parameters.files[0].path: '/home/user/../../etc/b' leads out of its folder"),
        ("config/1/parameters/command", [],
         "config[1].parameters.command: a command is a string or a list of strings, and not empty"),
        ("config/1/parameters/stdout", "/etc/passwd",
         "config[1].parameters.stdout: '/etc/passwd' leads out of its folder"),
        ("evaluator", [], "evaluator: an evaluator is an object, not list"),
        ("evaluator/postconfig/0/type", "fly", "evaluator.postconfig[0].type: no setup step 'fly'"),
        ("evaluator/conj", "xor", "evaluator.conj: 'xor' is neither 'and' nor 'or'"),
        ("evaluator/func", [], "evaluator.func: names no metric"),
        ("evaluator/func/1", None, "evaluator.func[1]: names no metric"),
        ("evaluator/func", "exact_match", "evaluator.result: is a list, but func is none"),
        ("evaluator/result", [{"type": "rule"}], "evaluator.result: 2 functions, but 1 here"),
        ("evaluator/options", [{}, {}, {}], "evaluator.options: 2 functions, but 3 here"),
        ("evaluator/options/1", "a", "evaluator.options[1]: is str, not an object"),
        ("evaluator/result/1", "a", "evaluator.result[1]: is str, not an object"),
        ("evaluator/result/1", {"path": "/a"}, "evaluator.result[1].type: names no getter"),
        ("evaluator/result/0/dest", "../b",
         "evaluator.result[0].dest: '../b' leads out of its folder"),
        ("evaluator/milestones", {"a": 1},
         "evaluator.milestones.a: a milestone is an object, not int"),
    ],
)  # fmt: skip
def test_each_fault_with_its_path(path: str, value: Any, complaint: str) -> None:
    assert complaint in told(changed(path, value))


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    wrong = changed("config/0/type", "fly") | {"id": 7}
    for name, content in (
        ("chrome/a.json", json.dumps(wrong)), ("gimp/b.json", "{"), ("gimp/c.json", "[]"),
        ("os/d.json", json.dumps(GOOD)), ("os/e.json", json.dumps(GOOD)),
    ):  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    findings = read_tasks(folder)
    problems = [str(problem) for problem in findings.problems]
    assert problems[0] == "chrome/a.json: config[0].type: no setup step 'fly'"
    assert problems[1].startswith("chrome/a.json: id: Input should be a valid string")
    assert [problem for problem in problems if problem.startswith("gimp/b.json: not JSON")]
    assert "gimp/c.json: a task is an object, not list" in problems
    assert "os/e.json: id: 'abc' is also that of os/d.json" in problems
    assert len(problems) == 5
    assert (findings.files, [file.name for file in findings.tasks]) == (5, ["os/d.json"])


def test_getters_and_metrics_that_are_not_here_are_no_fault_of_the_file() -> None:
    data = changed("evaluator/result/1", {"type": "tea_leaves"})
    data["evaluator"]["func"][0] = "looks_nice"
    assert told(data) == []
    lacking = absent(Task.model_validate(data | {"env": "desktop"}))
    assert [(issue.kind, issue.name, issue.where) for issue in lacking] == [
        ("getter", "tea_leaves", "evaluator.result[1].type"),
        ("metric", "looks_nice", "evaluator.func[0]"),
    ]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["type", "parameters", "files", "path", "func", "result", "expected",
                         "options", "conj", "postconfig", "milestones", "command"]), inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(ANYTHING, ANYTHING)
def test_whatever_a_file_holds_is_judged(config: Any, evaluator: Any) -> None:
    findings = find_complaints({"config": config, "evaluator": evaluator})
    assert all(issue.where.startswith(("config", "evaluator")) for issue in findings)
