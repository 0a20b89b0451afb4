"""The folder of an evaluation is created whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.episodes.agent import Sampling
from agent_server.evaluation.job.create import FolderTaken, create_evaluation
from agent_server.evaluation.job.plan import EvalSpec, Evaluation, read_planned_tasks
from agent_server.evaluation.job.selection import NothingToRun

SPEC = EvalSpec(policy="oracle", gym="shop", templates=("price",), episodes=3, controls=True)


def test_the_plan_is_said_in_sentences_and_written(tmp_path: Path) -> None:
    sentences = create_evaluation(SPEC, tmp_path / "run")
    assert "3 tasks x 1 trials = 3 episodes of oracle" in sentences
    assert "6 more of the controls noop and infeasible" in sentences
    evaluation = Evaluation.read(tmp_path / "run")
    assert evaluation.spec == SPEC
    assert len(read_planned_tasks(tmp_path / "run")) == 3
    with pytest.raises(FolderTaken, match=r"this evaluation already: .*deskhand eval resume"):
        create_evaluation(SPEC, tmp_path / "run")


def test_a_folder_that_is_taken_is_told_by_the_settings_that_differ(tmp_path: Path) -> None:
    create_evaluation(SPEC, tmp_path / "run")
    other = SPEC.model_copy(update={"seed": 5, "sampling": Sampling(temperature=0)})
    message = r"other settings \(seed was 0, is 5; sampling.temperature was 1.0, is 0.0\)"
    with pytest.raises(FolderTaken, match=message):
        create_evaluation(other, tmp_path / "run")
    (tmp_path / "docs").mkdir()
    with pytest.raises(FolderTaken, match="is no evaluation: give another --name"):
        create_evaluation(SPEC, tmp_path / "docs")


def test_nothing_is_written_where_nothing_can_run(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"id": "t", "instruction": "nobody judges this"}')
    spec = EvalSpec(policy="oracle", tasks=str(tmp_path / "t.json"))
    with pytest.raises(NothingToRun, match="nothing judges it"):
        create_evaluation(spec, tmp_path / "run")
    assert not (tmp_path / "run").exists()
