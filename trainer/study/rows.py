"""results.jsonl of a study: a line a finished run, all that the study's report is made from.

Guarantees: a line stands for its run where the run's folder is not: the file alone carries a study
to another machine. It holds the run's whole configuration, with the path of the policy that it
began from relative to the study's file, so that a study of other settings can refuse it.
"""

from __future__ import annotations

import copy
import dataclasses
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from envs.io.atomic_write import write_whole
from trainer.config import ConfigError, TrainConfig
from trainer.config_file import NONE, load_config, parse_config, to_toml
from trainer.report import read_report
from trainer.run_file import RunFile

NAME = "results.jsonl"
Row = Mapping[str, Any]


def make_row(arm: str, seed: int, run_dir: Path, study_file: Path) -> Row:
    """One run: its figures phase by phase, and which tasks its last evaluation solved."""
    run = RunFile.read(run_dir)
    reported = read_report(run_dir)
    phases = {phase["name"]: phase for phase in reported["phases"]}
    evaluated = [record for record in run.records if record.eval]
    last = evaluated[-1].eval
    return {
        "arm": arm,
        "seed": seed,
        "success": last["success_rate"],
        "tasks": last["n"],
        "lost": last["lost"],
        "solved": last["solved"],
        "unseen": {
            name: {key: figures[key] for key in ("success_rate", "n")}
            for name, figures in last.get("unseen", {}).items()
        },
        "reasoning": last.get("reasoning", {}).get("success_rate"),
        "phases": [
            {
                "name": record.name,
                "kind": record.kind,
                "ended_by": record.ended_by,
                "success": record.eval.get("success_rate"),
                "entropy_fixed": record.entropy_fixed,
                "flat_share": phases[record.name]["flat_share"],
                "readings": [dataclasses.asdict(reading) for reading in record.readings],
            }
            for record in run.records
        ],
        "env_steps": sum(phase["env_steps"] for phase in reported["phases"]),
        "learner_tokens": sum(record.learner_tokens for record in run.records),
        "minutes": round(sum(record.wall_s + record.eval_s for record in run.records) / 60, 1),
        "commit": reported["commit"],
        "device": reported["device"],
        "config": portable_settings(load_config(run_dir / "config.toml"), study_file),
    }


def row_config(row: Row, study_file: Path) -> TrainConfig:
    """With what settings a row's run began. Raises ConfigError."""
    data = copy.deepcopy(row["config"])
    path = data["model"]["path"]
    if path != NONE:
        data["model"]["path"] = os.path.normpath(_folder(study_file) / path)
    return parse_config(data, NAME)


def portable_settings(config: TrainConfig, study_file: Path) -> dict[str, Any]:
    """A configuration as JSON, without a path of this machine."""
    data = tomllib.loads(to_toml(config))
    path = data["model"]["path"]
    if path != NONE:
        data["model"]["path"] = os.path.relpath(path, _folder(study_file))
    return data


def _folder(study_file: Path) -> Path:
    return study_file.resolve().parent


def write_rows(folder: Path, rows: Sequence[Row]) -> None:
    """Replaces the file."""
    write_whole(folder / NAME, [orjson.dumps(row) + b"\n" for row in rows])


def read_rows(folder: Path) -> dict[tuple[str, int], Row]:
    """Rows by arm and seed; none without the file. Rows of versions that wrote no configuration are
    left out, for nobody can say of what settings they are. Raises ConfigError for what is no such
    file."""
    path = folder / NAME
    if not path.is_file():
        return {}
    rows: dict[tuple[str, int], Row] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            row = orjson.loads(line)
            if "config" in row:
                rows[row["arm"], row["seed"]] = row
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise ConfigError(
                f"{path}, line {number}, is no row of a study ({error}): delete the file, and "
                "it is made again from the runs that are here"
            ) from error
    return rows
