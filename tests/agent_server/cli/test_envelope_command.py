"""The lines of `deskhand eval envelope`."""

from __future__ import annotations

from agent_server.cli.envelope_command import lines_of
from agent_server.evaluation.report.gap import measure_gap
from tests.agent_server.policy.test_envelope import ENVELOPE, make_step


def test_a_gap_is_told_with_its_causes() -> None:
    gap = measure_gap(ENVELOPE, [("web", False, (make_step(0.1, prompt=11),))])
    lines = list(lines_of(gap))
    assert lines[0] == "solved where it was evaluated: 100.0%"
    assert lines[2] == "  within:        no episode"
    assert "  long prompt: 1" in lines
    assert lines[-1] == "not evaluated before: web"
