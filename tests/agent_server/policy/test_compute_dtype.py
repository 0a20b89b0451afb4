"""The dtype follows from what the processor says it multiplies."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.compute_dtype import cpu_dtype


@pytest.mark.parametrize(
    ("content", "dtype"),
    [
        ("processor: 0\nflags\t\t: fpu avx avx2 fma\n", "float32"),
        ("flags\t\t: fpu avx512f avx512_bf16 amx_tile\n", "bfloat16"),
        ("Features\t: fp asimd bf16 i8mm\n", "bfloat16"),
        ("Features\t: fp asimd\n", "float32"),
        ("model name: unknown\n", "bfloat16"),
    ],
)
def test_bfloat16_needs_a_processor_that_multiplies_it(
    tmp_path: Path, content: str, dtype: str
) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text(content)
    assert cpu_dtype(path) == dtype


def test_a_system_that_does_not_say_computes_in_bfloat16(tmp_path: Path) -> None:
    assert cpu_dtype(tmp_path / "missing") == "bfloat16"
