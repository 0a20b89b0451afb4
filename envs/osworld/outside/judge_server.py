"""A judge in a container of its own, for workers in containers, where bubblewrap makes no boxes.

    python -m envs.osworld.outside.judge_server --socket /run/judge/judge.sock

Its container has no network and no secret (`judge` in docker-compose.yml; a container of the
worker's pod in Kubernetes). Guarantees: it judges one call at a time, and nothing of a call is left
when the next begins, no process and no file; whatever network its container is in, it opens Unix
sockets only; what metrics run writes nowhere but into the folder of its call, and does not reach
the judge itself, where the kernel has Landlock. Without it metrics that run the agent's program are
refused.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import logging
import os
import signal
import sys
import tempfile
from pathlib import Path

import psutil

from envs.contract.outcomes import EpisodeFault
from envs.io import landlock, seccomp
from envs.osworld.outside.judge import (
    PROGRAM,
    check_confinement,
    fit_memory,
    reply_of,
    run_judge_process,
)
from envs.osworld.outside.judge_messages import Call, Reply
from envs.osworld.outside.judge_wire import WireError, receive_call

log = logging.getLogger(__name__)
RECEIVE_S = 60.0
"""For the whole call to arrive, once it is its turn."""
REPLY_S = 10.0
END_S, END_POLL_S = 10.0, 0.01
BACKLOG = 512
_PR_SET_CHILD_SUBREAPER = 36


class JudgeServer:
    """Answers calls on a Unix socket. Create it in the loop that it runs in."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._can_confine = landlock.version() > 0
        # Whatever a metric started stays below this process, also when its parent ends.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)

    async def serve(self, path: Path) -> None:
        """Until it is cancelled. Raises OSError."""
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._answer, path, backlog=BACKLOG)
        path.chmod(0o600)
        async with server:
            await server.serve_forever()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with self._turn:
                reply = await self._judge(reader)
                await end_children()
            if reply is not None:
                async with asyncio.timeout(REPLY_S):
                    writer.write(reply.model_dump_json().encode())
                    await writer.drain()
        except (OSError, TimeoutError) as error:
            log.warning("a call was not answered: %s", error)
        finally:
            writer.close()

    async def _judge(self, reader: asyncio.StreamReader) -> Reply | None:
        """The reply to one call; None where none came."""
        with tempfile.TemporaryDirectory(prefix="judge-", ignore_cleanup_errors=True) as name:
            evidence, scratch = Path(name) / "evidence", Path(name) / "scratch"
            evidence.mkdir()
            scratch.mkdir()
            try:
                async with asyncio.timeout(RECEIVE_S):
                    request = await receive_call(reader, evidence)
            except WireError as error:
                return Reply(error=str(error))
            if request is None:
                return None
            call = Call(
                measures=request.measures,
                folder=evidence,
                compat=request.compat,
                limits=fit_memory(request.limits),
            )
            try:
                check_confinement(call, self._can_confine)
                confine = (lambda: landlock.confine([scratch])) if self._can_confine else None
                return reply_of(await run_judge_process(call, PROGRAM, scratch, confine))
            except EpisodeFault as fault:
                # The worker names the metrics again.
                return Reply(error=fault.detail.partition(": ")[2])


async def end_children() -> None:
    """Kills and collects what is left below this process. Raises TimeoutError."""
    async with asyncio.timeout(END_S):
        while children := psutil.Process().children(recursive=True):
            for child in children:
                with contextlib.suppress(psutil.NoSuchProcess, ChildProcessError):
                    if child.status() == psutil.STATUS_ZOMBIE:
                        _collect(child.pid)
                    else:
                        child.kill()
            await asyncio.sleep(END_POLL_S)


def _collect(pid: int) -> None:
    """Takes a process that has ended off the kernel's list."""
    os.waitpid(pid, os.WNOHANG)


async def _serve(path: Path) -> None:
    task = asyncio.current_task()
    assert task is not None
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await JudgeServer().serve(path)


def main() -> None:
    """Command line: judges until stopped."""
    parser = argparse.ArgumentParser(description="Judges files of agents, for workers elsewhere.")
    parser.add_argument("--socket", type=Path, required=True, help="where workers find it")
    path: Path = parser.parse_args().socket
    logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        seccomp.enter_filter(network=False)
        log.info("judging at %s, Landlock %d", path, landlock.version())
        asyncio.run(_serve(path))
    except OSError as error:
        sys.exit(f"judge: {error}")


if __name__ == "__main__":
    main()
