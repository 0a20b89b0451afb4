"""A run with somebody's model begins, or one sentence says why not, before anything else."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.trainer.tiny_run import CONFIG
from trainer.chat_format import TemplateUnusable
from trainer.config import ConfigError, TrainConfig
from trainer.model_check import ModelUnusable
from trainer.model_start import check_start_model
from trainer.run import run_training
from trainer.task_set import resolve_tasks
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import load_tokenizer


def configured(folder: Path, **changes: Any) -> TrainConfig:
    model = {"path": str(folder), "max_model_len": 2048}
    return TrainConfig.model_validate(CONFIG | {"model": model} | changes)


def check(config: TrainConfig) -> None:
    check_start_model(config, resolve_tasks(config))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    make_tiny_model("qwen3", folder)
    return folder


def test_a_model_that_fits_may_begin(model: Path) -> None:
    check(configured(model))
    check(TrainConfig())


def test_prompts_that_are_too_long_are_refused(model: Path) -> None:
    with pytest.raises(ConfigError, match=r"max_model_len is 8192, but .* reads at most 4096"):
        check(configured(model, model={"path": str(model), "max_model_len": 8192}))
    with pytest.raises(ConfigError, match=r"too long: a page of env.tree_chars=9000 takes about"):
        check(configured(model, env={"tasks": ["shop/price"], "tree_chars": 9000}))


def test_nothing_is_made_for_a_folder_that_is_no_model(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    for folder, message in (
        (tmp_path / "none", "there is no folder"),
        (tmp_path, r"has no config\.json"),
    ):
        with pytest.raises(ValueError, match=message):
            asyncio.run(run_training(configured(folder), run_dir, Console(file=io.StringIO())))
    assert not run_dir.exists()


def test_a_model_that_cannot_be_prompted_or_trained_is_refused(tmp_path: Path) -> None:
    make_tiny_model("qwen3", tmp_path / "mute")
    tokenizer = load_tokenizer(tmp_path / "mute")
    (tmp_path / "mute" / "chat_template.jinja").unlink()
    with pytest.raises(TemplateUnusable, match="has no chat template"):
        check(configured(tmp_path / "mute"))
    assert tokenizer.chat_template
    (tmp_path / "mute" / "tokenizer.json").unlink()
    with pytest.raises(ModelUnusable, match=r"has no tokenizer\.json"):
        check(configured(tmp_path / "mute"))
    make_tiny_model("qwen2.5-vl", tmp_path / "sees")
    check(configured(tmp_path / "sees"))


def test_pictures_are_shown_only_to_a_model_that_reads_them(model: Path, tmp_path: Path) -> None:
    shown = {"tasks": ["shop/price"], "view": {"observe": "picture", "dialect": "uitars"}}
    with pytest.raises(ConfigError, match="reads text only"):
        check(configured(model, env=shown))
    with pytest.raises(ConfigError, match="made from scratch does not read"):
        check(TrainConfig.model_validate(CONFIG | {"env": shown}))
    make_tiny_model("qwen2.5-vl", tmp_path)
    check(configured(tmp_path, env=shown))
