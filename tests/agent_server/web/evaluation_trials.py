"""Evaluations whose trials end as a test says, without a worker."""

from __future__ import annotations

from collections.abc import Sequence

from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from envs.contract.actions import ActionError, ActionResult, Navigate
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict

OWNER = "test"
REFUSED = ActionResult.failure(ActionError.NOT_FOUND, "there is no Cart")


def end_trials(settings: Settings, evaluation_id: str, solved: Sequence[bool]) -> list[str]:
    """Ends as many trials as there are values, by task, policy and number; those that are not
    solved run out of steps, and their only action fails. Returns their episodes."""
    with Store.open(settings) as store:
        rows = store.episodes.page(run_id=evaluation_id, limit=200).episodes
        by_slot = sorted(rows, key=lambda row: (row.task["id"], row.policy, row.slot))
        waiting = [row.id for row in by_slot if row.finished_at is None]
        for episode_id, is_solved in zip(waiting, solved, strict=False):
            assert store.episodes.lease(episode_id, OWNER) is not None
            reason = EndReason.DONE if is_solved else EndReason.STEP_LIMIT
            status = Status.SCORED if is_solved else Status.TRUNCATED
            verdict = Verdict(score=float(is_solved))
            result = EpisodeResult(status, reason, verdict=verdict, steps=1)
            with Recorder(Artifacts(settings.artifacts), episode_id) as recorder:
                recorder.record_step(
                    Step(
                        index=0,
                        prompt="",
                        completion=Completion(text="x"),
                        action=Navigate(url="http://shop.test/"),
                        result=ActionResult.success() if is_solved else REFUSED,
                    )
                )
                recorder.finish(result, {})
            assert store.episodes.finish(episode_id, OWNER, result)
    return waiting[: len(solved)]
