"""A worker starts nothing that it could not finish or record."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from agent_server.episodes.agent import Agent
from agent_server.episodes.compact import CompactAgent
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.queue.reaper import Reaper
from agent_server.settings import Settings
from agent_server.store import engine
from agent_server.store.artifacts import Artifacts
from agent_server.store.episodes import Renewal, new_id
from agent_server.store.queries import Accounting
from agent_server.store.quotas import Quota
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group, Run
from agent_server.store.workers import Offer
from agent_server.worker import runtime as runtimes
from agent_server.worker.runtime import Runtime
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status
from envs.contract.session import Session
from envs.contract.task import Env, Task
from envs.providers.local import local_host
from tasksets.registry import get_gym
from tests.agent_server.toy_env import ToyBackends, ToyPolicy, toy_task
from tests.agent_server.worker_processes import StartWorker


class NoHosts:
    """Backends of a worker whose hosts are gone."""

    async def open(self) -> None: ...

    def offer(self) -> Offer:
        return Offer((), (), 1)

    def session(self, env: Env) -> AbstractAsyncContextManager[Session]:
        raise EpisodeFault(InvalidReason.HOST_START, f"no {env} host")

    def agent(self, name: str, task: Task) -> Agent:
        return CompactAgent(task, ToyPolicy())

    async def close(self) -> None: ...


def run_one(settings: Settings, task: dict[str, object]) -> tuple[object, Episode]:
    with Store.open(settings) as store:
        store.runs.create(Run(id="r", kind="eval"))
        store.episodes.create([Episode(id="e1", run_id="r", purpose="eval", task=task)])
        runtime = Runtime(settings, store, NoHosts())
        runtime.start()
        try:
            result = runtime.run("e1")
            assert runtime.run("unknown") is None
        finally:
            runtime.close()
        row = store.episodes.get("e1")
        assert row is not None
        return result, row


@pytest.mark.parametrize(
    ("task", "detail"),
    [
        ({"id": "t", "instruction": "x"}, "no browser host"),
        ({"id": "t"}, "the task cannot be read"),
    ],
)
def test_a_fault_ends_the_attempt_as_invalid(
    tmp_path: Path, task: dict[str, object], detail: str
) -> None:
    _, row = run_one(Settings(run_dir=tmp_path), task)
    assert (row.status, row.score) == (Status.INVALID, None)
    assert detail in (row.detail or "")


def test_without_room_on_the_disk_an_episode_stays_queued(tmp_path: Path) -> None:
    settings = Settings(run_dir=tmp_path, min_free_mb=2**40)
    result, row = run_one(settings, {"id": "t", "instruction": "x"})
    assert result is None
    assert row.status is Status.QUEUED


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    with Store.open(settings) as store:
        store.runs.create(Run(id="run", kind="train"))
        broker = Broker(settings)
        yield Dispatcher(store, broker)
        broker.close()


def toy_episode(slot: int = 0, group: str | None = None, **params: Any) -> Episode:
    task = toy_task(**params).model_dump(mode="json")
    return Episode(id=new_id(), run_id="run", purpose="train", task=task, slot=slot, group_id=group)


def wait_until(condition: Callable[[], bool], timeout_s: float = 60) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def start_real_worker(settings: Settings, log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "agent_server.worker"],
            env={**os.environ, **settings.to_env()},
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def test_episodes_come_back_scored_with_their_trajectories(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    start_worker(settings)
    ids = dispatcher.dispatch([toy_episode(target=n % 3 + 1) for n in range(40)])
    wait_until(lambda: dispatcher.store.episodes.accounting("run").scored == 40)
    artifacts = Artifacts(settings.artifacts)
    for n, episode_id in enumerate(ids):
        row = dispatcher.store.episodes.get(episode_id)
        assert row is not None
        assert (row.success, row.steps) == (True, n % 3 + 2)
        trajectory = artifacts.read_trajectory(episode_id)
        assert len(trajectory.steps) == row.steps
        assert trajectory.summary["status"] == "scored"


def test_a_second_delivery_runs_nothing_twice(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    ids = dispatcher.dispatch([toy_episode(target=2, delay_s=0.1) for _ in range(10)])
    for _ in range(3):
        dispatcher.send([*ids, "unknown"])
    start_worker(settings)
    wait_until(lambda: dispatcher.store.episodes.accounting("run").is_balanced)
    wait_until(lambda: dispatcher.broker.depth() == 0)
    assert dispatcher.store.episodes.accounting("run") == Accounting(dispatched=10, scored=10)
    for episode_id in ids:
        assert len(Artifacts(settings.artifacts).read_trajectory(episode_id).steps) == 3


def test_thirty_two_episodes_are_in_flight_at_once(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    start_worker(settings)
    dispatcher.dispatch([toy_episode(target=4, delay_s=0.5) for _ in range(32)])
    wait_until(lambda: dispatcher.store.episodes.accounting("run").running == 32)
    wait_until(lambda: dispatcher.store.episodes.accounting("run").scored == 32)


def test_long_episodes_keep_their_lease(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    """5 s under a lease of 3 s, with the reaper watching."""
    start_worker(settings)
    with Reaper(dispatcher, settings):
        dispatcher.dispatch([toy_episode(target=5, delay_s=1.0)])
        wait_until(lambda: dispatcher.store.episodes.accounting("run").is_balanced)
    assert dispatcher.store.episodes.accounting("run") == Accounting(dispatched=1, scored=1)


def test_kill_9_loses_nothing_and_counts_nothing_twice(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    episodes = dispatcher.store.episodes
    episodes.create_groups(
        [Group(id=f"g{n}", run_id="run", phase="", template="", seed=0, size=8) for n in range(5)]
    )
    rows = [
        toy_episode(slot, f"g{n}", target=5, delay_s=0.2) for n in range(5) for slot in range(8)
    ]
    with Reaper(dispatcher, settings):
        first = start_worker(settings)
        dispatcher.dispatch(rows)
        wait_until(lambda: episodes.accounting("run").running >= 20)
        first.send_signal(signal.SIGKILL)
        first.wait(timeout=10)
        start_worker(settings)
        groups = [f"g{n}" for n in range(5)]
        wait_until(lambda: all(g.complete for g in episodes.group_statuses(groups)))
    counts = episodes.accounting("run")
    assert counts.is_balanced
    assert counts.scored == 40
    assert counts.invalid.keys() == {"worker_lost"}
    assert counts.retried == counts.invalid["worker_lost"] >= 20
    assert all(len(group.arrived) == 8 for group in episodes.group_statuses(groups))


def test_sigterm_hands_running_episodes_back_within_seconds(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    episodes = dispatcher.store.episodes
    worker = start_worker(settings)
    dispatcher.dispatch([toy_episode(target=50, delay_s=1, max_steps=60) for _ in range(4)])
    wait_until(lambda: episodes.accounting("run").running == 4)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=10) == 0
    assert episodes.accounting("run") == Accounting(dispatched=4, invalid={"worker_lost": 4})
    assert len(episodes.retry_due()) == 4


def test_a_worker_that_drains_finishes_what_fits_and_hands_the_rest_back(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    episodes = dispatcher.store.episodes
    worker = start_worker(settings.model_copy(update={"drain_s": 6.0, "concurrency": 2}))
    dispatcher.dispatch(
        [
            toy_episode(target=3, delay_s=1.0),
            toy_episode(target=90, delay_s=1.0, max_steps=100),
            toy_episode(target=1),
        ]
    )
    wait_until(lambda: episodes.accounting("run").running == 2)
    worker.send_signal(signal.SIGTERM)
    told_at = time.monotonic()
    wait_until(lambda: episodes.accounting("run").scored == 1)
    problems = [entry.problem for entry in dispatcher.store.workers.alive()]
    assert problems in ([None], ["it is being stopped"])
    assert worker.wait(timeout=60) == 0
    assert time.monotonic() - told_at > 5
    counts = episodes.accounting("run")
    assert counts == Accounting(dispatched=3, queued=1, scored=1, invalid={"worker_lost": 1})
    with Reaper(dispatcher, settings.model_copy(update={"resend_after_s": 0.5})):
        start_worker(settings)
        wait_until(lambda: episodes.accounting("run").scored == 2)
        wait_until(lambda: episodes.accounting("run").running == 1)


def test_a_worker_without_episodes_does_not_wait(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    worker = start_worker(settings.model_copy(update={"drain_s": 3000.0}))
    # It takes messages: from here on a signal is Celery's.
    dispatcher.dispatch([toy_episode(target=1)])
    wait_until(lambda: dispatcher.store.episodes.accounting("run").scored == 1)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=60) == 0
    assert dispatcher.store.workers.alive() == []


def test_a_cancelled_episode_stops_at_its_next_step(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    episodes = dispatcher.store.episodes
    start_worker(settings)
    (episode_id,) = dispatcher.dispatch([toy_episode(target=90, delay_s=0.2, max_steps=100)])
    wait_until(lambda: episodes.accounting("run").running == 1)
    episodes.cancel([episode_id])
    wait_until(lambda: episodes.accounting("run").cancelled == 1, 10)
    row = episodes.get(episode_id)
    assert row is not None
    assert row.score is None


def test_faults_are_retried_by_their_rule_and_then_given_up(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    """An evaluator_error is retried once, after 0.5 s."""
    start_worker(settings)
    fault = {"at": "evaluate", "reason": "evaluator_error"}
    with Reaper(dispatcher, settings):
        (episode_id,) = dispatcher.dispatch([toy_episode(target=1, fault=fault)])
        wait_until(lambda: dispatcher.store.episodes.accounting("run").retried == 1)
        wait_until(lambda: dispatcher.store.episodes.accounting("run").is_balanced)
    counts = dispatcher.store.episodes.accounting("run")
    assert counts == Accounting(dispatched=2, invalid={"evaluator_error": 2}, retried=1)
    assert [row.status for row in dispatcher.store.episodes.chain(episode_id)] == [
        Status.INVALID,
        Status.INVALID,
    ]


def test_unreadable_tasks_and_messages_do_not_stop_a_worker(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    start_worker(settings)
    broken = toy_episode()
    broken.task = {"nothing": "here"}
    dispatcher.broker._app.send_task("deskhand.episode", ({"wrong": 1},))
    dispatcher.broker._app.send_task("no.such.task", ())
    dispatcher.dispatch([broken, toy_episode()])
    wait_until(lambda: dispatcher.store.episodes.accounting("run").is_balanced)
    counts = dispatcher.store.episodes.accounting("run")
    assert (counts.scored, counts.invalid) == (1, {"unrunnable": 1})


def test_a_full_disk_starts_no_episode_and_loses_none(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker, tmp_path: Path
) -> None:
    full = settings.model_copy(update={"min_free_mb": 10**9})
    worker = start_worker(full)
    dispatcher.dispatch([toy_episode()])
    wait_until(lambda: b"no episode is started" in (tmp_path / "worker-0.log").read_bytes())
    assert dispatcher.store.episodes.accounting("run").queued == 1
    worker.terminate()
    worker.wait(timeout=10)
    start_worker(settings)
    with Reaper(dispatcher, settings):
        wait_until(lambda: dispatcher.store.episodes.accounting("run").scored == 1)


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("DESKHAND_CONCURRENCY", "0", "DESKHAND_CONCURRENCY='0'"),
        ("DESKHAND_DATABASE_URL", "sqlite:////proc/none/x.db", "/proc/none/x.db"),
    ],
)
def test_a_worker_that_cannot_start_says_why_and_fails(
    settings: Settings, variable: str, value: str, says: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agent_server.worker"],
        env={**os.environ, **settings.to_env(), variable: value},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode != 0
    assert "the worker cannot start" in done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.browser
async def test_the_oracle_solves_the_shop_through_a_real_worker(
    dispatcher: Dispatcher, settings: Settings, tmp_path: Path
) -> None:
    gym = get_gym("shop")
    tasks = [gym.make_task(gym.templates[n % len(gym.templates)], n) for n in range(20)]
    rows = [
        Episode(
            id=new_id(), run_id="run", purpose="imitate", policy="oracle", screenshots=n == 0,
            task=task.model_dump(mode="json"),
        )
        for n, task in enumerate(tasks)
    ]  # fmt: skip
    async with local_host(log_dir=tmp_path) as host:
        token = host._client.headers["Authorization"].removeprefix("Bearer ")
        real = settings.model_copy(
            update={"host_urls": (host.base_url,), "host_token": token, "sessions_per_host": 4}
        )
        worker = start_real_worker(real, tmp_path / "worker.log")
        try:
            with Reaper(dispatcher, real):
                ids = dispatcher.dispatch(rows)
                episodes = dispatcher.store.episodes
                await asyncio.to_thread(
                    wait_until,
                    lambda: all((row := episodes.latest(i)) and row.status.has_score for i in ids),
                    120,
                )
        finally:
            worker.terminate()
            worker.wait(timeout=20)
    finished = [episodes.latest(i) for i in ids]
    assert [row.task["template"] for row in finished if row and not row.success] == []
    trajectory = Artifacts(real.artifacts).read_trajectory(finished[0].id)  # type: ignore[union-attr]
    assert trajectory.steps[0].screenshot == "000.jpeg"


def test_a_database_that_is_away_costs_no_verdict(
    dispatcher: Dispatcher, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_S", 0.05)
    monkeypatch.setattr(runtimes, "FINISH_AGAIN_S", 0.05)
    row = toy_episode(delay_s=0.1)
    dispatcher.store.episodes.create([row])
    results: list[object] = []
    with Store.open(settings) as store:
        worker = Runtime(settings, store, ToyBackends())
        worker.start()
        blocker = sqlite3.connect(settings.run_dir / "deskhand.db", isolation_level=None)
        thread = threading.Thread(target=lambda: results.append(worker.run(row.id)))
        try:
            thread.start()
            wait_until(lambda: _status(dispatcher, row.id) is Status.RUNNING)
            blocker.execute("BEGIN IMMEDIATE")
            wait_until(lambda: bool(worker._finishing))
            time.sleep(0.5)  # several tries fail
            blocker.execute("ROLLBACK")
            thread.join(60)
        finally:
            blocker.close()
            worker.close()
    assert _status(dispatcher, row.id) is Status.SCORED
    assert len(results) == 1


def _status(dispatcher: Dispatcher, episode_id: str) -> Status:
    row = dispatcher.store.episodes.get(episode_id)
    assert row is not None
    return row.status


def test_a_heartbeat_outlives_any_exception(
    dispatcher: Dispatcher, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = toy_episode(delay_s=1.0)
    dispatcher.store.episodes.create([row])
    broken = iter([RuntimeError("no listed exception")] * 3)
    renew = dispatcher.store.episodes.renew

    def renew_or_fail(ids: list[str], owner: str) -> Renewal:
        for error in broken:
            raise error
        return renew(ids, owner)

    monkeypatch.setattr(dispatcher.store.episodes, "renew", renew_or_fail)
    fast = settings.model_copy(update={"heartbeat_s": 0.1, "lease_s": 30})
    worker = Runtime(fast, dispatcher.store, ToyBackends())
    worker.start()
    try:
        assert worker.run(row.id) is not None
        assert next(broken, None) is None, "three heartbeats failed, later ones came"
    finally:
        worker.close()


def test_a_worker_whose_loop_hangs_ends_and_its_episodes_run_elsewhere(
    dispatcher: Dispatcher, settings: Settings, start_worker: StartWorker
) -> None:
    hanging = start_worker(settings.model_copy(update={"hang_s": 2}))
    dispatcher.dispatch([toy_episode(block_s=100_000)])
    wait_until(lambda: hanging.poll() is not None)
    assert hanging.returncode == os.EX_SOFTWARE
    later = toy_episode()
    dispatcher.dispatch([later])
    start_worker(settings.model_copy(update={"concurrency": 1}))
    wait_until(lambda: _status(dispatcher, later.id) is Status.SCORED)


def test_a_budget_that_is_used_up_ends_what_runs_and_what_waits(settings: Settings) -> None:
    with Store.open(settings) as store:
        store.runs.create(Run(id="run", kind="serve"))
        store.keys.create("ci", "run", quota=Quota(steps=2))
        task = toy_task(5).model_dump(mode="json")
        for key in ("first", "second"):
            row = Episode(id=key, run_id="run", purpose="eval", task=task, key_name="ci")
            store.episodes.create([row])
        worker = Runtime(settings, store, ToyBackends())
        worker.start()
        try:
            first, second = worker.run("first"), worker.run("second")
        finally:
            worker.close()
        assert first is not None
        assert second is not None
        assert (first.status, first.steps) == (Status.CANCELLED, 2)
        assert (second.status, second.steps) == (Status.CANCELLED, 0)
        assert "the key ci has used 2 of its 2 steps of today" in (second.detail or "")
        row = store.episodes.get("first")
        assert row is not None
        assert (row.status, row.detail) == (Status.CANCELLED, first.detail)
        assert store.quotas.standings(["ci"])["ci"].used["steps"] == 2
