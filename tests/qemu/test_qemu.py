"""Machines of the small image: a real kernel, booted by QEMU, and the host of a desktop in it."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from PIL import Image

from envs.client import HostClient, RemoteSession
from envs.contract.actions import ActionError, Launch, Tool, Wait
from envs.contract.observations import Observe, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.providers.qemu import QemuConfig, QemuProvider
from tests.processes import left_of
from tests.qemu.conftest import QEMU, ROOT

pytestmark = [pytest.mark.qemu, pytest.mark.timeout(1200)]

TASK = Task(id="qemu", instruction="look", env="desktop")
LOOK = Observe(tree=False, windows=True, screenshot=ScreenshotRequest(format="png"))
NOTE = "/home/user/Documents/note.txt"
WRITE = Tool(name="files.write", arguments={"path": NOTE, "text": "kept?"})
READ = Tool(name="files.read", arguments={"path": NOTE})

PARENT = """
import asyncio, sys
from pathlib import Path
from envs.providers.qemu import QemuConfig, QemuProvider

async def main():
    async with QemuProvider(QemuConfig(image=Path(sys.argv[1]), accelerator="tcg")) as provider:
        await provider.start()

asyncio.run(main())
"""


async def test_a_machine_works_and_a_reset_forgets_what_was_written(
    image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = (image.stat().st_mtime_ns, image.stat().st_size)
    async with QemuProvider(QemuConfig(image=image)) as provider:
        client = await provider.start()
        (machine,) = machines_of(psutil.Process())
        await only_the_token_opens(client, machine)

        session = await client.open("desktop")
        await session.reset(TASK, LOOK)
        await session.step([Launch(app="mousepad")], LOOK)
        assert await colours_of_window(session, "Mousepad") > 10

        written, kept = (await session.step([WRITE, READ], LOOK)).results
        assert written.ok, written
        assert kept.value["text"] == "kept?"

        # The session is not closed before: closing it would clear the home folder as well.
        await provider.reset(client)
        await session.close()
        (gone,) = (await (await client.open("desktop")).step([READ], LOOK)).results
        assert gone.error is ActionError.NOT_FOUND
    assert left_of([machine]) == []
    assert list(tmp_path.iterdir()) == []
    assert (image.stat().st_mtime_ns, image.stat().st_size) == before


@pytest.fixture
def empty(image: Path, tmp_path: Path) -> Path:
    """An image with a kernel and an initrd, and a disk with no file on it."""
    raw, disk = tmp_path / "empty.raw", tmp_path / "empty.qcow2"
    subprocess.run(["mke2fs", "-q", "-t", "ext4", raw, "64M"], check=True)
    subprocess.run(["qemu-img", "convert", "-f", "raw", "-O", "qcow2", raw, disk], check=True)
    for end in (".vmlinuz", ".initrd"):
        disk.with_suffix(end).symlink_to(image.with_suffix(end))
    return disk


async def test_a_disk_without_a_system_is_a_fault_that_quotes_the_console(empty: Path) -> None:
    async with QemuProvider(QemuConfig(image=empty, start_timeout_s=60)) as provider:
        with pytest.raises(EpisodeFault, match="No init found") as fault:
            await provider.start()
    assert fault.value.reason is InvalidReason.HOST_START
    assert machines_of(psutil.Process()) == []


async def test_an_image_that_was_not_built_is_named(tmp_path: Path) -> None:
    async with QemuProvider(QemuConfig(image=tmp_path / "none.qcow2")) as provider:
        with pytest.raises(EpisodeFault, match=r"none\.qcow2 is missing"):
            await provider.start()


def test_a_machine_dies_with_a_killed_parent(image: Path, tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, image], cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    try:
        deadline = time.monotonic() + 60
        while not (machines := machines_of(psutil.Process(parent.pid))):
            assert parent.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        parent.kill()
        parent.wait()
    assert left_of(machines) == []


def test_a_failed_build_leaves_no_mount_and_no_file(tmp_path: Path) -> None:
    packages = tmp_path / "packages.txt"
    packages.write_text("no-such-package\n")
    out = tmp_path / "out"
    command = [QEMU / "build.sh", "--packages", packages, out / "disk.qcow2"]
    build = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert build.returncode != 0
    assert "no-such-package" in build.stderr
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    assert list(out.iterdir()) == []


def machines_of(process: psutil.Process) -> list[psutil.Process]:
    """QEMU's processes below a process."""
    below = process.children(recursive=True)
    return [child for child in below if child.name().startswith("qemu-system")]


async def only_the_token_opens(client: HostClient, machine: psutil.Process) -> None:
    assert b"tools" in await client.request("GET", "/v1/tools", None)
    (token_sha256,) = re.findall(r"token-sha256,string=(\w+)", " ".join(machine.cmdline()))
    for wrong in (None, token_sha256):
        async with HostClient(client.base_url, wrong) as stranger:
            with pytest.raises(EpisodeFault, match="401"):
                await stranger.request("GET", "/v1/tools", None)


async def colours_of_window(session: RemoteSession, title: str) -> int:
    """Colours on the screen once the window is there; an emulated processor takes its time."""
    async with asyncio.timeout(90):
        while True:
            seen = (await session.step([Wait(ms=500)], LOOK)).observation
            if any(title in window for window in seen.windows):
                break
    assert seen.screenshot is not None
    shown = Image.open(io.BytesIO(base64.b64decode(seen.screenshot.data))).convert("RGB")
    return len(shown.getcolors(shown.width * shown.height) or [])
