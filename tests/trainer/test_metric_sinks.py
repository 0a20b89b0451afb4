"""Numbers of a run reach TensorBoard, Weights & Biases and MLflow; what fails stops nothing."""

from __future__ import annotations

import contextlib
import importlib
import logging
import struct
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_server.run_metrics import read_metrics
from trainer import metric_sinks
from trainer.metric_sinks import MAKERS, SinkName
from trainer.metrics import Metrics


def log_some(run_dir: Path, sink: SinkName, steps: range) -> None:
    with contextlib.closing(Metrics(run_dir, (sink,), "drills")) as metrics:
        for step in steps:
            metrics.log("reinforce-1", step, {"success": step / 4, "phase": "x", "ok": True})
            metrics.log("swap", 10 * step, {"pause_ms": 9.5})


class Broken:
    """Fails at its second event."""

    def __init__(self, run_dir: Path, project: str) -> None:
        self.events = 0

    def log(self, event: str, step: int, values: Mapping[str, float]) -> None:
        self.events += 1
        if self.events > 1:
            raise ConnectionError("the server is gone")

    def close(self) -> None:
        raise AssertionError("nobody closes what failed")


def test_a_sink_that_fails_is_given_up_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(metric_sinks, "MAKERS", {**MAKERS, "wandb": Broken})
    with caplog.at_level(logging.WARNING):
        log_some(tmp_path, "wandb", range(4))
    assert len(read_metrics(tmp_path)) == 8
    (record,) = caplog.records
    assert record.getMessage() == (
        "metrics are no longer sent to wandb: ConnectionError('the server is gone')"
    )


def test_a_sink_that_hangs_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    released = threading.Event()

    class Hanging(Broken):
        def log(self, event: str, step: int, values: Mapping[str, float]) -> None:
            released.wait(60)

    monkeypatch.setattr(metric_sinks, "MAKERS", {**MAKERS, "mlflow": Hanging})
    monkeypatch.setattr(metric_sinks, "QUEUE", 3)
    monkeypatch.setattr(metric_sinks, "CLOSE_S", 0.2)
    started = time.monotonic()
    with caplog.at_level(logging.WARNING):
        log_some(tmp_path, "mlflow", range(20))
    assert time.monotonic() - started < 10
    released.set()
    assert len(read_metrics(tmp_path)) == 40
    assert [record.getMessage() for record in caplog.records] == [
        "metrics are no longer sent to mlflow: it does not take its metrics: 3 events wait"
    ]


def test_a_package_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "wandb", None)
    with caplog.at_level(logging.WARNING):
        log_some(tmp_path, "wandb", range(1))
    assert "pip install 'deskhand[wandb]'" in caplog.text


def test_mlflow_has_the_curves_and_a_resumed_run_goes_on(tmp_path: Path) -> None:
    mlflow = pytest.importorskip("mlflow")
    log_some(tmp_path, "mlflow", range(2))
    log_some(tmp_path, "mlflow", range(2, 4))
    client = mlflow.MlflowClient(f"sqlite:///{tmp_path.resolve()}/mlflow.db")
    experiment = client.get_experiment_by_name("drills")
    (run,) = client.search_runs([experiment.experiment_id])
    assert (run.info.run_name, run.info.status) == (tmp_path.name, "FINISHED")
    points = client.get_metric_history(run.info.run_id, "reinforce-1/success")
    assert [(point.step, point.value) for point in points] == [
        (0, 0.0),
        (1, 0.25),
        (2, 0.5),
        (3, 0.75),
    ]
    assert set(run.data.metrics) == {"reinforce-1/success", "swap/pause_ms"}


def read_wandb(file: Path) -> list[bytes]:
    """Records of a .wandb file: LevelDB's log format behind a header of seven bytes."""
    data, at, records, part = file.read_bytes(), 7, [], b""
    assert data[:4] == b":W&B"
    while at + 7 <= len(data):
        left = 32768 - at % 32768
        if left < 7:
            at += left
            continue
        _, length, kind = struct.unpack_from("<IHB", data, at)
        part += data[at + 7 : at + 7 + length]
        at += 7 + length
        # Whole, or the last of several.
        if kind in (1, 4):
            records.append(part)
            part = b""
    return records


def test_wandb_has_the_curves_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb")
    messages: Any = importlib.import_module("wandb.proto.wandb_internal_pb2")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    log_some(tmp_path, "wandb", range(3))
    (file,) = (tmp_path / "wandb").glob("offline-run-*/run-*.wandb")
    points = []
    for data in read_wandb(file):
        record = messages.Record()
        record.ParseFromString(data)
        if record.WhichOneof("record_type") == "history":
            items = record.history.item
            points.append(
                {item.key or "/".join(item.nested_key): item.value_json for item in items}
            )
    successes = [
        (items["reinforce-1/step"], float(items["reinforce-1/success"]))
        for items in points
        if "reinforce-1/success" in items
    ]
    assert successes == [("0", 0.0), ("1", 0.25), ("2", 0.5)]
    assert [items["swap/step"] for items in points if "swap/step" in items] == ["0", "10", "20"]
