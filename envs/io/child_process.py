"""Children that do not outlive their parent, and are ended with all that they started."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal

STOP_S = 8.0
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def die_with_parent() -> None:
    """For `preexec_fn`: the child is ended when its parent dies, however that happens."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


async def stop_group(process: asyncio.subprocess.Process) -> None:
    """Ends a process that was started with `start_new_session`, politely first, and what is left of
    its group."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, sign)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), STOP_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
