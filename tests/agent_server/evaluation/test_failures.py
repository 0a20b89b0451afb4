from __future__ import annotations

from typing import Any

import pytest

from agent_server.evaluation.failures import clusters, reason_of
from agent_server.evaluation.results import Trial


def trial(name: str = "t", outcome: str = "done", **more: Any) -> Trial:
    return Trial("p", name, more.pop("domain", "d"), 0, outcome, **({"score": 0.0} | more))


@pytest.mark.parametrize(
    ("failed", "reason"),
    [
        (trial(), "said done, and it was not"),
        (trial(score=0.5), "said done, and it was not; was right in part"),
        (trial(outcome="step_limit"), "ran out of steps"),
        (trial(outcome="infeasible"), "said that it cannot be done"),
        (
            trial(milestones={"found": True, "paid": False, "sent": False}, score=0.5),
            "said done, and it was not; did not reach 'paid'",
        ),
        (
            trial(outcome="loop", steps=4, errors=("stale_ref", "not_found", "stale_ref")),
            "did the same over and over; most actions failed: stale_ref",
        ),
        (trial(outcome="loop", steps=9, errors=("stale_ref",)), "did the same over and over"),
        (trial(outcome="lost: reset", score=None), "lost: reset"),
        (trial(outcome="not run yet", score=None), "not run yet"),
    ],
)
def test_a_reason_is_one_phrase(failed: Trial, reason: str) -> None:
    assert reason_of(failed) == reason


def test_alike_failures_are_put_together_the_largest_cluster_first() -> None:
    found = clusters(
        [
            trial("a", "loop"),
            trial("b", domain="x"),
            trial("c", success=True, score=1.0),
            trial("e", domain="y"),
            trial("f", domain="y"),
        ]
    )
    assert [cluster.reason for cluster in found] == [
        "said done, and it was not",
        "did the same over and over",
    ]
    assert [one.task_id for one in found[0].trials] == ["b", "e", "f"]
    assert found[0].domains == {"y": 2, "x": 1}
