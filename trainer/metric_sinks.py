"""Where the numbers of a run go beside metrics.jsonl: TensorBoard, Weights & Biases, MLflow.

Guarantees: a sink that cannot be reached, fails or hangs never stops a run or holds it up: each has
a thread of its own, at the first fault it is given up with one line in the log, and what it has not
taken when QUEUE events wait is left out. metrics.jsonl has everything in any case. A run that is
resumed goes on in the same run of W&B and of MLflow.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

log = logging.getLogger(__name__)

SinkName = Literal["tensorboard", "wandb", "mlflow"]
QUEUE = 10_000
CLOSE_S = 30.0
"""For what waits when the run ends."""
MLFLOW_RUN = "mlflow_run"
"""File of the run folder with the id of its run in MLflow."""


class Sink(Protocol):
    """Takes the numbers of one event."""

    def log(self, event: str, step: int, values: Mapping[str, float]) -> None:
        """May raise whatever its library raises."""
        ...

    def close(self) -> None:
        """Hands over what it holds."""
        ...


class TensorBoardSink:
    """Files in the run folder."""

    def __init__(self, run_dir: Path, project: str) -> None:
        # Imported late, as all of them: a run needs the libraries of its own sinks only.
        from torch.utils.tensorboard import SummaryWriter

        self._board = SummaryWriter(str(run_dir / "tensorboard"))

    def log(self, event: str, step: int, values: Mapping[str, float]) -> None:
        """Adds one point to each curve."""
        for name, value in values.items():
            self._board.add_scalar(f"{event}/{name}", value, step)

    def close(self) -> None:
        """Closes its file."""
        self._board.close()


class WandbSink:
    """WANDB_MODE, WANDB_API_KEY, WANDB_ENTITY and the rest of its variables hold."""

    def __init__(self, run_dir: Path, project: str) -> None:
        import wandb

        # Of the folder: a resumed run has the same one.
        run_id = hashlib.blake2b(str(run_dir.resolve()).encode(), digest_size=8).hexdigest()
        self._run = wandb.init(
            project=project, name=run_dir.name, id=run_id, dir=str(run_dir), resume="allow"
        )
        self._events: set[str] = set()

    def log(self, event: str, step: int, values: Mapping[str, float]) -> None:
        """Events count their steps apart, so each has an axis of its own."""
        axis = f"{event}/step"
        if event not in self._events:
            self._events.add(event)
            self._run.define_metric(f"{event}/*", step_metric=axis)
        self._run.log({f"{event}/{name}": value for name, value in values.items()} | {axis: step})

    def close(self) -> None:
        """Ends the run there."""
        self._run.finish()


class MlflowSink:
    """MLFLOW_TRACKING_URI says where; without it a folder of the run."""

    def __init__(self, run_dir: Path, project: str) -> None:
        # By name: its types differ from version to version.
        mlflow: Any = importlib.import_module("mlflow")
        self._metric: Any = importlib.import_module("mlflow.entities").Metric
        uri = mlflow.get_tracking_uri() if mlflow.is_tracking_uri_set() else None
        self._client = mlflow.MlflowClient(uri or f"sqlite:///{run_dir.resolve()}/mlflow.db")
        known = run_dir / MLFLOW_RUN
        if known.exists():
            self._run_id = known.read_text().strip()
            self._client.update_run(self._run_id, status="RUNNING")
            return
        experiment = self._client.get_experiment_by_name(project)
        experiment_id = (
            experiment.experiment_id
            if experiment is not None
            else self._client.create_experiment(project)
        )
        self._run_id = self._client.create_run(experiment_id, run_name=run_dir.name).info.run_id
        known.write_text(self._run_id)

    def log(self, event: str, step: int, values: Mapping[str, float]) -> None:
        """One request an event."""
        now = int(time.time() * 1000)
        metrics = [
            self._metric(f"{event}/{name}", value, now, step) for name, value in values.items()
        ]
        self._client.log_batch(self._run_id, metrics=metrics)

    def close(self) -> None:
        """Marks the run as finished."""
        self._client.set_terminated(self._run_id)


MAKERS: Mapping[SinkName, Callable[[Path, str], Sink]] = {
    "tensorboard": TensorBoardSink,
    "wandb": WandbSink,
    "mlflow": MlflowSink,
}


class SinkThread:
    """One sink in a thread of its own."""

    def __init__(self, name: str, make: Callable[[], Sink]) -> None:
        self._name, self._make = name, make
        self._events: queue.Queue[tuple[str, int, dict[str, float]] | None] = queue.Queue(QUEUE)
        self._has_failed = threading.Event()
        # A daemon: a library that hangs does not keep the process alive.
        self._thread = threading.Thread(target=self._run, name=f"metrics-{name}", daemon=True)
        self._thread.start()

    def log(self, event: str, step: int, values: dict[str, float]) -> None:
        """Returns at once."""
        if self._has_failed.is_set():
            return
        try:
            self._events.put_nowait((event, step, values))
        except queue.Full:
            self._give_up(f"it does not take its metrics: {QUEUE} events wait")

    def close(self) -> None:
        """Waits for what is under way, CLOSE_S at most."""
        try:
            self._events.put(None, timeout=CLOSE_S)
        except queue.Full:
            return
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            self._give_up(f"it did not end in {CLOSE_S:g} s")

    def _run(self) -> None:
        try:
            sink = self._make()
            while (entry := self._events.get()) is not None:
                sink.log(*entry)
            sink.close()
        except ImportError as error:
            self._give_up(f"{error}: pip install 'deskhand[{self._name}]'")
        except BaseException as error:  # SystemExit too: a library may end its thread with it
            self._give_up(repr(error)[:500])

    def _give_up(self, reason: str) -> None:
        if not self._has_failed.is_set():
            self._has_failed.set()
            log.warning("metrics are no longer sent to %s: %s", self._name, reason)


def start_sinks(names: Sequence[SinkName], run_dir: Path, project: str) -> list[SinkThread]:
    """One thread for each. Close them."""

    def maker(name: SinkName) -> Callable[[], Sink]:
        return lambda: MAKERS[name](run_dir, project)

    return [SinkThread(name, maker(name)) for name in names]


def numbers_of(values: Mapping[str, Any]) -> dict[str, float]:
    """What can be drawn."""
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
