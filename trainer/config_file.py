"""Reads a run's configuration from TOML with `--set key=value` on top, and prints it.

Guarantees: unknown keys are refused with the nearest name; a wrong value names its key and what was
expected; a key whose value follows from other keys cannot be set; `load_config` reads back what
`to_toml` writes, and the defaults that `describe` prints. TOML has no null: "none" stands for it.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar, get_args

import tomli_w
from pydantic import BaseModel, ValidationError

from envs.dialects.roles import Roles
from trainer.config import ConfigError, EnvConfig, TrainConfig
from trainer.objective import why_impossible
from trainer.phase_order import phase_names
from trainer.reinforce_config import ReinforceConfig
from trainer.triggers import EntropyBelow, Trigger

C = TypeVar("C", bound=BaseModel)
DERIVED_KEYS = {
    "learner.lr": "imitate.lr, reinforce.lr or pulse.lr",
    "learner.warmup_steps": "imitate.warmup_updates, reinforce.warmup_iterations or "
    "pulse.warmup_updates",
    "learner.minibatches": "reinforce.minibatches",
    "learner.temperature": "sampling.temperature",
    "learner.seed": "seed",
}
"""Settings of the learner that follow from the run's, and where those are set."""

REPLACED_KEYS = {"reinforce.advantage": 'reinforce.algorithm ("group" is "step_grpo")'}
"""Keys of earlier versions, and what stands in their place."""
NONE = "none"
FIXED = ("preset", "seed", "schedule", "model")
"""Keys that a resumed run cannot change: its checkpoint depends on them."""
MEASURED = (
    *(f"env.{key}" for key in EnvConfig.model_fields),
    *(f"eval.{key}" for key in ("split", "episodes", "dev_episodes", "temperature", "unseen")),
    "sampling.max_tokens",
    *(f"reasoning.{key}" for key in ("share", "kinds", "file", "max_tokens", "eval_problems")),
    *(f"roles.{key}" for key in Roles.model_fields),
)
"""Keys that a resumed run cannot change either: they say on which tasks its phases are measured,
and how, and phases that were measured in two ways cannot be compared. What only the end is measured
with (suites, controls) is none of them."""


def load_config(path: Path | None, overrides: Sequence[str] = ()) -> TrainConfig:
    """A TOML file (or the defaults) with `key.path=value` overrides. Raises ConfigError."""
    config = load_sections(TrainConfig, path, overrides)
    _check_phases(config)
    return config


def load_sections(model: type[C], path: Path | None, overrides: Sequence[str] = ()) -> C:
    """A configuration of any kind, as `load_config` reads a training run's. Raises ConfigError."""
    data: dict[str, Any] = {}
    source = "the configuration" if path is None else str(path)
    if path is not None:
        try:
            data = tomllib.loads(path.read_text())
        except OSError as error:
            raise ConfigError(f"cannot read {path}: {error.strerror}") from error
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path} is not valid TOML: {error}") from error
        _resolve_model_path(data, path)
    for override in overrides:
        _apply_override(data, override)
    return _parse_sections(model, data, source, overrides)


def parse_config(data: dict[str, Any], source: str) -> TrainConfig:
    """A run's configuration, as `to_toml` wrote it, from elsewhere; `source` names it in errors.
    Raises ConfigError."""
    config = _parse_sections(TrainConfig, data, source, ())
    _check_phases(config)
    return config


def _parse_sections(
    model: type[C], data: dict[str, Any], source: str, overrides: Sequence[str]
) -> C:
    _check_keys(model, data, "")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ConfigError(_describe_error(error, _blame(error, source, overrides))) from error


def _resolve_model_path(data: dict[str, Any], file: Path) -> None:
    """`model.path` of a file is relative to the file, wherever the command is called. Without `..`
    in it, so that one folder has one name."""
    section = data.get("model")
    model_path = section.get("path") if isinstance(section, dict) else None
    if isinstance(model_path, str) and model_path != NONE:
        absolute = os.path.normpath(file.resolve().parent / model_path)
        data["model"] = {**data["model"], "path": absolute}


def load_to_resume(run_dir: Path, overrides: Sequence[str] = ()) -> TrainConfig:
    """A run's own configuration with overrides, which are saved with the run. Raises ConfigError,
    also for overrides of what its checkpoint depends on, or what its phases are compared by."""
    path = run_dir / "config.toml"
    if not path.is_file():
        raise ConfigError(f"{run_dir} is not the folder of a run: it has no config.toml")
    before, now = load_config(path), load_config(path, overrides)
    for key in (*FIXED, *MEASURED):
        value = attrgetter(key)
        if value(before) != value(now):
            reason = (
                "its checkpoint depends on it"
                if key in FIXED
                else "all its phases are measured in one way, to be compared"
            )
            raise ConfigError(
                f"{key} cannot be changed when {run_dir} is resumed, because {reason}; start a "
                "new run"
            )
    if now != before:
        path.write_text(to_toml(now))
    return now


def to_toml(config: BaseModel) -> str:
    """The whole configuration as TOML that `load_config` reads back."""
    data: dict[str, Any] = _none_as_text(config.model_dump(mode="json"))
    for key in DERIVED_KEYS:
        section, _, leaf = key.partition(".")
        del data[section][leaf]
    return tomli_w.dumps(data)


