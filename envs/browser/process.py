"""One Chromium process, in its box, with its pipe and the sites that its pages may open.

Guarantees: nothing of it is left running, and no file of it, after `close` or after the parent's
death; it is commanded through a pipe, and listens on no port. Its pages reach the named sites, each
through a relay of this process, and no other address, and take no more memory than they may. Files
come into the box and out of it through one folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from envs.browser import box, box_entry
from envs.browser.box_folder import BoxFolder
from envs.browser.memory_watch import groups_of_browser, memory_limit, watch_memory
from envs.contract.domains import LOOPBACK, WEB_PORT_OF
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpConnection
from envs.io.child_process import die_with_parent, stop_group
from envs.io.control_groups import enter
from envs.io.relay import Relay

_MAX_SITES = 64
_LOG_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Site:
    """A loopback address that pages may open."""

    origin: str
    port: int

    @classmethod
    def parse(cls, url: str) -> Self:
        """Raises ValueError unless the URL is http(s) on loopback."""
        parts = urlsplit(url)
        if parts.scheme not in WEB_PORT_OF or parts.hostname not in LOOPBACK:
            raise ValueError(f"{url!r} is not an http(s) site on 127.0.0.1")
        return cls(origin_of(url), parts.port or WEB_PORT_OF[parts.scheme])


def origin_of(url: str) -> str:
    """Scheme, host and port, with 127.0.0.1 for localhost: they are one site."""
    parts = urlsplit(url)
    host = "127.0.0.1" if parts.hostname in LOOPBACK else parts.hostname
    return f"{parts.scheme}://{host}:{parts.port or WEB_PORT_OF.get(parts.scheme)}"


class BrowserProcess:
    """Create with `start`. `connection` commands the browser; `files`: a folder in its box."""

    def __init__(self) -> None:
        self._stack = contextlib.AsyncExitStack()
        self._process: asyncio.subprocess.Process | None = None
        self.connection: CdpConnection
        self.files: BoxFolder

    @classmethod
    async def start(
        cls, binary: str, flags: Sequence[str], sites: Sequence[Site], kind: box.Kind
    ) -> Self:
        """`kind` of its box. Raises EpisodeFault(HOST_START) or OSError. Whoever cancels it leaves
        nothing behind."""
        box.check_box(kind)
        browser = cls()
        try:
            await browser._start(binary, flags, sites, kind)
        except BaseException:
            await browser.close()
            raise
        return browser

    async def _start(
        self, binary: str, flags: Sequence[str], sites: Sequence[Site], kind: box.Kind
    ) -> None:
        in_box = kind == "bubblewrap"
        pipe, browser_pipe = socket.socketpair()
        control, browser_control = socket.socketpair()
        log = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        # Without a box the container or the virtual machine around it has a limit.
        limit = memory_limit() if in_box else 0
        groups = self._stack.enter_context(groups_of_browser(limit))
        with browser_pipe, browser_control, control:
            inherited = browser_control.fileno(), browser_pipe.fileno()
            if in_box:
                home, ports = box.HOME, sorted({site.port for site in sites})
                temporary = box.TMP
                command = box.boxed_entry_command(binary, *inherited, ports)
                sandboxed = await asyncio.to_thread(box.can_nest)
            else:
                folder = tempfile.TemporaryDirectory(prefix="deskhand-browser-")
                home, ports = self._stack.enter_context(folder), list[int]()
                temporary = home
                command = box.entry_command(*inherited, ports, temporary, str(box.ENTRY))
                # Under Landlock no namespaces are made, and Chromium's own sandbox wants some.
                sandboxed = kind == "none" and await asyncio.to_thread(box.can_sandbox)
            readable = box.readable_files(binary) if kind == "landlock" else None
            reached = sorted({site.port for site in sites})
            self._process = await asyncio.create_subprocess_exec(
                *command,
                binary,
                *flags,
                *(() if sandboxed else ("--no-sandbox",)),
                "--remote-debugging-pipe",
                f"--user-data-dir={temporary}/profile",
                env=box.environment(home) | ({} if in_box else {"TMPDIR": home}),
                cwd=home if not in_box else "/",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                preexec_fn=lambda: _confine(groups, home, readable, reached),
                pass_fds=inherited,
            )
            self._stack.push_async_callback(stop_group, self._process)
            if limit:
                self._watch(limit)
            browser_pipe.close()
            browser_control.close()
            self.connection = await CdpConnection.open_pipe(pipe)
            self._stack.push_async_callback(self.connection.close)
            descriptors = await _receive(control)
            if not descriptors:
                log.seek(0)
                detail = log.read(_LOG_BYTES).decode(errors="replace").strip()
                raise EpisodeFault(InvalidReason.HOST_START, f"Chromium did not start: {detail}")
            self.files = BoxFolder(descriptors.pop(), f"{temporary}/{box_entry.FILES}")
            self._stack.callback(self.files.close)
            for port, descriptor in zip(ports, descriptors, strict=True):
                relay = Relay(("127.0.0.1", port))
                self._stack.push_async_callback(relay.close)
                await relay.open_on(socket.socket(fileno=descriptor))

    def _watch(self, limit: int) -> None:
        """Watches the memory from now on, until the browser is closed."""
        assert self._process is not None
        watch = asyncio.create_task(watch_memory(self._process.pid, limit))

        async def end() -> None:
            watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watch

        self._stack.push_async_callback(end)

    async def close(self) -> None:
        """Ends the browser process."""
        await self._stack.aclose()


def _confine(groups: list[Path], home: str, readable: list[Path] | None, ports: list[int]) -> None:
    """In the process of bubblewrap or `box_entry`, before it starts; `readable`: under Landlock."""
    die_with_parent()
    enter(groups)
    if readable is not None:
        box.enter_landlock(home, readable, ports)


async def _receive(control: socket.socket) -> list[int]:
    """The listening sockets that the box made, then its folder; empty if it ended. Raises
    EpisodeFault(HOST_START) if it could not make them."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    control.setblocking(False)
    loop.add_reader(control, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(control)
    message, descriptors, _, _ = socket.recv_fds(control, _LOG_BYTES, _MAX_SITES + 1)
    if not message:
        return []
    if message != box_entry.READY:
        detail = message.decode(errors="replace")
        raise EpisodeFault(InvalidReason.HOST_START, f"the browser's box cannot have {detail}")
    return descriptors
