"""Costs for the model, from a real run with few sessions and from statements on the database.

Processor time goes to what kept the environment busy: reset, steps, verdict and what surrounds
them. Guarantees: nothing of the runs that the model is checked against is in here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.episodes import new_id
from agent_server.store.store import Store
from agent_server.store.tables import Run
from agent_server.store.workers import Offer
from benchmarks.figures import Figure, number, percentiles
from benchmarks.processes import cpu_seconds
from benchmarks.scale_runs import RealRun, make_episodes, make_tasks
from benchmarks.simulation.system import Costs, EpisodeCosts
from envs.contract.outcomes import Status

ALONE = frozenset({"host", "gyms", "worker", "chromium"})
"""Programs that work on one thing at a time; each page has a renderer of its own."""
APART = ("database", "broker", "client")
"""What is no part of a session's machine; the client is this benchmark."""
STATEMENTS = 960
HELD = 32
"""Leases of a worker, renewed in one statement."""
NO_COSTS = Costs(episodes=(), shares={})


def calibrate(runs: Sequence[RealRun], store: Costs = NO_COSTS) -> Costs:
    """Costs of episodes from runs whose sessions hardly met; those of `store` as they are."""
    episodes = [each for run in runs for each in run.episodes]
    costs = tuple(
        EpisodeCosts(
            steps=each.steps,
            reset_s=each.reset_s,
            step_s=each.env_s / max(each.steps, 1),
            evaluate_s=each.evaluate_s,
            around_s=max(
                0.0,
                each.total_s - each.reset_s - each.env_s - each.evaluate_s - each.policy_s,
            ),
        )
        for each in episodes
    )
    busy_s = sum(each.busy_s for each in costs)
    kinds = {kind for run in runs for kind in run.cpu_s} - set(APART)
    shares = {
        kind: sum(run.cpu_s.get(kind, 0.0) for run in runs) / busy_s for kind in sorted(kinds)
    }
    return replace(store, episodes=costs, shares=shares, alone=ALONE & kinds)


def calibrate_store(settings: Settings) -> Costs:
    """Processor seconds of PostgreSQL, Redis and the sender, by what is asked of them."""
    with Store.open(settings) as store, contextlib.closing(Broker(settings)) as broker:
        store.runs.create(Run(id="calibration", kind="serve"))
        episodes = make_episodes(make_tasks(STATEMENTS), "calibration")
        ids, owner = [each.id for each in episodes], new_id("w")
        dispatcher = Dispatcher(store, broker)

        def dispatch() -> None:
            for first in range(0, STATEMENTS, 2 * HELD):
                dispatcher.dispatch(episodes[first : first + 2 * HELD])

        def lease() -> None:
            for key in ids:
                store.episodes.lease_first(key, owner)

        def beat() -> None:
            for first in range(0, STATEMENTS, HELD):
                store.episodes.renew(ids[first : first + HELD], owner)
                store.workers.report(owner, Offer(("browser",), ("live",), HELD), None)

        def finish() -> None:
            for key in ids:
                store.episodes.finish(key, owner, EpisodeResult(Status.CANCELLED))

        sent, leased = _spend(dispatch), _spend(lease)
        renewed, ended = _spend(beat), _spend(finish)
    database = [spent.get("database", 0.0) for spent in (sent, leased, ended)]
    return replace(
        NO_COSTS,
        database_s=sum(database) / STATEMENTS,
        # A message is sent and taken once.
        broker_s=2 * sent.get("broker", 0.0) / STATEMENTS,
        beat_s=renewed.get("database", 0.0) / (STATEMENTS / HELD),
        dispatch_s=sent.get("client", 0.0) / STATEMENTS,
    )


def describe_costs(costs: Costs) -> dict[str, Figure]:
    """What the model was told, for its readers."""
    figures = {
        "scale.costs.reset_ms": percentiles([1000 * c.reset_s for c in costs.episodes], "ms"),
        "scale.costs.step_ms": percentiles([1000 * c.step_s for c in costs.episodes], "ms"),
        "scale.costs.evaluate_ms": percentiles([1000 * c.evaluate_s for c in costs.episodes], "ms"),
        "scale.costs.around_ms": percentiles([1000 * c.around_s for c in costs.episodes], "ms"),
        "scale.costs.steps": percentiles([c.steps for c in costs.episodes], "steps"),
        "scale.costs.database_ms": number(1000 * costs.database_s, "ms an episode"),
        "scale.costs.broker_ms": number(1000 * costs.broker_s, "ms an episode"),
        "scale.costs.dispatch_ms": number(1000 * costs.dispatch_s, "ms an episode"),
        "scale.costs.beat_ms": number(1000 * costs.beat_s, "ms a heartbeat"),
    }
    return figures | {
        f"scale.costs.share.{kind}": number(share, "of an environment's time")
        for kind, share in costs.shares.items()
    }


def _spend(work: Callable[[], None]) -> dict[str, float]:
    """Processor seconds by kind of process."""
    before = cpu_seconds()
    work()
    return {kind: spent - before.get(kind, 0.0) for kind, spent in cpu_seconds().items()}
