"""What a study depends on: arms, seeds, and what all runs have in common."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from trainer.config import ConfigError, TrainConfig
from trainer.config_file import load_config, load_sections
from trainer.phase_order import PhaseKind, unused_sections

TRUNK = "trunk"
"""Folder of the runs that arms begin from."""


class ArmConfig(BaseModel):
    """One arm: how its runs differ from those of the others."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schedule: tuple[PhaseKind, ...] = Field(min_length=1, description="its phases in order")
    overrides: tuple[str, ...] = Field((), description="key=value of its runs alone")


class StudyConfig(BaseModel):
    """One study."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field("study", description="of the study, and of its folder")
    config: str | None = Field(
        None, description="TOML file of all runs, relative to the study's; none: the defaults"
    )
    overrides: tuple[str, ...] = Field((), description="key=value of all runs")
    seeds: tuple[int, ...] = Field(
        (0, 1, 2, 3, 4), min_length=1, description="a run of each arm each"
    )
    trunk: tuple[PhaseKind, ...] = Field(
        (),
        description="phases that arms share: they run once a seed, and every arm that begins with "
        "them, without overrides that matter to them, continues from a copy",
    )
    reference: str = Field(description="arm that the others are compared with")
    arms: dict[str, ArmConfig] = Field(min_length=1)

    @field_validator("arms")
    @classmethod
    def _check_names(cls, arms: dict[str, ArmConfig]) -> dict[str, ArmConfig]:
        for name in arms:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name == TRUNK:
                raise ValueError(
                    f"{name!r} cannot be an arm's name: use small letters, digits and _, and not "
                    f"{TRUNK!r}"
                )
        return arms

    @model_validator(mode="after")
    def _check_reference(self) -> StudyConfig:
        if self.reference not in self.arms:
            raise ValueError(
                f"reference = {self.reference!r} is no arm; there are {', '.join(self.arms)}"
            )
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("seeds has a number twice")
        return self

    def begins_with_trunk(self, arm: str) -> bool:
        """Whether an arm continues from the trunk."""
        section = self.arms[arm]
        shared = section.schedule[: len(self.trunk)] == self.trunk
        later = unused_sections(self.trunk)
        is_same = all(line.partition(".")[0] in later for line in section.overrides)
        return bool(self.trunk) and shared and is_same

    def run_config(self, arm: str, seed: int, file: Path) -> TrainConfig:
        """The configuration of one run; `file` is the study's own. Raises ConfigError."""
        schedule = self.trunk if arm == TRUNK else self.arms[arm].schedule
        own = () if arm == TRUNK else self.arms[arm].overrides
        phases = "[" + ", ".join(f'"{kind}"' for kind in schedule) + "]"
        base = None if self.config is None else file.resolve().parent / self.config
        overrides = [*self.overrides, *own, f"schedule={phases}", f"seed={seed}"]
        config = load_config(base, [*overrides, f"preset={self.name}/{arm}"])
        if config.eval.dev_episodes:
            raise ConfigError(
                f"arm {arm}: eval.dev_episodes chooses the best policy of a run, a study compares "
                "the last: set it to 0 in overrides"
            )
        return config


def load_study(file: Path) -> StudyConfig:
    """A study by its file, every run's configuration checked. Raises ConfigError, also where arms
    would be evaluated on different tasks."""
    study = load_sections(StudyConfig, file)
    configs = {}
    for arm in study.arms:
        try:
            configs[arm] = study.run_config(arm, study.seeds[0], file)
        except ConfigError as error:
            raise ConfigError(f"{file}: arm {arm}: {error}") from error
    _check_evaluations(configs, file)
    if study.trunk:
        study.run_config(TRUNK, study.seeds[0], file)
        if not any(map(study.begins_with_trunk, study.arms)):
            raise ConfigError(f"{file}: trunk: no arm begins with {', '.join(study.trunk)}")
    return study


def _check_evaluations(configs: dict[str, TrainConfig], file: Path) -> None:
    first: dict[str, tuple[str, Any]] = {}
    for arm, config in configs.items():
        for key, value in _evaluation_settings(config).items():
            other, expected = first.setdefault(key, (arm, value))
            if value != expected:
                raise ConfigError(
                    f"{file}: arm {arm}: {key} is {value!r}, and {expected!r} in arm {other}: arms "
                    "are compared on the same held-out tasks, so set it in the study's overrides"
                )


def _evaluation_settings(config: TrainConfig) -> dict[str, Any]:
    """What decides which tasks a run is evaluated on, how often, and what counts as solved."""
    settings: dict[str, Any] = {
        "env.tasks": config.env.tasks,
        "env.max_steps": config.env.max_steps,
    }
    settings |= {f"eval.{key}": value for key, value in config.eval}
    problems = config.reasoning
    if problems.heldout:
        # Arms without problems are compared on tasks alone.
        settings["reasoning.eval_problems"] = problems.heldout
        settings |= {"reasoning.kinds": problems.kinds, "reasoning.file": problems.file}
    return settings
