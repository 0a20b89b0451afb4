"""What a model's folder is, what of it can be trained and served here, and the memory that takes.

Reads configs and headers of weight files only: nothing is loaded, so a 9-billion-parameter model is
checked in an instant. Every obstacle is one sentence (`ModelUnusable`, or `ModelReport.problems`).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_server.policy.engine_options import ON_ONE_DEVICE, EngineOptions
from trainer.learner_config import LearnerConfig
from trainer.memory_plan import (
    MAIN_MEMORY,
    Memory,
    MemoryPlan,
    cheaper_settings,
    learner_memory,
    main_memory,
    plan_memory,
    server_memory,
    why_too_little,
)

SEEING_FAMILIES = ("qwen2_5_vl", "qwen3_vl", "glm4v")
"""Model types with a vision tower whose packed forward is compared with transformers' own."""
ADAPTER_CONFIG = "adapter_config.json"
_LORA_PREFIX = "base_model.model."


class ModelUnusable(ValueError):
    """A folder that is no model, or one that nothing here can use; the message is one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReport:
    """`memory` is an estimate, the two below it are what there is; `problems` says what is not
    supported, and why."""

    folder: Path
    family: str
    architecture: str
    parameters: int
    is_tied: bool
    sees: bool
    max_positions: int | None
    """longest prompt and answer, tokens; None where the config does not say"""
    memory: MemoryPlan
    learner_memory: Memory
    server_memory: Memory | None
    """None where the policy server runs elsewhere"""
    main_memory: Memory
    problems: list[str] = field(default_factory=list)


def check_model(
    folder: Path,
    base: Path | None = None,
    learner: LearnerConfig | None = None,
    engine: EngineOptions = ON_ONE_DEVICE,
    *,
    needs_reference: bool = True,
    serves: bool = True,
    available: int | None = None,
) -> ModelReport:
    """Raises ModelUnusable. `base`: of an adapter. `needs_reference`: whether the run keeps weights
    to pull towards. `serves`: whether the policy server runs on this machine, too. `available`:
    bytes of main memory instead of this machine's, for all of them."""
    if (folder / ADAPTER_CONFIG).is_file():
        base = _find_base(folder, base)
        check_adapter(folder, base)
        folder = base
    learner = learner or LearnerConfig()
    config = _read_config(folder)
    family, architecture = str(config.get("model_type")), _architecture(folder, config)
    shapes = read_shapes(folder)
    text = config.get("text_config", config)
    is_tied = bool(config.get("tie_word_embeddings", text.get("tie_word_embeddings", False)))
    sees = "vision_config" in config
    fixed = None if available is None else Memory(MAIN_MEMORY, available, available)
    own, served = fixed or learner_memory(learner), fixed or server_memory()
    main = fixed or main_memory()
    report = ModelReport(
        folder=folder,
        family=family,
        architecture=architecture,
        parameters=sum(math.prod(shape) for shape in shapes.values()),
        is_tied=is_tied,
        sees=sees,
        max_positions=text.get("max_position_embeddings"),
        memory=plan_memory(shapes, text, is_tied, learner, engine, needs_reference),
        learner_memory=own,
        server_memory=served if serves else None,
        main_memory=main,
    )
    if sees and family not in SEEING_FAMILIES:
        report.problems.append(
            f"{architecture} reads pictures in a way that the learner does not train; it trains "
            f"{', '.join(SEEING_FAMILIES)}"
        )
    reason = why_too_little(report.memory, engine, own, report.server_memory, main)
    if reason is not None:
        way_out = "take a smaller model or a larger machine"
        for flags, settings in cheaper_settings(learner):
            plan = plan_memory(shapes, text, is_tied, settings, engine, needs_reference)
            if why_too_little(plan, engine, own, report.server_memory, main) is None:
                way_out = f"it would do with {flags}"
                break
        report.problems.append(f"{reason}; {way_out}")
    return report


def read_shapes(folder: Path) -> dict[str, tuple[int, ...]]:
    """Shapes of all weights by name. Raises ModelUnusable without weights or with damaged ones."""
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelUnusable(
            f"{folder} has no *.safetensors: download the weights, not the configuration alone"
        )
    shapes: dict[str, tuple[int, ...]] = {}
    for file in files:
        for name, entry in _read_header(file).items():
            if name != "__metadata__":
                shapes[name] = tuple(entry["shape"])
    return shapes


def check_adapter(folder: Path, base: Path) -> None:
    """Raises ModelUnusable for an adapter whose matrices do not fit the base's: loaded all the
    same, it would do nothing, or fail while requests wait."""
    targets = read_shapes(base)
    for name, shape in read_shapes(folder).items():
        module, _, part = name.removeprefix(_LORA_PREFIX).partition(".lora_")
        weight = targets.get(f"{module}.weight")
        if not part or part[0] not in "AB":
            raise ModelUnusable(f"{folder} holds {name}, which is not a LoRA matrix")
        fits = weight is not None and shape[part[0] == "A"] == weight[part[0] == "A"]
        if not fits:
            raise ModelUnusable(
                f"{folder} is an adapter of another base: {module} is "
                f"{'not in' if weight is None else 'of another shape in'} {base}"
            )


def _find_base(folder: Path, base: Path | None) -> Path:
    if base is not None:
        return base
    named = _read_json(folder / ADAPTER_CONFIG).get("base_model_name_or_path")
    if not named or not Path(named).is_dir():
        raise ModelUnusable(
            f"{folder} is an adapter of {named or 'a base that it does not name'}, which is not a "
            "folder here: name the base's folder with --base"
        )
    return Path(named)


def _read_config(folder: Path) -> dict[str, Any]:
    if not (folder / "config.json").is_file():
        raise ModelUnusable(f"{folder} has no config.json: name the folder of a model")
    return _read_json(folder / "config.json")


def _read_json(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_bytes())
    except ValueError as error:
        raise ModelUnusable(f"{file} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ModelUnusable(f"{file} is not a JSON object")
    return value


def _read_header(file: Path) -> dict[str, Any]:
    """The JSON header of a safetensors file: eight bytes of length, then the header."""
    try:
        with file.open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            if not 0 < size <= file.stat().st_size - 8:
                raise ModelUnusable(f"{file} is truncated, or a pointer of Git LFS")
            header = json.loads(stream.read(size))
    except ValueError as error:
        if isinstance(error, ModelUnusable):
            raise
        raise ModelUnusable(f"{file} is damaged: {error}") from error
    if not isinstance(header, dict):
        raise ModelUnusable(f"{file} is damaged: its header is not a JSON object")
    return header


def _architecture(folder: Path, config: dict[str, Any]) -> str:
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
    )

    family = str(config.get("model_type", "none"))
    mappings = (MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES, MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
    known = {name for mapping in mappings if (name := mapping.get(family))}
    architecture = next(iter(config.get("architectures") or ()), None)
    if architecture not in known:
        raise ModelUnusable(
            f"{folder} has the unknown architecture {architecture or 'none'} "
            f"(model_type {family}): the installed transformers has no model that "
            "writes text for it"
        )
    return str(architecture)
