"""The command line refuses options that contradict each other, and prints what it would run."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from trainer.commands import register
from trainer.config import ConfigError
from trainer.config_file import describe


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    register(made)
    return made


def test_all_keys_are_printed_with_their_meaning(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["train", "--print-config"])
    assert result.output.splitlines() == describe()


def test_a_configuration_is_printed_as_it_would_run(app: typer.Typer, tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("seed = 3\n")
    arguments = ["train", "--print-config", "--config", str(file), "--set", "reinforce.groups=5"]
    printed = tomllib.loads(CliRunner().invoke(app, arguments).output)
    assert (printed["seed"], printed["reinforce"]["groups"]) == (3, 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["demo", "--preset", "none"], "no preset 'none'; there are: default"),
        (["demo", "--preset", "reader"], "no preset 'reader'"),
        (["train", "--services", "--name", "x"], "give neither"),
        (["train", "--resume", "x", "--name", "y"], "keeps its own config"),
        (["train", "--name", "a/b"], "'a/b' is not a name"),
        (["train", "--name", ".."], "'..' is not a name"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    app: typer.Typer, arguments: list[str], message: str
) -> None:
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_a_device_that_is_not_here_is_refused_before_a_run_folder_is_made(
    app: typer.Typer, tmp_path: Path
) -> None:
    for name, reason in (
        ("cuda:7", "PyTorch sees"),
        ("tpu", "is not a device"),
        ("mps", "supported"),
    ):
        arguments = ["train", "--runs", str(tmp_path), "--set", f"learner.device={name}"]
        result = CliRunner().invoke(app, arguments)
        assert isinstance(result.exception, ConfigError)
        assert f"learner.device = '{name}'" in str(result.exception)
        assert reason in str(result.exception)
    assert list(tmp_path.iterdir()) == []
