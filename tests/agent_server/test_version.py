"""The version that `deskhand --version` and the OpenAPI document name."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError

import pytest
from typer.testing import CliRunner

from agent_server import version
from agent_server.cli.main import app, print_version


def test_the_installed_package_has_a_version() -> None:
    assert re.match(r"\d+\.\d+", version.get_version())


def test_sources_that_are_not_installed_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(version, "version", missing)
    assert version.get_version.__wrapped__() == version.UNKNOWN


def test_the_option_prints_the_version_and_ends() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.output == f"deskhand {version.get_version()}\n"


def test_nothing_is_printed_without_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    print_version(False)
    assert not capsys.readouterr().out
