"""A reader's configuration is written and read back like a run's."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.config import ConfigError
from trainer.config_file import load_sections, to_toml
from trainer.reading.config import ReaderConfig


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    config = load_sections(ReaderConfig, None, ["reading.lr=2e-3", "seed=3"])
    path = tmp_path / "config.toml"
    path.write_text(to_toml(config))
    assert load_sections(ReaderConfig, path) == config
    assert config.learner_config.seed == 3


@pytest.mark.parametrize("override", ["reading.rate=1", "learner.lr=1e-3"])
def test_keys_without_a_meaning_are_refused(override: str) -> None:
    with pytest.raises(ConfigError):
        load_sections(ReaderConfig, None, [override])


def test_a_base_policy_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match=r"model\.path: somewhere is no folder of a model"):
        load_sections(ReaderConfig, None, ["model.path=somewhere"])


def test_the_preset_of_the_repository_is_valid() -> None:
    config = load_sections(ReaderConfig, Path("configs/reader.toml"))
    assert config.preset == "reader"
    assert "desk" in config.pages.unseen
    assert not set(config.pages.unseen) & set(config.pages.tasks)
