"""Where files are judged, and the refusal where they cannot be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.outside.judge_place import SETTING, JudgePlace, judge_place

JUDGED = """
import asyncio
from pathlib import Path
from envs.contract.outcomes import EpisodeFault
from envs.osworld.outside.judge import judge
from envs.state.evidence import Measure, pack_value
zone = Measure(func="is_utc_0", result=pack_value("Time zone: Etc/UTC (UTC, +0000)"))
try:
    print(asyncio.run(judge([zone], Path("/"))))
except EpisodeFault as fault:
    print(fault)
"""


def test_the_setting_names_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    assert judge_place() == JudgePlace(in_box=True)
    places = {
        "none": JudgePlace(),
        "unix:/a/b": JudgePlace(socket=Path("/a/b")),
        "bubblewrap": JudgePlace(in_box=True),
    }
    for value, place in places.items():
        monkeypatch.setenv(SETTING, value)
        assert judge_place() == place
    monkeypatch.setenv(SETTING, "docker")
    with pytest.raises(EpisodeFault, match=f"{SETTING}='docker'.*bubblewrap, unix:PATH") as fault:
        judge_place()
    assert fault.value.reason is InvalidReason.UNRUNNABLE


def run_without_bubblewrap(script: str, tmp_path: Path, **environ: str) -> str:
    """Output of a Python program on whose PATH there is no bwrap."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PATH": str(tmp_path), **environ},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout


def test_nothing_is_judged_unboxed_unless_the_operator_says_so(tmp_path: Path) -> None:
    refusal = run_without_bubblewrap(JUDGED, tmp_path)
    assert refusal.startswith("unrunnable: bubblewrap makes no boxes here")
    assert f"{SETTING}=none" in refusal
    assert run_without_bubblewrap(JUDGED, tmp_path, **{SETTING: "none"}) == "[1.0]\n"


def test_a_worker_of_desktops_does_not_start_without_a_judge(tmp_path: Path) -> None:
    start = "import agent_server.worker.celery_app; print('started')"
    environ = {"DESKHAND_RUN_DIR": str(tmp_path)}
    assert run_without_bubblewrap(start, tmp_path, **environ) == "started\n"
    environ["DESKHAND_DESKTOP_URLS"] = "http://127.0.0.1:1"
    refusal = run_without_bubblewrap(start, tmp_path, **environ)
    assert refusal.startswith("the worker cannot start: bubblewrap makes no boxes here")
    environ[SETTING] = "unix:/run/judge/judge.sock"
    assert run_without_bubblewrap(start, tmp_path, **environ) == "started\n"
