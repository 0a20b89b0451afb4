"""Starts vLLM's API server with the kernel's leave to use AMX tiles.

Guarantees: the server's processes may use AMX wherever the processor has it. vLLM's attention on
the CPU uses the tiles without asking, and a process that has not asked ends with an illegal
instruction at its first answer. The permission ends with exec, so it is asked for at import:
multiprocessing imports this module again in each process that it spawns.

    python -m policy_server --model DIR ...
"""

from __future__ import annotations

import ctypes
import platform
import runpy

ARCH_PRCTL = 158
ARCH_REQ_XCOMP_PERM = 0x1023
XFEATURE_XTILEDATA = 18


def request_amx() -> bool:
    """Asks Linux for the AMX tile registers; False where processor or kernel has none. Source:
    Documentation/arch/x86/xstate.rst of the kernel."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return False
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    return bool(syscall(ARCH_PRCTL, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0)


request_amx()

if __name__ == "__main__":
    runpy.run_module("vllm.entrypoints.openai.api_server", run_name="__main__")
