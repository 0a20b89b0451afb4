from __future__ import annotations

import pytest

from agent_server.episodes.result import EpisodeResult
from envs.outcomes import EndReason, InvalidReason, Status
from envs.session import Verdict


@pytest.mark.parametrize(
    ("status", "reason", "verdict"),
    [
        (Status.SCORED, EndReason.DONE, None),
        (Status.TRUNCATED, EndReason.STEP_LIMIT, None),
        (Status.INVALID, InvalidReason.RESET, Verdict(score=0)),
        (Status.CANCELLED, None, Verdict(score=1)),
        (Status.INVALID, EndReason.DONE, None),
        (Status.SCORED, InvalidReason.RESET, Verdict(score=1)),
        (Status.RUNNING, None, None),
    ],
)
def test_a_score_that_was_not_measured_cannot_be_stated(
    status: Status, reason: EndReason | InvalidReason | None, verdict: Verdict | None
) -> None:
    with pytest.raises(ValueError, match="not"):
        EpisodeResult(status, reason, verdict=verdict)
