"""How a policy server uses the machine: memory, processors, precision of the weights. From
`[serve.engine]` of a run."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class EngineOptions(BaseModel):
    """Settings of vLLM that depend on the machine and on the model's size."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    gpu_memory: float = Field(
        0.9,
        gt=0,
        le=1,
        description="share of a GPU's memory, weights included; less beside a learner",
    )
    cache_gib: int = Field(
        1, ge=1, description="memory of cached keys and values on a CPU, GiB a server"
    )
    tensor_parallel: int = Field(
        1, ge=1, le=64, description="GPUs, or CPU sockets, that share each layer"
    )
    quantization: Literal["fp8"] | None = Field(
        None,
        description="fp8: weights are made smaller when they are loaded, on GPUs that multiply it. "
        "Logprobs then differ from the learner's; a swap beyond serve.swap_tolerance is rejected",
    )

    def arguments(self) -> list[str]:
        """Of the server's command line."""
        arguments = ["--gpu-memory-utilization", f"{self.gpu_memory:g}"]
        if self.tensor_parallel > 1:
            arguments += ["--tensor-parallel-size", str(self.tensor_parallel)]
        if self.quantization is not None:
            arguments += ["--quantization", self.quantization]
        return arguments


ON_ONE_DEVICE = EngineOptions()
