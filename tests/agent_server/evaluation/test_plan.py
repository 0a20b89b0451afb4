"""evaluation.json says what runs; it is written once and read back as it was."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from recorded_evaluation import plan, task

from agent_server.evaluation.plan import (
    Asked,
    Evaluation,
    NotAnEvaluation,
    line_of,
    read_planned_tasks,
    task_set_sha256,
)
from envs.tasks import Limits

ORDERED = {"func": "toy", "expected": {"z": 1, "a": 2}, "conj": "and"}
TASKS = [("a", task("t1")), ("b", task("t2", source="kept", evaluator=ORDERED))]


def test_cells_go_trial_by_trial_and_controls_run_once() -> None:
    evaluation = plan(Asked(policy="oracle", trials=2, controls=True), TASKS)
    told = [(cell.policy, cell.task.id, cell.trial) for cell in evaluation.cells()]
    assert told == [
        ("oracle", "t1", 0), ("oracle", "t2", 0), ("noop", "t1", 0), ("noop", "t2", 0),
        ("infeasible", "t1", 0), ("infeasible", "t2", 0), ("oracle", "t1", 1), ("oracle", "t2", 1),
    ]  # fmt: skip
    assert len({(cell.group_id, cell.trial) for cell in evaluation.cells()}) == len(told)
    assert len(evaluation.cells("oracle")) == 4


def test_a_control_that_was_asked_for_is_not_run_beside_itself() -> None:
    assert Asked(policy="noop", trials=3, controls=True).policies == ("noop", "infeasible")
    assert Asked(policy="noop", trials=3).trials_of("noop") == 3


def test_it_is_read_back_as_written_and_its_hash_is_that_of_the_file(tmp_path: Path) -> None:
    evaluation = plan(Asked(policy="oracle"), TASKS)
    tasks = [one for _, one in TASKS]
    evaluation.write(tmp_path / "run", tasks)
    assert Evaluation.read(tmp_path / "run") == evaluation
    assert list(read_planned_tasks(tmp_path / "run").values()) == tasks
    evaluators = [one.evaluator for one in read_planned_tasks(tmp_path / "run").values()]
    assert [list(one or {}) for one in evaluators] == [["func"], ["func", "expected", "conj"]]
    written = (tmp_path / "run" / "tasks.jsonl").read_bytes()
    assert hashlib.sha256(written).hexdigest() == evaluation.stamp.task_set
    with pytest.raises(FileExistsError):
        evaluation.write(tmp_path / "run", tasks)


def test_the_hash_follows_content_and_order() -> None:
    first, second = (one for _, one in TASKS)
    assert task_set_sha256([first, second]) != task_set_sha256([second, first])
    assert line_of(first) != line_of(first.model_copy(update={"instruction": "other"}))


def test_each_trial_has_a_seed_that_it_keeps() -> None:
    asked = Asked(policy="random", trials=2, seed=5)
    evaluation, again = plan(asked, TASKS), plan(asked, TASKS)
    seeds = [evaluation.sampling(cell).seed for cell in evaluation.cells()]
    assert len(set(seeds)) == 4
    assert seeds == [again.sampling(cell).seed for cell in again.cells()]
    other = plan(asked.model_copy(update={"seed": 6}), TASKS)
    assert seeds != [other.sampling(cell).seed for cell in other.cells()]


def test_what_was_asked_for_lies_over_what_the_task_says() -> None:
    own = task("t", limits={"max_steps": 7, "max_seconds": 60}, tools="gui")
    assert Asked(policy="oracle").as_run(own) == own
    over = Asked(policy="oracle", max_steps=3, tools="api").as_run(own)
    assert (over.limits, over.tools) == (Limits(max_steps=3, max_seconds=60), "api")
    judged = Asked(policy="oracle", compat=True).as_run(own)
    assert judged.evaluator == {"func": "toy", "compat": True}
    assert own.evaluator == {"func": "toy"}


@pytest.mark.parametrize("content", [None, b"{", b'{"format": 2}'])
def test_a_folder_without_an_evaluation_is_named(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "evaluation.json").write_bytes(content)
    with pytest.raises(NotAnEvaluation, match=str(tmp_path)):
        Evaluation.read(tmp_path)
