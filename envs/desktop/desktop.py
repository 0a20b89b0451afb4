"""One desktop: X server, D-Bus, window manager and panel, and what is needed to use them.

Guarantees: `start` leaves either a whole desktop or nothing running; `revive` brings back what has
ended since, and leaves files alone; `close` ends everything that was started on it. One desktop a
process: pyautogui knows one display.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

import xcffib

from envs.contract.actions import ActionError
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.tools import ToolError
from envs.desktop import file_work, undo, windows, wrappers
from envs.desktop.a11y import AccessError, Accessibility
from envs.desktop.home import Home, remove
from envs.desktop.input import Input
from envs.desktop.limits import NO_LIMITS, BoxLimits, Watch
from envs.desktop.office_bridge import OfficeBridge
from envs.desktop.processes import Processes
from envs.desktop.recording import Recorder
from envs.desktop.screen import Screen
from envs.desktop.size import SIZE, Size
from envs.desktop.takeover import Takeover
from envs.desktop.verdict_environment import SYSTEM_PATH, verdict_environment
from envs.desktop.vnc import Viewers
from envs.desktop.windows import WindowInfo
from envs.desktop.x11 import QUIET_S, X11, X_TIMEOUT_S, XThread
from envs.io.child_process import die_with_parent

log = logging.getLogger(__name__)

BOX_HOME, SCRATCH = Path("/home/user"), Path("/tmp")
"""In a box, where this is the home folder, /tmp is the box's own."""
START_S, CLOSE_S = 60.0, 2.0
"""An emulated processor of a busy machine needs most of it to start a desktop."""
WINDOW_EVERY_S = 0.02
DISPLAY = "Xvfb"
WINDOW_PROGRAMS = {"openbox": ("--sm-disable",), "tint2": ()}
"""Window manager and panel, with their arguments. They may end without the display."""
_NO_COOKIE = bytes(10)
"""An Xauthority entry that fits no display: python-xlib complains on stdout about an empty file."""
_DBUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<standard_session_servicedirs/>
<policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""


