"""A job with `until_width` runs as many trials of each task as its interval needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent_server.evaluation.figures.statistics import wilson
from agent_server.evaluation.figures.summary import summarize
from agent_server.evaluation.job.plan import EvalSpec, Evaluation
from agent_server.evaluation.job.results import read_trials
from agent_server.evaluation.job.runner import Job
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.store import Store
from tests.agent_server.evaluation.recorded_evaluation import End, record, task


@contextmanager
def job_of(folder: Path, width: float) -> Iterator[tuple[Job, Store]]:
    """A job of four tasks, each solved in its first trial."""
    spec = EvalSpec(policy="oracle", trials=5, until_width=width)
    tasks = [("d", task(name)) for name in "abcd"]
    ends = {("oracle", name, 0): End() for name in "abcd"}
    evaluation = record(folder, spec, tasks, ends)
    settings = Settings(run_dir=folder)
    with Store.open(settings) as store:
        dispatcher = Dispatcher(store, Broker(settings))
        yield (
            Job(
                evaluation,
                {planned.id: planned for _, planned in tasks},
                dispatcher,
                folder,
                wilson,
            ),
            store,
        )
        dispatcher.broker.close()


def test_a_job_stops_when_the_interval_is_narrow_enough(tmp_path: Path) -> None:
    """4 of 4: Wilson's interval is 0.51 to 1, so 0.49 wide."""
    with job_of(tmp_path / "job", 0.5) as (job, store):
        assert not job.next_stage(store.episodes.members(job.evaluation.run_id))
    stopped = Evaluation.read(tmp_path / "job")
    assert stopped.spec.trials == 1
    trials = read_trials(tmp_path / "job", stopped)
    assert summarize(stopped, trials).complete


def test_a_wide_interval_asks_for_another_trial_of_each_task(tmp_path: Path) -> None:
    with job_of(tmp_path / "job", 0.3) as (job, store):
        assert job.next_stage(store.episodes.members(job.evaluation.run_id))
        members = store.episodes.members(job.evaluation.run_id).values()
        assert Counter(member.state for member in members) == {"arrived": 4, "open": 4}
    assert Evaluation.read(tmp_path / "job").spec.trials == 5
