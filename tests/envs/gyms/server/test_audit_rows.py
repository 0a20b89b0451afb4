"""What fails in an audit is told in its row, and the audit goes on."""

from __future__ import annotations

import pytest

from envs.gyms.server.audit_rows import Row, record_failure
from envs.gyms.server.gym import OracleLost


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OracleLost("no link 'Next'"), "oracle t@1: no link 'Next'"),
        (KeyError("room_name"), "oracle t@1: KeyError('room_name')"),
        (RuntimeError("generator raised StopIteration"), "oracle t@1: RuntimeError("),
        (IndexError("list index"), "oracle t@1: IndexError("),
    ],
)
def test_an_oracle_that_gets_lost_is_a_failure_of_its_row(error: Exception, text: str) -> None:
    row = Row(gym="mail", template="star", level=1, seeds=1)
    with record_failure(row, "t@1", "oracle"):
        raise error
    assert row.failures[0].startswith(text)
