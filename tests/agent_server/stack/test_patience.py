"""A child that is idle is given up sooner than one that computes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from agent_server.stack.patience import LIMIT, Activity, Patience


def questions_until_exhausted(activities: list[Activity | None]) -> int | None:
    patience = Patience()
    for count, activity in enumerate(activities, 1):
        if patience.is_exhausted(False, activity):
            return count
    return None


def test_a_child_that_computes_is_given_the_whole_time() -> None:
    assert questions_until_exhausted([Activity(float(n)) for n in range(LIMIT)]) == LIMIT


def test_an_idle_child_is_given_up_at_the_third_question() -> None:
    # 1 (nothing to compare with) + 3 + 3 >= 6
    assert questions_until_exhausted([Activity(2.0)] * LIMIT) == 3


def test_a_child_that_waits_for_a_disk_is_not_idle() -> None:
    assert questions_until_exhausted([Activity(2.0, in_disk_wait=True)] * LIMIT) == LIMIT


def test_a_process_that_is_gone_is_not_idle() -> None:
    assert questions_until_exhausted([None] * LIMIT) == LIMIT


def test_an_answer_starts_the_count_again() -> None:
    patience, idle = Patience(), Activity(2.0)
    exhausted = [patience.is_exhausted(answered, idle) for answered in (False, False, True)]
    assert exhausted == [False, False, False]
    # it was idle when it answered as well: 3 + 3
    assert [patience.is_exhausted(False, idle) for _ in range(2)] == [False, True]


def test_a_child_is_given_up_once() -> None:
    patience = Patience()
    given_up = [patience.is_exhausted(False, Activity(float(n))) for n in range(3 * LIMIT)]
    assert given_up.count(True) == 1


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_stopped_process_uses_no_time_and_a_busy_one_does(is_stopped: bool) -> None:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        if is_stopped:
            os.kill(process.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        before = Activity.of(process.pid)
        assert before is not None
        for _ in range(600):
            time.sleep(0.1)
            now = Activity.of(process.pid)
            if now != before or is_stopped:
                break
        assert (now == before) is is_stopped
    finally:
        process.kill()
        process.wait()
    assert Activity.of(process.pid) is None
