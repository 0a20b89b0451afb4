"""The gap between an evaluation and the use of a policy, by hand and from recorded episodes."""

from __future__ import annotations

from pathlib import Path

from agent_server.episodes.trajectory import Completion, EpisodeResult
from agent_server.evaluation.report.gap import Ended, measure_gap, read_episodes
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from envs.contract.task import Task
from tests.agent_server.policy.test_envelope import ENVELOPE, make_step

WITHIN, LONG = (make_step(0.1),), (make_step(0.1, prompt=11),)
UNSURE = (make_step(0.9),) * 2
STOPPED_TEXT = "infeasible = outside of what this policy was evaluated in: a prompt of 99 tokens"
STOPPED = (
    make_step(0.1),
    make_step(0.1).model_copy(update={"completion": Completion(text=STOPPED_TEXT)}),
)


def test_what_is_within_and_outside_is_counted_apart() -> None:
    episodes: list[Ended] = [
        ("shop/a", True, WITHIN),
        ("shop/a", False, WITHIN),
        ("web", False, LONG),
        ("web", None, UNSURE),
        ("web", False, STOPPED),
    ]
    gap = measure_gap(ENVELOPE.model_copy(update={"templates": ("shop/a",)}), episodes)
    assert (gap.evaluated, gap.success.n, gap.success.rate) == (1.0, 4, 0.25)
    assert (gap.within.n, gap.within.rate) == (2, 0.5)
    assert (gap.outside.n, gap.outside.rate) == (2, 0.0)
    assert (gap.stopped.n, gap.stopped.rate) == (5, 0.6)
    assert gap.causes == {"long prompt": 2, "unsure": 1}
    assert gap.new_templates == ("web",)


def test_nothing_is_no_rate() -> None:
    gap = measure_gap(ENVELOPE, [])
    assert (gap.success.rate, gap.stopped.rate) == (None, None)


def test_episodes_of_a_run_are_read_but_for_those_without_tokens(tmp_path: Path) -> None:
    settings = Settings(run_dir=tmp_path)
    artifacts = Artifacts(settings.artifacts)
    task = Task(id="shop/a@1", instruction="x", gym="shop", template="a").model_dump(mode="json")
    oracle = make_step(0.1).model_copy(update={"completion": Completion(text="click Cart")})
    with Store.open(settings) as store:
        store.runs.create(Run(id="run", kind="eval"))
        for name, step in (("live", WITHIN[0]), ("oracle", oracle)):
            store.episodes.create([Episode(id=name, run_id="run", purpose="eval", task=task)])
            assert store.episodes.lease(name, "worker") is not None
            with Recorder(artifacts, name) as recorder:
                recorder.record_step(step)
            verdict = Verdict(score=1.0)
            result = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=verdict, steps=1)
            store.episodes.finish(name, "worker", result)
    assert read_episodes(tmp_path) == [("shop/a", True, WITHIN)]
