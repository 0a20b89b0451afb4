"""The start of the policy server: each of its processes may use AMX where the processor has it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from agent_server.policy.engine import INSIDE_FOLDER

SERVER = """
import ctypes
import multiprocessing

ARCH_GET_XCOMP_SUPP, ARCH_GET_XCOMP_PERM = 0x1021, 0x1022


def amx_bit(option: int) -> bool:
    bits = ctypes.c_ulonglong(0)
    ctypes.CDLL(None).syscall(158, option, ctypes.byref(bits))
    return bool(bits.value >> 18 & 1)


def report(queue) -> None:
    queue.put([amx_bit(ARCH_GET_XCOMP_SUPP), amx_bit(ARCH_GET_XCOMP_PERM)])


if __name__ == "__main__":
    from vllm.entrypoints.openai.api_server import report as report_of_child

    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(target=report_of_child, args=(queue,))
    child.start()
    print("child", *queue.get(timeout=60))
    child.join()
    print("server", amx_bit(ARCH_GET_XCOMP_SUPP), amx_bit(ARCH_GET_XCOMP_PERM))
"""


def test_server_and_spawned_processes_may_use_amx_where_the_processor_has_it(
    tmp_path: Path,
) -> None:
    package = tmp_path / "vllm" / "entrypoints" / "openai"
    package.mkdir(parents=True)
    (package / "api_server.py").write_text(SERVER)
    done = subprocess.run(
        [sys.executable, "-m", "policy_server"],
        env={**os.environ, "PYTHONPATH": f"{INSIDE_FOLDER}:{tmp_path}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        process, is_supported, is_permitted = line.split()
        assert is_permitted == is_supported, process
    assert len(done.stdout.splitlines()) == 2
