"""Configurations for published families: their memory plans, and a run of each begins with a tiny
model of its family."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trainer.published_models import write_headers
from trainer.commands import FAMILIES, PRESETS
from trainer.config_file import load_config, to_toml
from trainer.memory_plan import GIB, Memory, why_too_little
from trainer.model_check import check_model
from trainer.model_start import check_start_model
from trainer.task_set import resolve_tasks
from trainer.tiny_models import make_tiny_model

SIZES = {
    "qwen3": ("Qwen3-0.6B", "Qwen3-1.7B", "Qwen3-4B", "Qwen3-8B"),
    "qwen3-vl": ("Qwen3-VL-2B", "Qwen3-VL-4B", "Qwen3-VL-8B"),
    "qwen2.5-vl": ("Qwen2.5-VL-3B", "Qwen2.5-VL-7B"),
    "ui-tars": ("Qwen2.5-VL-7B",),
    "glm-4.1v": ("GLM-4.1V-9B",),
}
TINY = {"qwen3": "qwen3", "ui-tars": "qwen2.5-vl"}
"""The tiny model where it is not called as the configuration."""
NO_PULL = "reinforce.ref_kl=0"
ALL_WEIGHTS = (
    "learner.lora.rank=0",
    "learner.moments=bfloat16",
    "learner.checkpoint_activations=true",
    "serve.engine.gpu_memory=0.2",
)
FIT_WITH = {
    "Qwen3-0.6B": {"all", "no pull"},
    "Qwen3-1.7B": {"all", "no pull"},
    "Qwen3-4B": {"no pull"},
}
"""Columns of all weights that one GPU has room for."""
GPU = Memory("cuda:0", 79 * GIB, 79 * GIB)
"""Of a card that is sold with 80 GB."""


def test_every_file_of_a_family_is_tried() -> None:
    assert {f"{name}.toml" for name in SIZES} == FAMILIES


def plan_line(path: Path, name: str, folder: Path) -> str:
    """A line of the plan at the head of a file."""
    values = []
    columns: dict[str, tuple[str, ...]] = {"adapter": ()}
    if path.stem == "qwen3":
        columns |= {"all": ALL_WEIGHTS, "no pull": (*ALL_WEIGHTS, NO_PULL)}
    for column, overrides in columns.items():
        run = load_config(path, overrides)
        # What a machine without a GPU does not have is not part of the plan.
        report = check_model(
            folder,
            None,
            run.learner_config,
            run.serve.engine,
            needs_reference=run.needs_reference,
            available=0,
        )
        memory = report.memory
        values += [memory.learner] if overrides else [memory.learner, memory.start, memory.server]
        fits = why_too_little(memory, run.serve.engine, GPU, GPU, GPU) is None
        assert fits == (column == "adapter" or column in FIT_WITH.get(name, ()))
    return f"#   {name:<14}" + "".join(f"{value / GIB:>9.1f}" for value in values)


@pytest.mark.parametrize("config", SIZES)
def test_the_plan_at_the_head_is_what_a_check_says(config: str, tmp_path: Path) -> None:
    path = PRESETS / f"{config}.toml"
    head = path.read_text().partition("preset =")[0].splitlines()
    for name in SIZES[config]:
        folder = write_headers(name, tmp_path / name)
        assert plan_line(path, name, folder) in head
    assert len([line for line in head if line.startswith(f"#   {SIZES[config][0][:5]}")]) == len(
        SIZES[config]
    )


@pytest.mark.parametrize("config", SIZES)
def test_a_run_begins_with_a_model_of_the_family(config: str, tmp_path: Path) -> None:
    make_tiny_model(TINY.get(config, config), tmp_path / "model")
    run = load_config(
        PRESETS / f"{config}.toml",
        [
            f"model.path={tmp_path / 'model'}",
            "learner.device=cpu",
            "learner.micro_tokens=2048",
            "model.max_model_len=4096",  # a tiny tokenizer needs more tokens
        ],
    )
    assert run.preset == config
    plan = check_start_model(run, resolve_tasks(run))
    assert plan is not None
    assert plan.startswith("memory: the learner takes about ")
    copy = tmp_path / "copy.toml"
    copy.write_text(to_toml(run))
    assert load_config(copy) == run
