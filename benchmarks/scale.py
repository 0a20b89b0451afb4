"""`deskhand bench scale`: dispatch, leases and heartbeats of many hosts on PostgreSQL and Redis.

This is part `dispatch`; part `model` is in `benchmarks/scale_*.py`. Each simulated host has one
episode in flight; WORKER_HOSTS of them belong to a worker, which leases an episode for each, renews
all its leases in one statement each heartbeat, and records the results. No environment and no
policy is there: what is measured is what all of them share. The table holds `history` episodes that
have ended. Every statement on episodes is explained on the full table afterwards:
`scale.table_scans` counts those that read it whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from sqlalchemy import event, insert, text

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.engine import table_of
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run, utcnow
from agent_server.store.workers import Offer
from agent_server.worker.runtime import make_pause
from benchmarks.faults.services import Postgres, Redis
from benchmarks.figures import Figure, number, percentiles, rate
from benchmarks.result import report
from benchmarks.scale_check import check
from benchmarks.scale_check import make_figures as make_check_figures
from benchmarks.scale_costs import describe_costs
from benchmarks.scale_growth import grow, write_plots
from benchmarks.scale_growth import make_figures as make_growth_figures
from envs.contract.outcomes import Status
from envs.providers.local import free_port

WORKER_HOSTS = 32
"""`DESKHAND_CONCURRENCY` of a worker."""
BATCH = 64
"""Episodes that are dispatched together, as a trainer's groups."""
THREADS = 8
"""At once in this process: the connections of its pool."""
SLICE_S = 0.1
START_S, STOP_S = 60.0, 30.0
RUN = "scale"
PARTS = ("dispatch", "model")
HISTORY_BATCH = 5000


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """`think_s`: a policy's answer in the runs that the model is checked against; `core_hour`: the
    price of a processor; `plots`: the folder for them."""

    think_s: float
    core_hour: float
    plots: Path | None


def run(
    json: Path | None,
    hosts: int,
    history: int,
    seconds: float,
    parts: Sequence[str],
    options: ModelOptions,
) -> None:
    """Measures, prints the figures and writes them to `json`."""
    terminal = Console()
    figures: dict[str, Figure] = {}
    with terminal.status("a minute for dispatch, then about six for the model"):
        if "dispatch" in parts:
            with _folder() as folder, running_services(folder) as settings:
                dispatched, scans = measure(settings, hosts, history, seconds)
            figures |= dispatched
            for statement in scans:
                terminal.print(f"reads the whole table: {statement[:300]}", highlight=False)
        if "model" in parts:
            figures |= _measure_model(options, terminal)
    report(figures, terminal, json)


