"""The lines of `deskhand eval judge`; the command is tested with recorded episodes."""

from __future__ import annotations

from agent_server.cli.judge_command import lines_of
from agent_server.evaluation.figures.agreement import measure_agreement


def test_what_is_not_defined_is_said_so() -> None:
    lines = list(lines_of(measure_agreement([(True, True), (True, None)])))
    assert lines[0] == "1 episodes judged by both, 1 without an opinion"
    assert "kappa             not defined" in lines
    assert lines[-2].split() == ["verifier:", "yes", "1", "0"]
