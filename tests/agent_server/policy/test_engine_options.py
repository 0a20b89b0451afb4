"""What a run's configuration says of the policy server is in its command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from agent_server.policy.engine import VllmEngine
from agent_server.policy.engine_options import EngineOptions
from trainer.config import TrainConfig


def test_defaults_leave_the_model_whole_and_on_one_device() -> None:
    assert EngineOptions().arguments() == ["--gpu-memory-utilization", "0.9"]


def test_memory_parallelism_and_precision_of_a_run_reach_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKHAND_VLLM_PYTHON", str(tmp_path))
    own = {"gpu_memory": 0.5, "cache_gib": 4, "tensor_parallel": 2, "quantization": "fp8"}
    config = TrainConfig.model_validate({"serve": {"engine": own}, "model": {"max_model_len": 512}})
    engine = VllmEngine(
        tmp_path,
        8123,
        max_model_len=config.model.max_model_len,
        options=config.serve.engine,
    )
    command = " ".join(engine.command())
    assert "--max-model-len 512 " in command
    assert "--gpu-memory-utilization 0.5 --tensor-parallel-size 2 --quantization fp8" in command
    assert engine.environment()["VLLM_CPU_KVCACHE_SPACE"] == "4"


@pytest.mark.parametrize(
    "wrong", [{"gpu_memory": 1.5}, {"cache_gib": 0}, {"tensor_parallel": 0}, {"quantization": "q2"}]
)
def test_what_no_server_takes_is_refused_before_anything_starts(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        EngineOptions.model_validate(wrong)
