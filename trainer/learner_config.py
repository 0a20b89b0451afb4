"""Settings of the learner: optimiser, batching, and the backend that computes."""

from __future__ import annotations

from typing import Literal

import torch
from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent_server.policy.compute_dtype import cpu_dtype
from trainer.lora import LoraConfig
from trainer.loss_config import LossConfig


class LearnerConfig(BaseModel):
    """Optimiser, batching and compute of the learner."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lr: float = Field(3e-4, gt=0, description="learning rate after warm-up")
    warmup_steps: int = Field(10, ge=0, description="optimiser steps of linear warm-up")
    betas: tuple[float, float] = Field((0.9, 0.95), description="AdamW's moving averages")
    adam_eps: float = Field(1e-8, gt=0, description="AdamW's floor of the step's denominator")
    weight_decay: float = Field(0.01, ge=0, description="on matrices, not on norms")
    moments: Literal["float32", "bfloat16"] = Field(
        "float32",
        description="dtype of AdamW's moments; bfloat16, rounded at random, takes half the memory",
    )
    grad_clip: float = Field(1.0, gt=0, description="largest norm of the gradient")
    minibatches: int = Field(1, ge=1, description="optimiser steps over one batch")
    epochs: int = Field(1, ge=1, description="passes over one batch")
    micro_tokens: int = Field(4096, ge=64, description="inputs of one micro-batch")
    dtype: Literal["auto", "bfloat16", "float32"] = Field(
        "auto",
        description="compute dtype; auto: bfloat16, but float32 on a CPU that does not multiply it",
    )
    device: str = Field("cpu", description="cpu or a CUDA device")
    threads: int = Field(2, ge=1, description="CPU worker threads, one micro-batch each")
    share_prompts: bool = Field(True, description="read a prompt that several samples share once")
    temperature: float = Field(
        1.0, gt=0, description="of the sampler; holds for tokens that it sampled"
    )
    seed: int = Field(0, description="of the shuffle into mini-batches")
    loss: LossConfig = LossConfig()
    backend: Literal["auto", "decoder", "transformers"] = Field(
        "auto",
        description="decoder: the fast one for untied Qwen3; transformers: any causal language "
        "model of the library; auto: the first of them that computes the model",
    )
    lora: LoraConfig = LoraConfig()
    processes: int = Field(
        1,
        ge=1,
        le=64,
        description="processes that the model is sharded over, a GPU each where there are any, on "
        "this machine or as torchrun starts them; computed by transformers",
    )
    offload: bool = Field(
        False, description="with processes > 1: weights, gradients and moments wait in main memory"
    )
    checkpoint_activations: bool = Field(
        False,
        description="transformers backend: compute each layer again in the backward, for less "
        "memory",
    )
    compile: bool = Field(
        False,
        description="transformers backend: compile the layers, a minute once for each process; "
        "worth it on a GPU",
    )

    @model_validator(mode="after")
    def _check_processes(self) -> LearnerConfig:
        alone = {
            "learner.backend = 'decoder'": self.backend == "decoder",
            "learner.compile": self.compile,
        }
        named = [key for key, is_set in alone.items() if is_set]
        if self.processes > 1 and named:
            raise ValueError(f"{named[0]} does not go together with learner.processes > 1")
        if self.offload and self.processes == 1:
            raise ValueError("learner.offload needs learner.processes > 1")
        return self

    @property
    def is_on_cpu(self) -> bool:
        """Whether products run on the processor."""
        return torch.device(self.device).type == "cpu"

    @property
    def lanes(self) -> int:
        """Micro-batches that a device computes at once. Processes share a CPU, one micro-batch
        each; a single process has one for each worker thread."""
        if not self.is_on_cpu:
            return 1
        return self.processes if self.processes > 1 else self.threads

    @property
    def compute_dtype(self) -> torch.dtype:
        """What products run in, on this machine."""
        name: str = self.dtype
        if name == "auto":
            name = cpu_dtype() if self.is_on_cpu else "bfloat16"
        dtype: torch.dtype = getattr(torch, name)
        return dtype
