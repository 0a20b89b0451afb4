"""`deskhand model`: what it prints, and its exit code."""

from __future__ import annotations

from pathlib import Path

import typer
from typer.testing import CliRunner

from trainer.model_check import ModelUnusable
from trainer.model_commands import register


def test_a_tiny_model_is_written_and_checked(tmp_path: Path) -> None:
    app = typer.Typer()
    register(app)
    runner, folder = CliRunner(), tmp_path / "tiny"
    made = runner.invoke(app, ["model", "tiny", "qwen3-vl", "--to", str(folder)])
    assert made.exit_code == 0, made.output
    checked = runner.invoke(app, ["model", "check", str(folder)])
    assert checked.exit_code == 0, checked.output
    assert "Qwen3VLForConditionalGeneration, untied head" in checked.output
    empty = runner.invoke(app, ["model", "check", str(tmp_path)])
    assert isinstance(empty.exception, ModelUnusable)
