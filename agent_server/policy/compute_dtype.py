"""Which dtype this machine computes in: bfloat16 where its processor multiplies it, else float32.

A processor that does not, emulates it: on one with AVX2 alone a product in bfloat16 took 46 times
as long as in float32. Weights are published in bfloat16 everywhere.
"""

from __future__ import annotations

from pathlib import Path

BF16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16", "svebf16"})
"""Of /proc/cpuinfo, on x86 and Arm."""
CPU_INFO = Path("/proc/cpuinfo")
GPU_CONTROL = Path("/dev/nvidiactl")
"""There where a policy server computes on a GPU."""


def server_dtype() -> str:
    """What a policy server on this machine computes in, as vm_images/policy/start.sh decides it."""
    return "bfloat16" if GPU_CONTROL.exists() else cpu_dtype()


def cpu_dtype(cpu_info: Path = CPU_INFO) -> str:
    """float32 or bfloat16; bfloat16 where the system does not say what the processor can do."""
    try:
        lines = cpu_info.read_text().splitlines()
    except OSError:
        return "bfloat16"
    flags = {
        flag
        for line in lines
        if line.lower().startswith(("flags", "features"))
        for flag in line.partition(":")[2].split()
    }
    return "bfloat16" if not flags or flags & BF16_FLAGS else "float32"
