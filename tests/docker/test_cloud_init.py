"""The file for a bare machine is what cloud-init reads, and starts what Deskhand has."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from agent_server.cli.main import load_commands
from tests.docker.images import ROOT

FILE = ROOT / "vm_images" / "cloud-init" / "user-data.yaml"


def content() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(FILE.read_text())
    return data


@pytest.mark.skipif(shutil.which("cloud-init") is None, reason="no cloud-init on this machine")
def test_cloud_init_takes_it() -> None:
    subprocess.run(
        ["cloud-init", "schema", "--config-file", str(FILE)],
        check=True,
        capture_output=True,
        timeout=60,
    )


def test_the_service_has_what_the_commands_make() -> None:
    assert FILE.read_text().startswith("#cloud-config\n"), "else it is taken for a script"
    files = {file["path"]: file["content"] for file in content()["write_files"]}
    service = files["/etc/systemd/system/deskhand.service"]
    assert "EnvironmentFile=/etc/deskhand/deskhand.env" in service
    assert "ExecStart=/srv/deskhand/.venv/bin/deskhand serve $DESKHAND_SERVE" in service
    options = files["/etc/deskhand/deskhand.env"].partition("DESKHAND_SERVE=")[2].split("\n")[0]
    result = CliRunner().invoke(load_commands(), ["serve", *options.split(), "--help"])
    assert result.exit_code == 0
    assert ["make", "-C", "/srv/deskhand", "setup"] in content()["runcmd"]