class Desktop:
    """`home`: folder of the desktop's user (see `Home.claim`); `pristine`: what it is reset to."""

    x11: X11
    input: Input
    screen: Screen
    a11y: Accessibility
    x: XThread
    watch: Watch

    def __init__(
        self,
        home: Path,
        pristine: Path,
        limits: BoxLimits = NO_LIMITS,
        size: Size = SIZE,
    ) -> None:
        self.home = home
        self.pristine = pristine
        self.limits = limits
        self.files = Home(home, pristine)
        self.baseline: dict[str, str] = {}
        """Content hash of each file of the home when the task began; see `content_hashes`."""
        self.outputs: dict[str, str] = {}
        """What the task's commands printed, by the name under which a step kept it."""
        self.lent: dict[str, BinaryIO] = {}
        """Files of a mirror that the client keeps, by their URLs or their paths in it."""
        self.width, self.height = size
        self.recorder = Recorder()
        self.viewers = Viewers()
        self.takeover = Takeover()
        self._stack = contextlib.AsyncExitStack()
        self._children: dict[str, asyncio.subprocess.Process] = {}
        """By program, in the order of their starts."""
        self._scratch: set[str] = set()
        """What is in SCRATCH of the desktop itself."""

    async def start(self) -> None:
        """A fresh desktop. Raises EpisodeFault(HOST_START), or NotOurs."""
        self.files.claim()
        self._scratch.clear()
        await self._start_within_limit(restore=True)

    async def revive(self) -> bool:
        """Start again what of the desktop itself has ended or does not answer, and leave all files
        alone. Programs end with their display, as they do at a logout. Whether anything had to be
        started. Raises EpisodeFault(HOST_START)."""
        ended = {name for name, child in self._children.items() if child.returncode is not None}
        if not ended and await self._display_answers():
            return False
        if ended and ended <= set(WINDOW_PROGRAMS) and await self._display_answers():
            try:
                async with asyncio.timeout(START_S):
                    await self._start_window_programs(ended)
                return True
            except (OSError, TimeoutError, xcffib.XcffibException) as error:
                log.warning("the window manager does not start again: %r", error)
        await self.close()
        await self._start_within_limit(restore=False)
        return True

    async def _display_answers(self, limit_s: float = X_TIMEOUT_S) -> bool:
        if not hasattr(self, "x11"):
            return False
        try:
            await self.x.run(self.x11.sync, limit_s)
        except (TimeoutError, xcffib.XcffibException):
            return False
        return True

    async def _start_within_limit(self, restore: bool) -> None:
        try:
            async with asyncio.timeout(START_S):
                await self._start(restore)
        except (OSError, TimeoutError, AccessError, xcffib.XcffibException) as error:
            await self.close()
            raise EpisodeFault(
                InvalidReason.HOST_START, f"the desktop did not start: {error!r}"
            ) from error
        except BaseException:
            await self.close()
            raise

    async def _start(self, restore: bool) -> None:
        strangers = set() if restore else {entry.name for entry in SCRATCH.iterdir()}
        self.x = XThread()
        self._stack.callback(self.x.close)
        if restore:
            await file_work.end()
            await asyncio.to_thread(self.files.restore)
        self.runtime = Path(tempfile.mkdtemp(prefix="deskhand-"))
        self._stack.callback(shutil.rmtree, self.runtime, ignore_errors=True)
        (self.runtime / "xauthority").write_bytes(_NO_COOKIE)
        self._stack.push_async_callback(self._end_children)
        display = await self._start_display()
        socket = self.runtime / "bus"
        self.environment = {
            "HOME": str(self.home),
            "USER": "user",
            "LOGNAME": "user",
            "SHELL": "/bin/bash",
            "LANG": "C.UTF-8",
            "PATH": f"{self.home / wrappers.BIN}:{SYSTEM_PATH}",
            "DESKHAND_PYTHON": sys.executable,
            "DISPLAY": display,
            "XAUTHORITY": str(self.runtime / "xauthority"),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_CURRENT_DESKTOP": "XFCE",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={socket}",
            "GSETTINGS_BACKEND": "keyfile",
            "GTK_USE_PORTAL": "0",
            "NO_AT_BRIDGE": "0",
            "GTK_MODULES": "gail:atk-bridge",
            "QT_ACCESSIBILITY": "1",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "SAL_USE_VCLPLUGIN": "gtk3",
            "MOZ_DISABLE_CONTENT_SANDBOX": "1",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "MALLOC_ARENA_MAX": "2",
        }
        self.processes = Processes(self.environment, self.home, self.limits)
        config = self.runtime / "dbus.conf"
        config.write_text(_DBUS_CONFIG.format(socket=socket))
        await self._start_child("dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile")
        await self._wait_until(lambda: asyncio.to_thread(socket.exists))
        os.environ["XAUTHORITY"] = self.environment["XAUTHORITY"]
        self.x11 = await self._connect(display)
        self.input = await self.x.run(lambda: Input(self.x11, display))
        self._stack.callback(self.x11.close)
        self.screen = Screen(self.runtime / "screen" / "Xvfb_screen0")
        self._stack.callback(self.screen.close)
        self.office = OfficeBridge(self.processes)
        self._stack.push_async_callback(self.office.drop)
        self.a11y = Accessibility(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        self._stack.push_async_callback(self.a11y.close)
        await self.a11y.open()
        await self.a11y.applications()
        await self._start_window_programs(WINDOW_PROGRAMS)
        await self.x.run(lambda: self.input.move(self.width / 2, self.height / 2))
        self.processes.keep()
        self.watch = Watch(self.limits, self.home, self.processes.is_own)
        self._stack.push_async_callback(asyncio.to_thread, self.watch.close)
        self.watch.start()
        self._scratch |= {entry.name for entry in SCRATCH.iterdir()} - strangers

    async def _start_window_programs(self, names: Iterable[str]) -> None:
        for name in names:
            await self._start_child(name, *WINDOW_PROGRAMS[name])
        await self._wait_until(self._has_window_manager)

    async def _start_display(self) -> str:
        """Xvfb chooses a free display number and says it on a pipe once it listens."""
        (self.runtime / "screen").mkdir()
        read, write = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                DISPLAY,
                "-displayfd",
                str(write),
                "-screen",
                "0",
                f"{self.width}x{self.height}x24",
                "-fbdir",
                str(self.runtime / "screen"),
                "-nolisten",
                "tcp",
                "-noreset",
                "-dpi",
                "96",
                pass_fds=[write],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
            self._children[DISPLAY] = process
            os.close(write)
            write = -1
            line = await asyncio.to_thread(_line_from, read)
        finally:
            os.close(read)
            if write >= 0:
                os.close(write)
        if not line:
            raise OSError("Xvfb ended without a display")
        return f":{line}"

    async def _connect(self, display: str) -> X11:
        """Xvfb says its number a moment before it takes connections. Bounded by START_S."""
        while True:
            try:
                return await self.x.run(lambda: X11(display))
            except xcffib.ConnectionException:
                await asyncio.sleep(WINDOW_EVERY_S)

    async def _start_child(self, program: str, *arguments: str) -> None:
        self._children[program] = await self.processes.start((program, *arguments), keep=True)

    async def _has_window_manager(self) -> bool:
        """By the window that a manager names on the root window and, while it lives, on itself."""
        name = "_NET_SUPPORTING_WM_CHECK"

        def check() -> bool:
            own = self.x11.values(self.x11.root, name)
            return bool(own) and self.x11.values(own[0], name) == own

        return await self.x.run(check)

    async def _wait_until(self, ready: Callable[[], Awaitable[bool]]) -> None:
        """Bounded by START_S."""
        while not await ready():
            await asyncio.sleep(WINDOW_EVERY_S)

    @property
    def alive(self) -> bool:
        """Whether display, bus, window manager and panel all run."""
        children = self._children.values()
        return bool(children) and all(child.returncode is None for child in children)

    def judging(self) -> contextlib.AbstractContextManager[None]:
        """Commands that run meanwhile decide on the task: their environment is not the agent's."""
        environment = verdict_environment(
            self.environment, self.processes.environment, self.pristine
        )
        return self.processes.using(environment)

    async def windows(self) -> list[WindowInfo]:
        """The windows in stacking order, the active one marked."""
        return await self.x.run(lambda: windows.list_windows(self.x11))

    async def expect_input(self) -> None:
        """See `X11.expect_input`. Without an animation there is nothing to look for."""
        if self.x11.is_animated:
            await self.x.run(self.x11.expect_input)

    async def settle(self, limit_s: float, quiet_s: float = QUIET_S) -> bool:
        """See `X11.settle`."""
        return await self.x.run(lambda: self.x11.settle(limit_s, quiet_s), limit_s + 5)

    async def settle_start(self, limit_s: float, quiet_s: float) -> bool:
        """See `X11.settle_start`."""
        return await self.x.run(lambda: self.x11.settle_start(limit_s, quiet_s), limit_s + 5)

    async def launch(self, application: str, arguments: Sequence[str] = ()) -> None:
        """Starts an application by its name. Raises ToolError when there is none."""
        name = application.strip().lower()
        name = wrappers.OTHER_NAMES.get(name, name)
        command = wrappers.APPLICATIONS.get(name, (name,))
        known = name in wrappers.APPLICATIONS or name == "code"
        if not known or shutil.which(command[0], path=self.environment["PATH"]) is None:
            names = ", ".join(wrappers.APPLICATIONS)
            raise ToolError(
                ActionError.NOT_FOUND,
                f"there is no application {application[:40]!r}; there are: {names}",
            )
        await self.processes.start([*command, *arguments])

    async def recycle(self) -> int:
        """Back to the snapshot: programs ended, home restored, input released. How many files
        changed. Raises TimeoutError or OSError."""
        await self.office.drop()
        await self.x.run(self.input.release_all)
        await self.processes.end_strays()
        await file_work.end()
        changed = await asyncio.to_thread(self.files.restore)
        await undo.run()
        if self.home == BOX_HOME:
            await asyncio.to_thread(self._clear_scratch)
        await self.x.run(lambda: self.input.move(self.width / 2, self.height / 2))
        return changed

    def _clear_scratch(self) -> None:
        """Empties the box's /tmp but for what was there when the desktop had started: its own, and
        what is mounted there."""
        for entry in SCRATCH.iterdir():
            if entry.name not in self._scratch:
                remove(entry)

    async def close(self) -> None:
        """Ends everything; the desktop can be started again."""
        display = self._children.get(DISPLAY)
        if display is not None and not await self._display_answers(CLOSE_S):
            # Its connection must not be closed under the thread that waits for an answer.
            with contextlib.suppress(ProcessLookupError):
                display.kill()
            await display.wait()
            with contextlib.suppress(TimeoutError):
                await self.x.run(lambda: None)
        await self._stack.aclose()

    async def _end_children(self) -> None:
        if hasattr(self, "processes"):
            with contextlib.suppress(TimeoutError):
                await self.processes.end_strays()
        for child in reversed(self._children.values()):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            await child.wait()
        self._children.clear()


def _line_from(descriptor: int) -> str:
    """The first line without its end; what there is when the other side closes."""
    line = b""
    while not line.endswith(b"\n") and (piece := os.read(descriptor, 16)):
        line += piece
    return line.decode().strip()
