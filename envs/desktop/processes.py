"""The processes of a desktop: started with its environment, found again, and ended.

Guarantees: every process that anything on the desktop starts stays below this one (child
subreaper), so that `end_strays` finds them all, whatever they did to detach themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from envs.desktop.limits import NO_LIMITS, BoxLimits, limit_program
from envs.io.child_process import die_with_parent

_PR_SET_CHILD_SUBREAPER = 36
MAX_OUTPUT = 1024 * 1024
END_S = 5.0
"""A large program takes its time to die on a busy machine."""
END_POLL_S = 0.01
READ_S = 1.0


@dataclass(frozen=True, slots=True)
class Completed:
    """How a program ended. `timed_out` programs were killed."""

    returncode: int
    stdout: str
    stderr: str
    timed_out: bool = False


class Processes:
    """The programs of a desktop: started, found, ended."""

    def __init__(
        self, environment: Mapping[str, str], home: Path, limits: BoxLimits = NO_LIMITS
    ) -> None:
        self.environment = dict(environment)
        self._instead: dict[str, str] | None = None
        self._home = home
        self._limits = limits
        self._core: set[int] = set()
        self._own: set[int] = set()
        """Started here, so the event loop collects them when they end; others are for us to."""
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)

    @contextlib.contextmanager
    def using(self, environment: Mapping[str, str]) -> Iterator[None]:
        """Programs that start meanwhile have this environment instead of the desktop's."""
        self._instead = dict(environment)
        try:
            yield
        finally:
            self._instead = None

    async def start(
        self,
        command: Sequence[str],
        cwd: Path | None = None,
        log: int = asyncio.subprocess.DEVNULL,
        keep: bool = False,
    ) -> asyncio.subprocess.Process:
        """A program that goes on by itself; with `keep` it is the host's own and never a stray.
        Raises FileNotFoundError or PermissionError."""
        process = await self.spawn(command, cwd, asyncio.subprocess.DEVNULL, log, log)
        if keep:
            self._core.add(process.pid)
        return process

    async def spawn(
        self,
        command: Sequence[str],
        cwd: Path | None,
        stdin: int,
        stdout: int,
        stderr: int,
        environment: Mapping[str, str] | None = None,
        limit: int = 2**16,
    ) -> asyncio.subprocess.Process:
        """A program in a process group of its own; `environment` goes on top of the desktop's."""
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=cwd or self._home,
            env={**(self._instead or self.environment), **(environment or {})},
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            limit=limit,
            start_new_session=True,
            preexec_fn=self._prepare,
        )
        self._own.add(process.pid)
        return process

    async def run(
        self,
        command: Sequence[str],
        timeout_s: float,
        cwd: Path | None = None,
        stdin: bytes | None = None,
    ) -> Completed:
        """A program to its end; killed with all its children at the timeout. Output beyond
        MAX_OUTPUT is dropped. Raises FileNotFoundError or PermissionError."""
        pipe = asyncio.subprocess.PIPE
        stdin_source = asyncio.subprocess.DEVNULL if stdin is None else pipe
        process = await self.spawn(command, cwd, stdin_source, pipe, pipe)
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = bytearray(), bytearray()
        reads = asyncio.gather(_read(process.stdout, out), _read(process.stderr, err))
        timed_out = False
        try:
            async with asyncio.timeout(timeout_s):
                if stdin is not None and process.stdin is not None:
                    with contextlib.suppress(ConnectionError):
                        process.stdin.write(stdin)
                        await process.stdin.drain()
                    process.stdin.close()
                await process.wait()
        except TimeoutError:
            timed_out = True
        finally:
            # A background child may hold the pipes open: it is not waited for.
            if process.returncode is None:
                _kill_group(process.pid)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(reads, READ_S)
        returncode = await process.wait()
        return Completed(
            returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), timed_out
        )

    def _prepare(self) -> None:
        """In the child, before the program."""
        die_with_parent()
        limit_program(self._limits)

    def is_own(self, pid: int) -> bool:
        """Whether the process belongs to the desktop itself, and not to a task."""
        return pid in self._core

    def keep(self) -> None:
        """What runs now belongs to the desktop itself and is never a stray; nor are the processes
        that this one was started by, such as the first one of a container."""
        this = psutil.Process()
        related = (*this.children(recursive=True), *this.parents())
        self._core = {process.pid for process in related}

    def strays(self) -> list[psutil.Process]:
        """Processes that were started since `keep`, the dead ones too."""
        children = psutil.Process().children(recursive=True)
        return [process for process in children if process.pid not in self._core]

    async def end_strays(self) -> int:
        """Kills all strays, and what they start meanwhile; how many there were. Raises
        TimeoutError when they do not end, or keep coming."""
        ended: set[int] = set()
        deadline = asyncio.get_running_loop().time() + END_S
        while leftovers := self.strays():
            if asyncio.get_running_loop().time() > deadline:
                names = ", ".join(sorted({_name(process) for process in leftovers}))
                raise TimeoutError(f"programs of the task before do not end: {names}")
            for process in leftovers:
                with contextlib.suppress(psutil.NoSuchProcess):
                    if process.status() == psutil.STATUS_ZOMBIE:
                        if process.pid not in self._own:
                            _reap(process.pid)
                    else:
                        process.kill()
                        ended.add(process.pid)
            await asyncio.sleep(END_POLL_S)
        return len(ended)


def _name(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.NoSuchProcess:
        return "one that has just ended"


async def _read(stream: asyncio.StreamReader, kept: bytearray) -> None:
    while piece := await stream.read(65536):
        kept += piece[: MAX_OUTPUT - len(kept)]


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _reap(pid: int) -> None:
    """Collects a child that was handed to us when its own parent died."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
