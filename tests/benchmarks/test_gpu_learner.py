"""The measurement of a learner runs whole with a tiny model on a CPU."""

from __future__ import annotations

from benchmarks.gpu_learner import LearnerPart, measure_learner


def test_a_tiny_learner_has_all_figures() -> None:
    part = LearnerPart(
        size="tiny", micro_tokens=4096, step_tokens=3000, steps=1, compile=False, parity=True
    )
    lines: list[str] = []
    figures = measure_learner(part, "cpu", lines.append)
    assert figures["tokens_per_s"]["p50"] > 0
    assert figures["mfu"]["p50"] < figures["mfu_6n"]["p50"]
    assert figures["parity_mean"]["p50"] < 0.02
    assert figures["parity_mean"]["n"] > 64
    assert any("step of" in line for line in lines)
