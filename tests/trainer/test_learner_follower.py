"""A follower ends with its leader, also with one that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trainer.tiny_models import make_tiny_model

pytestmark = pytest.mark.e2e

LEADER = """
import sys
from pathlib import Path
from trainer.learner_config import LearnerConfig
from trainer.learner_leader import LeadingBackend
config = LearnerConfig(dtype="float32", processes=2, threads=1)
backend = LeadingBackend(Path(sys.argv[1]), config)
print(backend.followers[0].pid, flush=True)
sys.stdin.read()
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.timeout(180)
def test_a_follower_ends_when_its_leader_is_killed(tmp_path: Path) -> None:
    make_tiny_model("qwen3", tmp_path)
    leader = subprocess.Popen(
        [sys.executable, "-c", LEADER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert leader.stdout is not None
    assert leader.stdin is not None
    follower = int(leader.stdout.readline())
    assert is_running(follower)
    leader.kill()
    leader.wait()
    deadline = time.monotonic() + 60
    while is_running(follower):
        assert time.monotonic() < deadline, "the follower outlives its leader"
        time.sleep(0.1)
    leader.stdin.close()
    leader.stdout.close()
