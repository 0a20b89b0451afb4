"""Low-rank adapters: y = W x + (alpha / rank) B A x, with W frozen (Hu et al. 2021,
arXiv:2106.09685).

Guarantees: an adapter starts as nothing (B = 0), so version 0 is the model as it came; matrices,
names and adapter_config.json are those of peft, which vLLM and others read; only layers of the
language model are adapted, never a vision tower.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from pydantic import BaseModel, ConfigDict, Field
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from agent_server.policy.manifest import ADAPTER_CONFIG, ADAPTER_WEIGHTS
from trainer.sharded_tensors import gather_whole

PREFIX = "base_model.model."
"""Before the name of a module in peft's files."""


class LoraConfig(BaseModel):
    """Which layers get an adapter, and of which size."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rank: int = Field(0, ge=0, le=512, description="width of the adapters; 0: train all weights")
    alpha: float = Field(32.0, gt=0, description="an adapter's product is scaled by alpha / rank")
    targets: tuple[str, ...] = Field(
        ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
        min_length=1,
        description="last names of the linear layers that get one",
    )


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter as peft stores it: matrices by name, and the content of adapter_config.json."""

    tensors: dict[str, Tensor]
    settings: dict[str, Any]

    def write(self, folder: Path, base: Path | None = None) -> None:
        """Writes both files into the folder; `base` is named as what the adapter belongs to."""
        named = None if base is None else str(base)
        settings = self.settings | {"base_model_name_or_path": named}
        save_file(self.tensors, folder / ADAPTER_WEIGHTS, metadata={"format": "pt"})
        (folder / ADAPTER_CONFIG).write_text(json.dumps(settings, indent=2))


class LoraLinear(nn.Module):
    """A linear layer that is frozen, and its adapter."""

    def __init__(self, base: nn.Linear, config: LoraConfig, generator: torch.Generator) -> None:
        super().__init__()
        self.base = base
        self.scale = config.alpha / config.rank
        bound = 1 / math.sqrt(base.in_features)
        lora_a_AI = torch.empty(config.rank, base.in_features).uniform_(
            -bound, bound, generator=generator
        )
        self.lora_A = nn.Parameter(lora_a_AI.to(base.weight.device))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, config.rank).to(lora_a_AI.device))

    def forward(self, x_BTI: Tensor) -> Tensor:
        """The layer's output with the adapter's."""
        low_BTO: Tensor = F.linear(F.linear(x_BTI, self.lora_A), self.lora_B)
        out_BTO: Tensor = self.base(x_BTI)
        return out_BTO + low_BTO * self.scale


def attach_adapters(model: Any, config: LoraConfig, seed: int) -> None:
    """Freezes the model, rounded to what is served, and adds an adapter to each target.

    Raises ValueError where the language model has no such layer."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in model.parameters():
        # The base is published in bf16: a learner that resumes from there computes the same.
        parameter.data = parameter.data.to(torch.bfloat16).to(parameter.dtype)
        parameter.requires_grad_(False)
    decoder = set(model.get_decoder().modules())
    chosen = [
        (name, module)
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear)
        and module in decoder
        and name.rpartition(".")[2] in config.targets
    ]
    if not chosen:
        raise ValueError(
            f"{type(model).__name__} has none of the layers {', '.join(config.targets)}: "
            "name its linear layers in learner.lora.targets"
        )
    for name, module in chosen:
        parent, _, leaf = name.rpartition(".")
        setattr(model.get_submodule(parent), leaf, LoraLinear(module, config, generator))


def adapted_layers(model: nn.Module) -> Iterator[tuple[str, LoraLinear]]:
    """Adapted layers by the names that they have in the base."""
    for name, module in model.named_modules():
        if isinstance(module, LoraLinear):
            yield name, module


def make_adapter(model: nn.Module, config: LoraConfig) -> Adapter:
    """The model's adapters in bf16 on the CPU; of a sharded model, all processes make it."""
    tensors = {}
    targets = set()
    for name, layer in adapted_layers(model):
        targets.add(name.rpartition(".")[2])
        for part, matrix in (("A", layer.lora_A), ("B", layer.lora_B)):
            whole = gather_whole(matrix.detach())
            value = whole.to("cpu", torch.bfloat16, copy=True).contiguous()
            tensors[f"{PREFIX}{name}.lora_{part}.weight"] = value
    settings = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "r": config.rank,
        "lora_alpha": config.alpha,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": sorted(targets),
        "inference_mode": True,
    }
    return Adapter(tensors, settings)


@torch.no_grad()
def merged_weights(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """The weights of the model without adapters by name, with the adapters' products added to what
    they adapt; of a sharded model, all processes go through them, and each is gathered when its
    turn comes."""
    layers = dict(adapted_layers(model))
    for name, value in model.state_dict().items():
        module, _, part = name.rpartition(".")
        if module in layers:  # a matrix of the adapter
            continue
        whole = gather_whole(value)
        layer = layers.get(module.removesuffix(".base"))
        if layer is None:
            yield name, whole
            continue
        if part == "weight":
            low_b, low_a = (gather_whole(low).float() for low in (layer.lora_B, layer.lora_A))
            whole = whole.float() + low_b @ low_a * layer.scale
        yield f"{module.removesuffix('.base')}.{part}", whole


def merge_adapter(adapter: Path, base: Path, to: Path) -> None:
    """Writes the base's weights with an adapter's products added; shards and names stay. Raises
    FileExistsError where the folder has a model."""
    if (to / "config.json").exists():
        raise FileExistsError(f"{to} has a model already; name another folder")
    settings = json.loads((adapter / ADAPTER_CONFIG).read_bytes())
    scale = float(settings["lora_alpha"]) / int(settings["r"])
    matrices = load_file(adapter / ADAPTER_WEIGHTS)
    to.mkdir(parents=True, exist_ok=True)
    for file in sorted(base.iterdir()):
        if file.name in ("manifest.json", "prompt.json") or not file.is_file():
            continue
        if file.suffix != ".safetensors":
            (to / file.name).write_bytes(file.read_bytes())
            continue
        weights = load_file(file)
        for name, weight in weights.items():
            module = PREFIX + name.removesuffix(".weight")
            low = matrices.get(f"{module}.lora_A.weight")
            if low is not None:
                product = matrices[f"{module}.lora_B.weight"].float() @ low.float() * scale
                weights[name] = (weight.float() + product).to(weight.dtype)
        save_file(weights, to / file.name, metadata={"format": "pt"})
