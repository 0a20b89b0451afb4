"""A trial with a verdict, or on its way to one, is not submitted again."""

from __future__ import annotations

from pathlib import Path

from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.submission import (
    count_ended,
    create_run,
    submit_missing_trials,
)
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.store import Store
from tests.agent_server.evaluation.recorded_evaluation import plan, task


def test_only_cancelled_trials_are_submitted_a_second_time(tmp_path: Path) -> None:
    settings = Settings(run_dir=tmp_path)
    tasks = {name: task(name) for name in ("a", "b")}
    spec = EvalSpec(policy="oracle", trials=2, max_steps=3)
    evaluation = plan(spec, [("os", chosen) for chosen in tasks.values()])
    with Store.open(settings) as store:
        dispatcher = Dispatcher(store, Broker(settings))
        create_run(evaluation, tasks, store)
        submit_missing_trials(evaluation, tasks, dispatcher)
        submit_missing_trials(evaluation, tasks, dispatcher)
        members = store.episodes.members(evaluation.run_id)
        assert len(members) == dispatcher.broker.depth() == 4
        assert count_ended(members.values()) == 0
        first = next(iter(members.values())).episode_id
        (row,) = store.episodes.get_many([first])
        assert row.task["limits"]["max_steps"] == 3, "the specification's limits"
        store.episodes.cancel([first])
        assert count_ended(store.episodes.members(evaluation.run_id).values()) == 1
        submit_missing_trials(evaluation, tasks, dispatcher)
        assert dispatcher.broker.depth() == 5