def _none_as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _none_as_text(item) for key, item in value.items()}
    return NONE if value is None else value


def _check_phases(config: TrainConfig) -> None:
    names = phase_names(config.schedule)
    for name, settings in config.phase.items():
        if name not in names:
            raise ConfigError(
                f"phase.{name}: the schedule has no such phase{_suggest(name, names)} "
                f"(its phases: {', '.join(names)})"
            )
        kind = config.schedule[names.index(name)]
        _check_keys(type(getattr(config, kind)), settings, f"phase.{name}.")
        try:
            config.phase_config(name)
        except ValidationError as error:
            raise ConfigError(_describe_error(error, "", f"phase.{name}.")) from error
    for name in config.reinforcing():
        section = config.reinforce_config(name)
        reason = why_impossible(config.learner.loss, section.algorithm, section.make_algorithm())
        if reason:
            raise ConfigError(f"{name}: {reason}")
        _check_source(config, name, section)
    for name in names:
        _check_states(config, name)


def _check_source(config: TrainConfig, name: str, section: ReinforceConfig) -> None:
    before = config.schedule[: phase_names(config.schedule).index(name)]
    if section.make_algorithm().source == "demonstrations" and "imitate" not in before:
        raise ConfigError(
            f"{name}: reinforce.algorithm = {section.algorithm!r} answers demonstrations, and no "
            "phase before it collects them: put imitate before it in schedule"
        )


def _check_states(config: TrainConfig, name: str) -> None:
    section = config.phase_config(name)
    triggers: dict[str, Trigger | None] = {
        key: getattr(section, key, None) for key in ("until", "when")
    }
    for key, trigger in triggers.items():
        if isinstance(trigger, EntropyBelow) and not config.states.count:
            raise ConfigError(
                f"{name}: {key}.on = 'entropy' reads the policy's entropy on fixed states, and "
                "states.count is 0: set it to at least 1"
            )


def _describe_error(error: ValidationError, source: str, prefix: str = "") -> str:
    """One sentence for the first error: its key, the message and the wrong value."""
    first = error.errors()[0]
    key = prefix + ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    return f"{source}{key}: {message} (got {first['input']!r})"


def _blame(error: ValidationError, source: str, overrides: Sequence[str]) -> str:
    """Where the wrong value was written: the last override of its key, or else the file."""
    key = ".".join(str(part) for part in error.errors()[0]["loc"])
    for override in reversed(overrides):
        name = override.partition("=")[0].strip()
        if key == name or key.startswith(f"{name}."):
            return f"--set {override}: "
    return f"{source}: "


def _apply_override(data: dict[str, Any], override: str) -> None:
    """Sets `key.path=value` in nested tables. The value is TOML; what is not TOML is text."""
    key, equals, text = override.partition("=")
    if not equals or not key:
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


def _check_keys(model: type[BaseModel], data: dict[str, Any], prefix: str) -> None:
    """Refuses unknown and derived keys; replaces "none" by None where a key may be None."""
    for key, value in data.items():
        if f"{prefix}{key}" in DERIVED_KEYS:
            raise ConfigError(
                f"{prefix}{key} follows from the run; set {DERIVED_KEYS[prefix + key]} instead"
            )
        if f"{prefix}{key}" in REPLACED_KEYS:
            raise ConfigError(f"{prefix}{key} is now {REPLACED_KEYS[prefix + key]}")
        if key not in model.model_fields:
            known = ", ".join(model.model_fields)
            hint = _suggest(f"{prefix}{key}", [f"{prefix}{name}" for name in model.model_fields])
            if not prefix and not hint:
                hint = _suggest_full_key(key)
            raise ConfigError(f"unknown key {prefix}{key}{hint} (known here: {known})")
        section = model.model_fields[key].annotation
        if value == NONE and type(None) in get_args(section):
            data[key] = None
        if isinstance(section, type) and issubclass(section, BaseModel):
            if not isinstance(value, dict):
                raise ConfigError(
                    f"{prefix}{key} is a section with keys of its own, e.g. "
                    f"{prefix}{key}.{next(iter(section.model_fields))}; got {value!r}"
                )
            _check_keys(section, value, f"{prefix}{key}.")


def _suggest(key: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


def _suggest_full_key(key: str) -> str:
    """For a key without its section: the full keys that end with it."""
    full_keys = [line.partition(" = ")[0] for line in describe()]
    matches = [name for name in full_keys if name.rpartition(".")[2] == key]
    return f"; did you mean {' or '.join(matches)}?" if matches else ""


def _toml_value(default: Any) -> str:
    if isinstance(default, BaseModel):
        pairs = default.model_dump(mode="json").items()
        return "{" + ", ".join(f"{key} = {json.dumps(value)}" for key, value in pairs) + "}"
    return json.dumps(NONE if default is None else default)


def describe(model: type[BaseModel] = TrainConfig, prefix: str = "") -> list[str]:
    """One line of TOML a key: name, default, meaning."""
    lines: list[str] = []
    for name, field in model.model_fields.items():
        key = f"{prefix}{name}"
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            lines += describe(field.annotation, f"{key}.")
        elif key not in DERIVED_KEYS:
            start = "# " if field.default == {} else ""
            value = _toml_value(field.default)
            lines.append(f"{start}{key} = {value}  # {field.description or ''}".rstrip(" #"))
    return lines