def _measure_model(options: ModelOptions, terminal: Console) -> dict[str, Figure]:
    with _folder() as folder, running_services(folder) as settings:
        costs, compared = check(settings, options.think_s, terminal.print)
    grown = grow(costs)
    if options.plots is not None:
        write_plots(options.plots, compared, grown)
    return (
        describe_costs(costs)
        | make_check_figures(compared)
        | make_growth_figures(grown, options.core_hour)
    )


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(
        prefix="deskhand-bench-", ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


@contextlib.contextmanager
def running_services(folder: Path) -> Iterator[Settings]:
    """PostgreSQL and Redis on loopback ports, and settings that use them."""
    # PostgreSQL's own user must be able to pass through.
    folder.chmod(0o755)
    postgres = Postgres(folder / "postgres", free_port())
    redis = Redis(folder / "redis", free_port())
    postgres.create()
    with contextlib.ExitStack() as stack:
        for service in (postgres, redis):
            process = subprocess.Popen(
                service.child().command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            stack.callback(process.wait, STOP_S)
            stack.callback(process.terminate)
            asyncio.run(_wait_until_ready(service))
        yield Settings(run_dir=folder, database_url=postgres.url(), broker_url=redis.url())


async def _wait_until_ready(service: Postgres | Redis) -> None:
    async with asyncio.timeout(START_S):
        while not await service.answers():
            await asyncio.sleep(0.1)


def measure(
    settings: Settings, hosts: int, history: int, seconds: float
) -> tuple[dict[str, Figure], list[str]]:
    """The figures, and the statements that read the table of episodes whole."""
    with Store.open(settings) as store, contextlib.closing(Broker(settings)) as broker:
        store.runs.create(Run(id=RUN, kind="serve"))
        fill_history(store, history)
        with recorded_statements(store) as statements:
            figures = _dispatch(Dispatcher(store, broker), hosts)
            figures |= _lease(store, hosts)
            figures |= _beat(store, hosts, settings.heartbeat_s, seconds)
            figures |= _reap(store)
            scans = find_table_scans(store, statements)
            figures |= _finish(store, hosts)
    figures["scale.hosts"] = number(hosts, "hosts")
    figures["scale.table_scans"] = number(len(scans), "statements")
    return figures, scans


def fill_history(store: Store, count: int) -> None:
    """Episodes of the past, and what the planner knows of the table."""
    past = utcnow()
    for first in range(0, count, HISTORY_BATCH):
        rows = [
            _make_episode(f"past{index}", status=Status.SCORED, started_at=past, finished_at=past)
            for index in range(first, min(count, first + HISTORY_BATCH))
        ]
        with store.engine.begin() as db:
            db.execute(insert(table_of(Episode)), [row.model_dump() for row in rows])
    with store.engine.begin() as db:
        db.execute(text("ANALYZE episode"))


def _make_episode(episode_id: str, **more: Any) -> Episode:
    task = {"id": episode_id, "instruction": "nothing"}
    fields = {"root_id": episode_id} | more if more else {}
    return Episode(id=episode_id, run_id=RUN, purpose="api", task=task, **fields)


def _ids(hosts: int) -> list[str]:
    return [f"host{index}" for index in range(hosts)]


def _owner(index: int) -> str:
    return f"worker{index // WORKER_HOSTS}"


def _dispatch(dispatcher: Dispatcher, hosts: int) -> dict[str, Figure]:
    ids, since = _ids(hosts), time.monotonic()
    batches_ms = []
    for first in range(0, hosts, BATCH):
        began = time.monotonic()
        dispatcher.dispatch([_make_episode(key) for key in ids[first : first + BATCH]])
        batches_ms.append((time.monotonic() - began) * 1000)
    waiting = dispatcher.broker.depth()
    if waiting != hosts:
        raise RuntimeError(f"{hosts} messages were sent, and {waiting} wait")
    return {
        "scale.dispatch_per_s": rate(hosts, time.monotonic() - since, "episodes/s"),
        "scale.dispatch_batch_ms": percentiles(batches_ms, "ms"),
    }


def _lease(store: Store, hosts: int) -> dict[str, Figure]:
    def lease(index: int) -> None:
        if store.episodes.lease_first(f"host{index}", _owner(index)) is None:
            raise RuntimeError(f"host{index} got no lease")

    since = time.monotonic()
    times_ms = _time_all(lease, hosts)
    return {
        "scale.lease_ms": percentiles(times_ms, "ms"),
        "scale.leases_per_s": rate(hosts, time.monotonic() - since, "leases/s"),
    }


def _time_all(call: Callable[[int], None], count: int) -> list[float]:
    """Milliseconds of each call, THREADS at a time."""

    def time_one(index: int) -> float:
        began = time.monotonic()
        call(index)
        return (time.monotonic() - began) * 1000

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(time_one, range(count)))


def _beat(store: Store, hosts: int, heartbeat_s: float, seconds: float) -> dict[str, Figure]:
    """All workers start at one moment, as after a restart of everything: the worst case."""
    ids, offer = _ids(hosts), Offer(("browser",), ("live",), WORKER_HOSTS)
    beats: list[tuple[float, float]] = []
    lock, began = threading.Lock(), time.monotonic()
    due = sorted(
        (moment, first)
        for first in range(0, hosts, WORKER_HOSTS)
        for moment in _moments(heartbeat_s, seconds)
    )

    def beat(index: int) -> None:
        moment, first = due[index]
        time.sleep(max(0.0, began + moment - time.monotonic()))
        since, owner = time.monotonic(), _owner(first)
        held = ids[first : first + WORKER_HOSTS]
        if len(store.episodes.renew(held, owner).kept) != len(held):
            raise RuntimeError(f"{owner} lost a lease")
        store.workers.report(owner, offer, None)
        with lock:
            beats.append((since - began, (time.monotonic() - since) * 1000))

    _time_all(beat, len(due))
    later = [moment for moment, _ in due if moment > heartbeat_s]
    slices = [int(moment / SLICE_S) for moment in later]
    most = max((slices.count(number_) for number_ in set(slices)), default=0)
    mean = len(later) * SLICE_S / max(seconds - heartbeat_s, SLICE_S)
    return {
        "scale.heartbeat_ms": percentiles([cost_ms for _, cost_ms in beats], "ms"),
        "scale.heartbeats_per_s": rate(len(beats), seconds, "heartbeats/s"),
        "scale.herd": number(round(most / mean, 2) if mean else 0, "x the mean in 0.1 s"),
    }


def _moments(heartbeat_s: float, seconds: float) -> Iterator[float]:
    moment = 0.0
    while moment < seconds:
        yield moment
        moment += make_pause(heartbeat_s)


def _reap(store: Store) -> dict[str, Figure]:
    """What each process that reaps does each second, with everything in flight."""
    times_ms = []
    for _ in range(20):
        since = time.monotonic()
        if store.episodes.expire_leases():
            raise RuntimeError("leases that were renewed have ended")
        store.episodes.retry_due()
        store.episodes.waiting(utcnow())
        times_ms.append((time.monotonic() - since) * 1000)
    return {"scale.reap_ms": percentiles(times_ms, "ms")}


def _finish(store: Store, hosts: int) -> dict[str, Figure]:
    def finish(index: int) -> None:
        result = EpisodeResult(Status.CANCELLED)
        if not store.episodes.finish(f"host{index}", _owner(index), result):
            raise RuntimeError(f"host{index} could not finish")

    return {"scale.finish_ms": percentiles(_time_all(finish, hosts), "ms")}


@contextlib.contextmanager
def recorded_statements(store: Store) -> Iterator[dict[str, Any]]:
    """Each statement on episodes that runs in the body, with the parameters of one call."""
    statements: dict[str, Any] = {}

    def record(_db: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        # No others: to explain is not to run, and only these are known to be safe behind EXPLAIN.
        if "episode" in statement and statement.startswith(("SELECT", "UPDATE")):
            statements.setdefault(statement, parameters)

    event.listen(store.engine, "before_cursor_execute", record)
    try:
        yield statements
    finally:
        event.remove(store.engine, "before_cursor_execute", record)


def find_table_scans(store: Store, statements: dict[str, Any]) -> list[str]:
    """Those whose plan reads the table of episodes whole."""
    with store.engine.begin() as db:
        db.execute(text("ANALYZE episode"))
        return [
            " ".join(statement.split())
            for statement, parameters in list(statements.items())
            if any(
                "Seq Scan on episode" in line
                for line in db.exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars()
            )
        ]
