"""The parts of a task, each with its JSON path."""

from __future__ import annotations

from typing import Any

from envs.contract.task import Task
from envs.osworld.format.task_parts import assets, commands, getters, metrics, steps


def task(**fields: Any) -> Task:
    return Task(
        id="t", env="desktop", template="x", seed=0, split="test", instruction="Do it.", **fields
    )


TASK = {
    "config": [
        {"type": "download", "parameters": {"files": [{"url": "https://a.example/b.txt",
                                                       "path": "/home/user/b.txt"}]}},
        {"type": "execute", "parameters": {"command": ["ls", "-l"]}},
    ],
    "evaluator": {
        "postconfig": [{"type": "sleep"}],
        "func": ["text_is", "same_answer"],
        "result": [{"type": "vm_file", "path": "a"}, {"type": "answer"}],
        "expected": [{"type": "cloud_file", "path": "https://a.example/gold", "dest": "g"}, {}],
        "milestones": {"half": {"func": "only_changed", "result": {"type": "home_changes"}}},
    },
}  # fmt: skip


def test_steps_of_both_lists() -> None:
    assert [(step.where, step.kind) for step in steps(task(**TASK))] == [
        ("config[0]", "download"),
        ("config[1]", "execute"),
        ("evaluator.postconfig[0]", "sleep"),
    ]


def test_getters_and_metrics_of_milestones_too() -> None:
    assert [(getter.where, getter.kind) for getter in getters(task(**TASK))] == [
        ("evaluator.result[0]", "vm_file"),
        ("evaluator.result[1]", "answer"),
        ("evaluator.expected[0]", "cloud_file"),
        ("evaluator.milestones.half.result", "home_changes"),
    ]
    assert [(metric.where, metric.text) for metric in metrics(task(**TASK))] == [
        ("evaluator.func[0]", "text_is"),
        ("evaluator.func[1]", "same_answer"),
        ("evaluator.milestones.half.func", "only_changed"),
    ]


def test_assets_by_address() -> None:
    assert [(asset.where, asset.text) for asset in assets(task(**TASK))] == [
        ("config[0].parameters.files[0].url", "https://a.example/b.txt"),
        ("evaluator.expected[0].path", "https://a.example/gold"),
    ]


def test_commands_as_text_and_as_words() -> None:
    ((text, words),) = commands(task(**TASK))
    assert (text.where, text.text, words) == (
        "config[1].parameters.command", "ls -l", ["ls", "-l"],
    )  # fmt: skip


def test_a_task_without_evaluator_has_no_getter() -> None:
    assert list(getters(task())) == list(metrics(task())) == list(steps(task())) == []
