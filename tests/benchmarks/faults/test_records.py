"""Records of episodes as a worker writes them."""

from __future__ import annotations

from pathlib import Path

from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.store.artifacts import Artifacts, Recorder
from benchmarks.faults.records import read_record
from envs.contract.actions import ActionResult
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict


def test_steps_and_the_score_are_read_back(tmp_path: Path) -> None:
    done = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=0.5), steps=1)
    with Recorder(Artifacts(str(tmp_path)), "e1") as recorder:
        answer = Completion(text="click Buy")
        recorder.record_step(
            Step(index=0, prompt="buy", completion=answer, result=ActionResult.success())
        )
        recorder.finish(done, {})
    record = read_record(tmp_path / "episodes", "e1")
    assert record.answers == {"buy": "click Buy"}
    assert [step["index"] for step in record.steps] == [0]
    assert record.summary["score"] == 0.5
