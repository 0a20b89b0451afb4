"""Desktops in containers and virtual machines as a command: what it says where one cannot start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from envs.providers.local import free_port


def machine(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "envs.providers.machine", "--port", str(free_port()), *arguments],
        capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "DESKHAND_HOST_TOKEN": "secret", **variables},
    )  # fmt: skip


@pytest.mark.parametrize("provider", ["docker", "qemu"])
def test_it_wants_a_token(provider: str) -> None:
    done = machine("--provider", provider, DESKHAND_HOST_TOKEN="")
    assert (done.returncode, done.stderr) == (1, "machine: set DESKHAND_HOST_TOKEN\n")


def test_no_engine_is_said_in_one_sentence(tmp_path: Path) -> None:
    address = f"unix://{tmp_path}/nobody.sock"
    done = machine("--provider", "docker", DOCKER_HOST=address)
    assert done.returncode == 1
    assert done.stderr.startswith(f"machine: no Docker Engine answers at {address}")
    assert "Traceback" not in done.stderr


def test_a_disk_image_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = machine("--provider", "qemu", "--image", str(tmp_path / "none.qcow2"))
    assert done.returncode == 1
    assert "none.qcow2 is missing: build it with vm_images/qemu/build.sh" in done.stderr
