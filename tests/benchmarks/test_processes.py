"""Processes are told apart by their command lines, and counted with all below them."""

from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest

from benchmarks.processes import classify, cpu_seconds, processes_by_kind, pss_mb


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("python -m envs.gyms.server --port 1", "gyms"),
        ("python -m envs.host --port 1", "host"),
        ("/opt/chromium/chrome --type=renderer", "renderer"),
        ("/opt/chromium/chrome --type=gpu-process", "gpu"),
        ("/opt/chromium/chrome --headless", "chromium"),
        ("sleep 60", None),
    ],
)
def test_a_process_is_known_by_its_command_line(command: str, kind: str | None) -> None:
    assert classify(command) == kind


def test_children_are_counted_beside_the_client() -> None:
    program = "import time; print(sum(range(3_000_000)), flush=True); time.sleep(60)"
    command = [sys.executable, "-c", program]
    before = pss_mb(os.getpid())
    with (
        subprocess.Popen([*command, "envs.host"], stdout=subprocess.PIPE) as child,
        subprocess.Popen(command, stdout=subprocess.PIPE) as stranger,
    ):
        try:
            for process in (child, stranger):
                assert process.stdout is not None
                process.stdout.readline()
            kinds = {process.pid: kind for kind, process in processes_by_kind()}
            assert (kinds[os.getpid()], kinds[child.pid]) == ("client", "host")
            assert stranger.pid not in kinds
            assert cpu_seconds()["client"] > 0
            assert cpu_seconds()["host"] > 0
            assert pss_mb(os.getpid()) > before
        finally:
            child.kill()
            stranger.kill()
    with pytest.raises(psutil.NoSuchProcess):
        pss_mb(child.pid)


def test_a_renderer_that_has_ended_is_still_counted() -> None:
    work = "sum(range(9_000_000))"
    program = f"""import subprocess, sys, time
subprocess.run([sys.executable, "-c", "{work}"], check=True)
print(flush=True)
time.sleep(60)"""
    command = [sys.executable, "-c", program, "--type=zygote"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as zygote:
        try:
            assert zygote.stdout is not None
            zygote.stdout.readline()
            assert cpu_seconds()["renderer"] > 0
        finally:
            zygote.kill()
