"""Deskhand's desktops for OSWorld's own `DesktopEnv`: a Provider that starts a box a machine.

    import osworld_provider

    osworld_provider.install(python="/path/to/deskhand/.venv/bin/python")
    env = DesktopEnv(provider_name="docker", action_space="pyautogui", screen_size=(1920, 1080))

It runs where OSWorld runs and needs nothing but its package; `python` is the interpreter that
Deskhand is installed in. `DesktopEnv` knows its providers by name and knows nothing of ours, so it
is told "docker", whose machines start clean as ours do. A box answers on 127.0.0.1 only, without a
token, because OSWorld's client sends none: who can reach loopback can use it.
"""

from __future__ import annotations

import ctypes
import signal
import socket
import subprocess
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from desktop_env.providers.base import Provider, VMManager

READY_S = 300.0
_PR_SET_PDEATHSIG = 1
CHROMIUM_PORT, VLC_PORT = 9222, 8080
"""In the box, as on OSWorld's machines."""


def _end_with_parent() -> None:
    """In the box's process: it is ended when this one dies, however that happens (prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Box:
    """A running box and its ports on 127.0.0.1."""

    process: subprocess.Popen[bytes]
    server: int
    chromium: int
    vlc: int


@dataclass
class DeskhandProvider(Provider):  # type: ignore[misc]
    """One box at a time; a snapshot is taken back to by starting another."""

    python: str
    size: str = "1920x1080"
    box: Box | None = field(default=None, init=False)

    def start_emulator(self, path_to_vm: str, headless: bool = True, os_type: str = "") -> None:
        """Starts a box and waits until it answers. Raises RuntimeError or TimeoutError."""
        if self.box is not None:
            return
        server, chromium, vlc = free_port(), free_port(), free_port()
        command = [self.python, "-m", "envs.providers.sandbox", "--port", str(server)]
        command += ["--no-token", "--allow-shell", "--size", self.size]
        command += ["--forward", f"{chromium}={CHROMIUM_PORT}", "--forward", f"{vlc}={VLC_PORT}"]
        process = subprocess.Popen(command, start_new_session=True, preexec_fn=_end_with_parent)
        self.box = Box(process, server, chromium, vlc)
        try:
            self._wait()
        except BaseException:
            self.stop_emulator(path_to_vm)
            raise

    def get_ip_address(self, path_to_vm: str) -> str:
        """Address and ports of the box, as DesktopEnv reads them: server, Chromium, VNC, VLC."""
        assert self.box is not None
        # The live view is on the server's own port (docs/howto/osworld_client.md).
        ports = (self.box.server, self.box.chromium, self.box.server, self.box.vlc)
        return ":".join(["127.0.0.1", *map(str, ports)])

    def save_state(self, path_to_vm: str, snapshot_name: str) -> None:
        """Raises NotImplementedError: a box has one state that it starts from."""
        raise NotImplementedError("a box has one state that it starts from")

    def revert_to_snapshot(self, path_to_vm: str, snapshot_name: str) -> str:
        """Ends the box; `start_emulator`, which DesktopEnv calls next, starts a clean one."""
        self.stop_emulator(path_to_vm)
        return path_to_vm

    def stop_emulator(self, path_to_vm: str, region: str | None = None) -> None:
        """Ends the box with all of its programs."""
        box, self.box = self.box, None
        if box is None:
            return
        box.process.terminate()
        try:
            box.process.wait(20)
        except subprocess.TimeoutExpired:
            box.process.kill()
            box.process.wait(5)

    def _wait(self) -> None:
        assert self.box is not None
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            if self.box.process.poll() is not None:
                raise RuntimeError(f"the box ended with code {self.box.process.returncode}")
            try:
                with urllib.request.urlopen(
                    f"http://127.0.0.1:{self.box.server}/screenshot", timeout=10
                ):
                    return
            except OSError:
                time.sleep(0.2)
        raise TimeoutError(f"the box did not answer within {READY_S:g} s")


class NoMachines(VMManager):  # type: ignore[misc]
    """Boxes are no files: there is nothing to register, to occupy or to clean."""

    def get_vm_path(self, **_: Any) -> str:
        """A name for the logs."""
        return "deskhand"

    def initialize_registry(self, **_: Any) -> None:
        """Nothing to do."""

    def add_vm(self, vm_path: str, *_: Any, **__: Any) -> None:
        """Nothing to do."""

    def delete_vm(self, vm_path: str, *_: Any, **__: Any) -> None:
        """Nothing to do."""

    def occupy_vm(self, vm_path: str, *_: Any, **__: Any) -> None:
        """Nothing to do."""

    def list_free_vms(self, **_: Any) -> list[str]:
        """None: a box is started when it is needed."""
        return []

    def check_and_clean(self, **_: Any) -> None:
        """Nothing to do."""


def install(python: str, size: str = "1920x1080") -> None:
    """From now on every DesktopEnv of this process gets a box of Deskhand. `python`: interpreter
    that Deskhand is installed in; `size`: of the screen, the same as DesktopEnv's."""
    import desktop_env.desktop_env as module

    def make(*_: Any, **__: Any) -> tuple[NoMachines, DeskhandProvider]:
        return NoMachines(), DeskhandProvider(python, size)

    module.create_vm_manager_and_provider = make
