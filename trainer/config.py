"""Configuration of a training run: TOML files through pydantic, `--set key=value` on top.

Guarantees: unknown keys are refused with the nearest name; a wrong value names its key; the
defaults are the settings behind the default demo's report.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from trainer.learner import LearnerConfig
from trainer.model import ModelConfig

PhaseKind = Literal["imitate", "reinforce", "pulse"]


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names the key and the way out."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EnvConfig(_Section):
    gym: str = Field("shop", description="gym whose tasks are trained and evaluated")
    templates: tuple[str, ...] = Field((), description="task templates; empty: all of the gym")
    tools: Literal["gui", "api", "both"] = Field("both", description="actions the agent may use")
    tree_chars: int = Field(1600, ge=200, description="budget of a page tree, characters")
    tree_options: int = Field(6, ge=0, description="list drop-downs of at most so many options")


class ServeConfig(_Section):
    workers: int = Field(1, ge=1, description="worker processes")
    hosts: int = Field(1, ge=1, description="env host processes, one Chromium each")
    concurrency: int = Field(16, ge=1, le=256, description="episodes in flight in one worker")
    policy_threads: int = Field(2, ge=1, description="OpenMP threads of the policy server")
    api_port: int | None = Field(None, description="port of the HTTP API; none: a free one")
    swap_tolerance: float = Field(
        0.05, gt=0, description="largest mean |logprob difference| of an accepted swap, nats"
    )


class EvalConfig(_Section):
    episodes: int = Field(210, ge=1, description="held-out episodes after each phase")
    temperature: float = Field(1.0, ge=0, le=2, description="0: greedy; 1: as it is served")


class SamplingConfig(_Section):
    temperature: float = Field(1.0, gt=0, le=2)
    max_tokens: int = Field(48, ge=4, le=1024, description="longest answer of a step, tokens")


class CurriculumConfig(_Section):
    low: float = Field(0.3, ge=0, le=1, description="lower end of the favoured success band")
    high: float = Field(0.7, ge=0, le=1, description="upper end of the favoured success band")
    weight: float = Field(3.0, ge=1, description="weight in the band; outside it is 1")
    memory: float = Field(0.7, gt=0, lt=1, description="how much of the past rate is kept a group")

    @model_validator(mode="after")
    def _ordered(self) -> CurriculumConfig:
        if self.low >= self.high:
            raise ValueError("low must be below high")
        return self


class ImitateConfig(_Section):
    episodes: int = Field(420, ge=1, description="oracle episodes collected")
    updates: int = Field(900, ge=1, description="most optimiser steps")
    max_minutes: float = Field(5.0, gt=0, description="training stops after this")
    batch_steps: int = Field(8, ge=1, description="environment steps in one optimiser step")
    lr: float = Field(1e-3, gt=0)
    warmup_updates: int = Field(30, ge=0)
    prompt_ce: float = Field(0.1, ge=0, description="language-model loss on pages, beside actions")


class ReinforceConfig(_Section):
    iterations: int = Field(10, ge=1, description="learner steps, each followed by a swap")
    max_minutes: float = Field(6.5, gt=0, description="no iteration starts after this")
    groups: int = Field(12, ge=1, description="tasks in one learner step")
    group_size: int = Field(8, ge=2, description="episodes of one task")
    minibatches: int = Field(2, ge=1, description="optimiser steps in one learner step")
    lr: float = Field(2e-4, gt=0)
    warmup_iterations: int = Field(2, ge=0, description="the rate grows linearly over these")
    partial: bool = Field(True, description="milestones without success count as reward")
    replay_ce: float = Field(0.0, ge=0, description="imitation weight of the batch's own successes")
    anchor_ce: float = Field(0.0, ge=0, description="imitation weight of oracle steps")
    anchor_steps: int = Field(64, ge=0, description="oracle steps in one learner step")
    max_staleness: int = Field(1, ge=0, description="versions an episode may lag; 0: synchronous")


class PulseConfig(_Section):
    per_task: int = Field(2, ge=1, description="successful episodes picked at random for a task")
    updates: int = Field(200, ge=1, description="most optimiser steps")
    max_minutes: float = Field(1.5, gt=0)
    batch_steps: int = Field(16, ge=1)
    lr: float = Field(3e-4, gt=0)


class TrainConfig(_Section):
    """Everything a run depends on, written to its config.toml."""

    preset: str = "default"
    seed: int = Field(0, ge=0, description="of everything random in the run")
    schedule: tuple[PhaseKind, ...] = Field(
        ("imitate", "reinforce", "pulse", "reinforce"), min_length=1
    )
    env: EnvConfig = EnvConfig()
    serve: ServeConfig = ServeConfig()
    model: ModelConfig = ModelConfig()
    learner: LearnerConfig = LearnerConfig()
    sampling: SamplingConfig = SamplingConfig()
    curriculum: CurriculumConfig = CurriculumConfig()
    imitate: ImitateConfig = ImitateConfig()
    reinforce: ReinforceConfig = ReinforceConfig()
    pulse: PulseConfig = PulseConfig()
    eval: EvalConfig = EvalConfig()


def load_config(path: Path | None, overrides: Sequence[str] = ()) -> TrainConfig:
    """A TOML file (or the defaults) with `key.path=value` overrides. Raises ConfigError."""
    data: dict[str, Any] = {}
    where = "the configuration"
    if path is not None:
        where = str(path)
        try:
            data = tomllib.loads(path.read_text())
        except OSError as error:
            raise ConfigError(f"cannot read {path}: {error.strerror}") from error
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path} is not valid TOML: {error}") from error
    for override in overrides:
        _apply(data, override)
    _refuse_unknown(TrainConfig, data, "")
    try:
        return TrainConfig.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{where}: {key}: {message} (got {first['input']!r})") from error


def _apply(data: dict[str, Any], override: str) -> None:
    key, found, text = override.partition("=")
    if not found or not key:
        raise ConfigError(f"--set {override!r}: write key=value, e.g. reinforce.lr=1e-4")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *parents, leaf = key.strip().split(".")
    for parent in parents:
        section = data.setdefault(parent, {})
        if not isinstance(section, dict):
            raise ConfigError(f"--set {override!r}: {parent} is a value, not a section")
        data = section
    data[leaf] = value


def _refuse_unknown(model: type[BaseModel], data: dict[str, Any], prefix: str) -> None:
    for key, value in data.items():
        if key not in model.model_fields:
            near = difflib.get_close_matches(key, model.model_fields, n=1, cutoff=0.4)
            hint = f"; did you mean {prefix}{near[0]}?" if near else ""
            known = ", ".join(model.model_fields)
            raise ConfigError(f"unknown key {prefix}{key}{hint} (known here: {known})")
        section = model.model_fields[key].annotation
        if isinstance(value, dict) and isinstance(section, type) and issubclass(section, BaseModel):
            _refuse_unknown(section, value, f"{prefix}{key}.")


def describe(model: type[BaseModel] = TrainConfig, prefix: str = "") -> list[str]:
    """One line a key: name, default, meaning."""
    lines: list[str] = []
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            lines += describe(field.annotation, f"{prefix}{name}.")
        else:
            lines.append(
                f"{prefix}{name} = {field.default!r}  # {field.description or ''}".rstrip()
            )
    return lines
