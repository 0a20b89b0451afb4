"""What an episode that is no success earns: milestones in order, less where harm was done."""

from __future__ import annotations

from collections.abc import Mapping

from envs.verify.expect import Findings

PARTIAL = 0.6
"""Most that milestones can earn without success."""
WRONG_CAP = 0.3
"""Most when a required change was made with another value."""
HARM_CAP = 0.1
"""Most when something was changed that nobody asked for."""


def partial_score(reached: Mapping[str, bool], findings: Findings) -> float:
    """`PARTIAL` times the share of milestones reached before the first one that was not, capped."""
    count = 0
    for done in reached.values():
        if not done:
            break
        count += 1
    score = PARTIAL * count / len(reached)
    if findings.forbidden:
        return min(score, HARM_CAP)
    return min(score, WRONG_CAP) if findings.wrong else score
