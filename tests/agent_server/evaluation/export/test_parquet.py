"""An evaluation as parquet files, read back."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from agent_server.evaluation.export.parquet import export_parquet
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

pq = pytest.importorskip("pyarrow.parquet")


def test_trials_and_steps_come_back_with_pictures(tmp_path: Path) -> None:
    ends = {("oracle", "a", 0): End(pictures=True), ("oracle", "b", 0): End(lost=True)}
    tasks = [("os", task(name)) for name in "ab"]
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    trials = read_trials(tmp_path / "run", evaluation)
    (sentence,) = export_parquet(tmp_path / "out", tmp_path / "run", evaluation, trials)
    assert sentence.startswith("wrote 2 trials and ")
    table = pq.read_table(tmp_path / "out/data/trials-00000-of-00001.parquet")
    rows = table.to_pylist()
    scores = [(row["task_id"], row["score"], row["success"]) for row in rows]
    assert scores == [("a", 1.0, True), ("b", None, None)]
    assert rows[1]["outcome"].startswith("lost")
    steps = pq.read_table(tmp_path / "out/data/steps-00000-of-00001.parquet")
    features = orjson.loads(steps.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["screenshot"] == {"_type": "Image"}
    (*_, last) = [row for row in steps.to_pylist() if row["task_id"] == "a"]
    assert orjson.loads(last["action"])["type"] == "done"
    assert last["screenshot"]["bytes"][:3] in (b"\xff\xd8\xff", b"\x89PN", b"RIF")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "config_name: steps" in card
