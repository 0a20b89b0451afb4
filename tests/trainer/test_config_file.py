"""Configuration files: what is written comes back, what cannot be used is refused by its key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from agent_server.policy.manifest import read_manifest
from trainer.commands import FAMILIES, PRESETS, PRETRAINING
from trainer.config import ConfigError, TrainConfig
from trainer.config_file import describe, load_config, load_to_resume, to_toml
from trainer.model import ModelConfig
from trainer.phase_order import phase_names
from trainer.triggers import EntropyBelow

CONFIGS = sorted(path for path in PRESETS.glob("*.toml") if path.name not in PRETRAINING | FAMILIES)


def test_overrides_win_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[reinforce]\nlr = 1e-3\ngroups = 5\n")
    config = load_config(file, ["reinforce.lr=2e-4", 'env.tasks=["shop/price"]', "preset=mine"])
    assert (config.reinforce.lr, config.reinforce.groups) == (2e-4, 5)
    assert (config.env.tasks, config.preset) == (("shop/price",), "mine")


def test_a_wrong_value_is_said_to_be_where_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[reinforce]\nlr = 1e-3\n")
    with pytest.raises(ConfigError, match=r"^--set reinforce\.lr=-1: reinforce\.lr: "):
        load_config(file, ["reinforce.lr=-2", "reinforce.lr=-1"])
    file.write_text("[reinforce]\nlr = -1\n")
    with pytest.raises(ConfigError, match=r"c\.toml: reinforce\.lr: "):
        load_config(file, ["seed=3"])


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("reinforce.grops=3", "unknown key reinforce.grops; did you mean reinforce.groups?"),
        ("group_size=3", "did you mean reinforce.group_size or expert_iteration.group_size?"),
        ("reinforce.group_size=1", "reinforce.group_size: input should be greater than or equal"),
        ("reinforce.lr=fast", "reinforce.lr: input should be a valid number"),
        ("reinforce=3", "reinforce is a section with keys of its own"),
        ("seed.x=3", "seed"),
        ("learner.lr=1e-3", "set imitate.lr, reinforce.lr or pulse.lr instead"),
        ("reinforce.lr", "write key=value"),
        ("curriculum.low=0.9", "low must be below high"),
        ("phase.reinforce-3.lr=1e-4", "the schedule has no such phase"),
        ("phase.reinforce-2.lrr=1e-4", "did you mean phase.reinforce-2.lr?"),
        ('schedule=["imitate","dream"]', "schedule.1"),
        ("reinforce.algorithm=grop", "reinforce.algorithm: no algorithm is called 'grop'; there"),
        ("reinforce.options.eps=1", "reinforce.options: same_state has no option 'eps'"),
        ("reinforce.advantage=group", 'is now reinforce.algorithm ("group" is "step_grpo")'),
        ('schedule=["imitate","pulse"]', "schedule: pulse imitates kept successes, and no phase"),
        ('schedule=["imitate","reset","reinforce"]', "schedule: reset has no effect there"),
        ("reinforce.until.on=moon", "reinforce.until: no trigger is called 'moon'; there are"),
        ("reinforce.until=plateau", "reinforce.until: a trigger is a table, e.g. {on ="),
        (
            'reinforce.until={on="plateau", window=12}',
            "reinforce: until: this trigger fires after 24 learner steps at the earliest, but the",
        ),
        ('phase.reinforce-2.until={on="mars"}', "phase.reinforce-2.until: no trigger is called"),
        ("phase.reinforce-2.algorithm=ppo", "phase.reinforce-2.algorithm: no algorithm is called"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_a_way_out(override: str, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(None, [override])
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            ["reinforce.algorithm=gspo", "learner.loss.eps_low=0.1"],
            "learner.loss.eps_low = 0.1 has no effect with reinforce.algorithm = 'gspo', which "
            "fixes it to 0.0003: set reinforce.options.eps_low",
        ),
        (
            ["phase.reinforce-2.algorithm=gspo", "learner.loss.covariance=clip"],
            "reinforce-2: learner.loss.covariance = 'clip' chooses tokens",
        ),
        (
            ["reinforce.algorithm=semi_online", 'schedule=["reinforce", "imitate"]'],
            "reinforce: reinforce.algorithm = 'semi_online' answers demonstrations, and no phase "
            "before it collects them: put imitate before it in schedule",
        ),
    ],
)
def test_what_cannot_be_combined_is_refused_before_anything_starts(
    overrides: list[str], message: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(None, overrides)
    assert message in str(refused.value)
    assert str(refused.value).count("\n") == 0


def test_a_trigger_that_reads_fixed_states_needs_some() -> None:
    trigger = 'phase.reinforce-2.until={on="entropy", below=0.1}'
    config = load_config(None, [trigger])
    assert config.reinforce_config("reinforce-1").until is None
    assert config.reinforce_config("reinforce-2").until == EntropyBelow(below=0.1)
    with pytest.raises(ConfigError, match=r"reinforce-2: until\.on = 'entropy' reads the policy's"):
        load_config(None, [trigger, "states.count=0"])


def test_triggers_are_written_and_read_back(tmp_path: Path) -> None:
    config = load_config(
        None,
        [
            'reinforce.until={on="flat_groups", above=0.5}',
            'interleave.when={on="plateau", window=2}',
            'schedule=["reinforce","reset","interleave","expert_iteration"]',
            'reset.what=["reference"]',
        ],
    )
    file = tmp_path / "config.toml"
    file.write_text(to_toml(config))
    assert load_config(file) == config


def test_options_of_an_algorithm_are_written_and_read_back(tmp_path: Path) -> None:
    config = load_config(None, ["reinforce.algorithm=gspo", "reinforce.options.eps_low=1e-3"])
    assert config.reinforce.make_algorithm().loss_terms()["eps_low"] == 1e-3
    file = tmp_path / "config.toml"
    file.write_text(to_toml(config))
    assert load_config(file) == config


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.toml: No such file"):
        load_config(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[reinforce\n")
    with pytest.raises(ConfigError, match=r"broken\.toml is not valid TOML"):
        load_config(broken)


SIZES = {
    "preset": (),
    "schedule": (),
    "env": ("tasks", "tools", "tree_chars", "page", "view", "max_steps"),
    "serve": ("desktops",),
    "model": ("path", *set(ModelConfig.model_fields) - {"copy_init", "rope_theta"}),
    "sampling": ("max_tokens",),
    "imitate": (
        *("episodes", "updates", "batch_steps", "prompt_ce"),
        *("stumbles", "focus", "renamed", "heldout_share"),
    ),
    "reinforce": ("iterations", "groups", "group_size"),
    "pulse": ("updates",),
    "eval": (
        *("episodes", "dev_episodes", "control_episodes"),
        *("unseen_episodes", "unseen", "suite_episodes", "suites"),
    ),
}
"""What a preset says of its own: which tasks, how they are seen, by what model, how much, and how
much of it is imitation."""


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_preset_inherits_the_recipe_and_names_only_its_tasks_and_sizes(path: Path) -> None:
    for section, values in tomllib.loads(path.read_text()).items():
        assert section in SIZES
        if isinstance(values, dict):
            assert set(values) <= set(SIZES[section])


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_bundled_configuration_survives_being_written_and_read(
    path: Path, tmp_path: Path
) -> None:
    last = phase_names(load_config(path).schedule)[-1]
    config = load_config(path, [f"phase.{last}.lr=1e-5", "env.max_steps=none"])
    copy = tmp_path / "copy.toml"
    copy.write_text(to_toml(config))
    assert load_config(copy) == config
    assert config.preset == path.stem


def test_the_printed_defaults_are_the_defaults() -> None:
    lines = describe()
    assert all("  # " in line for line in lines), [line for line in lines if "  # " not in line]
    data = tomllib.loads("\n".join(line for line in lines if not line.startswith("# ")))
    assert TrainConfig.model_validate(_without_none(data)) == TrainConfig()


def _without_none(data: dict[str, object]) -> dict[str, object]:
    return {
        key: _without_none(value) if isinstance(value, dict) else value
        for key, value in data.items()
        if value != "none"
    }


def test_resuming_cannot_change_what_the_checkpoint_depends_on(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not the folder of a run"):
        load_to_resume(tmp_path)
    (tmp_path / "config.toml").write_text(to_toml(TrainConfig()))
    with pytest.raises(ConfigError, match="model cannot be changed"):
        load_to_resume(tmp_path, ["model.layers=2"])
    assert load_to_resume(tmp_path, ["reinforce.lr=1e-5"]).reinforce.lr == 1e-5
    assert load_to_resume(tmp_path).reinforce.lr == 1e-5, "the run's own file says what it runs on"


@pytest.mark.parametrize(
    "override",
    [
        "eval.episodes=3",
        "eval.split=dev",
        "eval.dev_episodes=0",
        "eval.temperature=0.5",
        'eval.unseen={app = ["desk"]}',
        'env.tasks=["desk"]',
        "env.max_steps=3",
        "sampling.max_tokens=12",
        "reasoning.eval_problems=7",
        "reasoning.share=0.1",
        "roles.apart=true",
    ],
)
def test_resuming_cannot_change_how_phases_are_measured(tmp_path: Path, override: str) -> None:
    written = to_toml(TrainConfig())
    (tmp_path / "config.toml").write_text(written)
    key = override.partition("=")[0]
    with pytest.raises(ConfigError, match=rf"{re.escape(key)} cannot be changed .* to be compared"):
        load_to_resume(tmp_path, [override])
    assert (tmp_path / "config.toml").read_text() == written
    assert load_to_resume(tmp_path, ["eval.suite_episodes=5"]).eval.suite_episodes == 5


def test_a_models_folder_is_relative_to_the_file_that_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "configs"
    folder.mkdir()
    path = folder / "run.toml"
    path.write_text('[model]\npath = "../models/a"\n')
    assert load_config(path).model.path == str(tmp_path / "models/a")
    assert load_config(path, ["model.path=b"]).model.path == "b"
    path.write_text('[model]\npath = "/models/a"\n')
    assert load_config(path).model.path == "/models/a"


def test_the_presets_begin_with_the_base_policy_of_the_repository() -> None:
    for preset in ("default", "smoke"):
        path = load_config(Path("configs") / f"{preset}.toml").model.path
        assert path is not None
        assert read_manifest(Path(path)).phase == "read"
