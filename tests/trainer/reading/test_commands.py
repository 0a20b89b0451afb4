"""`deskhand pretrain` prints its keys, refuses contradictions, and ends with its figures."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.trainer.reading.shop_pages import write_config
from trainer.config_file import describe, to_toml
from trainer.reading.commands import register
from trainer.reading.config import ReaderConfig


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    # A program of one command would take no name of it.
    made.callback()(lambda: None)
    register(made)
    return made


def test_all_keys_are_printed_with_their_meaning(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["pretrain", "--print-config"])
    assert result.output.splitlines() == describe(ReaderConfig)


def test_a_resumed_run_keeps_its_name(app: typer.Typer) -> None:
    arguments = ["pretrain", "--resume", "x", "--name", "y"]
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert "keeps its own config" in " ".join(result.output.split())


def test_a_run_prints_what_is_read(app: typer.Typer, tmp_path: Path) -> None:
    file = tmp_path / "reader.toml"
    file.write_text(to_toml(write_config(tmp_path)))
    arguments = ["pretrain", "--config", str(file), "--runs", str(tmp_path), "--name", "r"]
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert "unseen" in result.output
    assert "n=" in result.output
