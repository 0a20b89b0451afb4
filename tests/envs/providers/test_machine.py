"""Desktops in containers and virtual machines as a command: what it says where one cannot start."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from envs.providers import machine as machine_module
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


SILENT_QEMU = """#!/bin/sh
for word in "$@"; do
  case "$word" in file:*/console) echo "Kernel panic" >"${word#file:}" ;; esac
done
exec sleep 60
"""
"""Of a guest that hangs while it boots."""


async def test_a_machine_that_never_answers_is_given_up_with_the_end_of_its_console(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qemu = tmp_path / "qemu-system-x86_64"
    qemu.write_text(SILENT_QEMU)
    qemu.chmod(0o755)
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    (tmp_path / f"kvm-works-{boot_id}").write_text("no")
    for end in (".qcow2", ".vmlinuz", ".initrd"):
        (tmp_path / f"desktop{end}").touch()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("DESKHAND_CACHE", str(tmp_path))
    monkeypatch.setattr(machine_module, "QEMU_START_S", 1.0, raising=False)
    image = str(tmp_path / "desktop.qcow2")
    async with machine_module.qemu_desktop(free_port(), "secret", image) as ending:
        words = await asyncio.wait_for(ending, 20)
    assert "did not answer within 1 s; its console ends: Kernel panic" in words
