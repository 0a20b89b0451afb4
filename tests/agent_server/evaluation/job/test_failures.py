from __future__ import annotations

from typing import Any

import pytest

from agent_server.evaluation.job.failures import clusters, reason_of
from agent_server.evaluation.job.results import Trial


def trial(name: str = "t", outcome: str = "done", **more: Any) -> Trial:
    return Trial("p", name, more.pop("domain", "d"), 0, outcome, **({"score": 0.0} | more))


@pytest.mark.parametrize(
    ("failed", "reason"),
    [
        (trial(), "reported done, but the task was not done"),
        (trial(score=0.5), "reported done, but the task was not done; partly correct"),
        (trial(outcome="step_limit"), "ran out of steps"),
        (trial(outcome="infeasible"), "reported the task as infeasible"),
        (
            trial(milestones={"found": True, "paid": False, "sent": False}, score=0.5),
            "reported done, but the task was not done; did not reach 'paid'",
        ),
        (
            trial(outcome="loop", steps=4, errors=("stale_ref", "not_found", "stale_ref")),
            "repeated the same action; most actions failed: stale_ref",
        ),
        (trial(outcome="loop", steps=9, errors=("stale_ref",)), "repeated the same action"),
        (trial(outcome="lost: reset", score=None), "lost: reset"),
        (trial(outcome="not run yet", score=None), "not run yet"),
    ],
)
def test_a_reason_is_one_phrase(failed: Trial, reason: str) -> None:
    assert reason_of(failed) == reason


def test_alike_failures_are_put_together_the_largest_cluster_first() -> None:
    groups = clusters(
        [
            trial("a", "loop"),
            trial("b", domain="x"),
            trial("c", success=True, score=1.0),
            trial("e", domain="y"),
            trial("f", domain="y"),
        ]
    )
    assert [cluster.reason for cluster in groups] == [
        "reported done, but the task was not done",
        "repeated the same action",
    ]
    assert [trial.task_id for trial in groups[0].trials] == ["b", "e", "f"]
    assert groups[0].domains == {"y": 2, "x": 1}
