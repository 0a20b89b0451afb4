"""An evaluation as a data set of Hugging Face: parquet files and the card that describes them.

    <to>/data/trials-00000-of-00001.parquet     a row a trial of the plan, lost trials included
    <to>/data/steps-00000-of-00001.parquet      a row a step, with its picture
    <to>/README.md                              the card: `load_dataset(<to>, "steps")`

Guarantees: a lost trial has no score; pictures are images to the `datasets` library (bytes and
path); rows are written in groups, so that an evaluation need not fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from agent_server.episodes.trajectory import Step
from agent_server.evaluation.job.plan import Evaluation, read_planned_tasks
from agent_server.evaluation.job.results import Trial
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts

Row = dict[str, Any]
ROWS = 64
"""Of one group: pictures make them large."""
TEXT, WHOLE, REAL, TRUTH, IMAGE = "string", "int64", "float64", "bool", "image"
TRIALS = {
    "task_id": TEXT,
    "domain": TEXT,
    "policy": TEXT,
    "trial": WHOLE,
    "episode_id": TEXT,
    "instruction": TEXT,
    "outcome": TEXT,
    "score": REAL,
    "success": TRUTH,
}
STEPS = {
    "episode_id": TEXT,
    "task_id": TEXT,
    "policy": TEXT,
    "trial": WHOLE,
    "index": WHOLE,
    "instruction": TEXT,
    "url": TEXT,
    "tree": TEXT,
    "thought": TEXT,
    "action": TEXT,
    "result": TEXT,
    "screenshot": IMAGE,
}
CARD = """---
configs:
- config_name: trials
  default: true
  data_files: data/trials-*.parquet
- config_name: steps
  data_files: data/steps-*.parquet
---
# {title}

{trials} trials and {steps} steps, recorded by Deskhand at commit {commit}. `action` and `result`
are JSON; a trial that was lost has no score.
"""


class NoPyArrow(Exception):
    """Parquet files need a package that is not installed."""


def export_parquet(
    to: Path, folder: Path, evaluation: Evaluation, trials: Sequence[Trial]
) -> Iterator[str]:
    """Yields what was written, in sentences. Raises NoPyArrow, NotAnEvaluation."""
    artifacts, tasks = Artifacts(Settings(run_dir=folder).artifacts), read_planned_tasks(folder)
    instructions = {
        name: evaluation.spec.apply_to(task).instruction for name, task in tasks.items()
    }
    (to / "data").mkdir(parents=True, exist_ok=True)
    count = _write(to, "trials", TRIALS, (_trial_row(each, instructions) for each in trials))
    rows = (
        _step_row(trial, step, instructions, artifacts)
        for trial in trials
        if trial.episode_id is not None
        for step in artifacts.read_steps(trial.episode_id, 0)[0]
    )
    steps = _write(to, "steps", STEPS, rows)
    card = CARD.format(
        title=evaluation.run_id, trials=count, steps=steps, commit=evaluation.stamp.commit
    )
    (to / "README.md").write_text(card)
    yield f"wrote {count} trials and {steps} steps to {to / 'data'}"


def _trial_row(trial: Trial, instructions: dict[str, str]) -> Row:
    return {
        "task_id": trial.task_id,
        "domain": trial.domain,
        "policy": trial.policy,
        "trial": trial.trial,
        "episode_id": trial.episode_id,
        "instruction": instructions[trial.task_id],
        "outcome": trial.outcome,
        "score": trial.score,
        "success": None if trial.score is None else trial.score >= 1,
    }


def _step_row(trial: Trial, step: Step, instructions: dict[str, str], artifacts: Artifacts) -> Row:
    assert trial.episode_id is not None
    picture = None
    if step.screenshot is not None:
        data = artifacts.read_screenshot(trial.episode_id, step.screenshot)
        picture = {"bytes": data, "path": f"{trial.episode_id}/{step.screenshot}"}
    action = None if step.action is None else step.action.model_dump_json(exclude_defaults=False)
    return {
        "episode_id": trial.episode_id,
        "task_id": trial.task_id,
        "policy": trial.policy,
        "trial": trial.trial,
        "index": step.index,
        "instruction": instructions[trial.task_id],
        "url": step.url,
        "tree": step.tree,
        "thought": step.thought,
        "action": action,
        "result": step.result.model_dump_json(exclude_none=True),
        "screenshot": picture,
    }


def _write(to: Path, name: str, columns: dict[str, str], rows: Iterable[Row]) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise NoPyArrow("parquet needs pyarrow: pip install 'deskhand[parquet]'") from error
    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    kinds = {TEXT: pa.string(), WHOLE: pa.int64(), REAL: pa.float64(), TRUTH: pa.bool_()}
    fields = [(column, image if kind == IMAGE else kinds[kind]) for column, kind in columns.items()]
    # How the `datasets` library knows a picture from a pair of bytes and a path.
    features = {
        column: {"_type": "Image"} if kind == IMAGE else {"dtype": kind, "_type": "Value"}
        for column, kind in columns.items()
    }
    described = orjson.dumps({"info": {"features": features}})
    schema = pa.schema(fields, metadata={"huggingface": described})
    count, remaining = 0, iter(rows)
    with closing(pq.ParquetWriter(to / f"data/{name}-00000-of-00001.parquet", schema)) as writer:
        while group := list(islice(remaining, ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count
