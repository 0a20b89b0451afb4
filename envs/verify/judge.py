"""Runs the metrics of a task in a process of their own, so that no file harms the one that judges.

Guarantees: a call ends within its limits, with scores or with EpisodeFault(EVALUATOR_ERROR) that
says why; temporary files go to a folder of the call's own, gone afterwards; what metrics started is
killed with it. Where bubblewrap works the process is in a box: it reads programs and the evidence,
writes to its folder, has no network and sees no other process. Elsewhere it has this one's user and
network, and metrics that run what they judge are refused. (The number of processes is not limited,
for Linux counts those of the user, not of the call.)
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
from pydantic import ValidationError

from envs.outcomes import EpisodeFault, InvalidReason
from envs.providers.bubblewrap import python_files, system_files, usable
from envs.verify.evidence import Measure
from envs.verify.judge_messages import Call, Limits, Reply

PROGRAM = (sys.executable, "-P", "-B", "-m", "envs.verify.judge_process")
SOURCES = Path(__file__).parents[2]
RUN_WHAT_THEY_JUDGE = frozenset({"check_python_file_by_test_suite"})
MAX_REPLY = 64 * 1024
MAX_SAID = 400
"""Characters of what a process said before it failed."""


async def judge(
    measures: Sequence[Measure],
    folder: Path,
    *,
    compat: bool = False,
    limits: Limits | None = None,
) -> list[float]:
    """The score of each metric, with `compat` as OSWorld's own. `folder`: where the files of the
    measures lie. Raises EpisodeFault."""
    call = Call(
        measures=list(measures), folder=folder.resolve(), compat=compat, limits=limits or Limits()
    )
    boxed = await asyncio.to_thread(usable)
    if not boxed and any(measure.func in RUN_WHAT_THEY_JUDGE for measure in measures):
        raise _fault(call, "it runs the agent's program, and bubblewrap does not work here")
    with tempfile.TemporaryDirectory(prefix="judge-", ignore_cleanup_errors=True) as name:
        scratch = Path(name).resolve()
        program = [*(_box(call.folder, scratch) if boxed else ()), *PROGRAM]
        return _scores(call, *await _answered(call, program, scratch))


def _box(evidence: Path, scratch: Path) -> list[str]:
    """bubblewrap's command line. The session stays this call's, so that it can be killed."""
    return [
        "bwrap", "--unshare-all", "--die-with-parent", *system_files(),
        "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", *python_files(SOURCES / "envs"),
        "--ro-bind", str(evidence), str(evidence), "--bind", str(scratch), str(scratch),
        "--chdir", str(scratch), "--",
    ]  # fmt: skip


async def _answered(call: Call, program: Sequence[str], folder: Path) -> tuple[int, bytes, bytes]:
    """Exit status, and what was written to both outputs."""
    process = await asyncio.create_subprocess_exec(
        *program, cwd=folder, env=_environment(folder), start_new_session=True,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(call.limits.wall_s):
            said, complained = await _exchange(process, call.model_dump_json().encode())
            return await process.wait(), said, complained
    except TimeoutError:
        raise _fault(call, f"ran past {call.limits.wall_s:g} s") from None
    finally:
        while _killed(process.pid):
            await asyncio.sleep(0.01)
        await process.wait()


def _killed(session: int) -> bool:
    """Kills each process of the session; whether there was any that had not ended."""
    alive = [process for process in psutil.process_iter(["status"]) if _belongs(process, session)]
    for process in alive:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    return bool(alive)


def _belongs(process: psutil.Process, session: int) -> bool:
    with suppress(ProcessLookupError):
        return process.info["status"] != psutil.STATUS_ZOMBIE and os.getsid(process.pid) == session
    return False


async def _exchange(process: asyncio.subprocess.Process, call: bytes) -> tuple[bytes, bytes]:
    """Both outputs, the first MAX_REPLY bytes of each."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with suppress(ConnectionError):
        process.stdin.write(call)
        await process.stdin.drain()
    process.stdin.close()
    said, complained = await asyncio.gather(_start(process.stdout), _start(process.stderr))
    return said, complained


async def _start(output: asyncio.StreamReader) -> bytes:
    kept = b""
    while part := await output.read(MAX_REPLY):
        kept += part[: MAX_REPLY - len(kept)]
    return kept


def _scores(call: Call, status: int, said: bytes, complained: bytes) -> list[float]:
    try:
        reply = Reply.model_validate_json(said)
    except ValidationError:
        raise _fault(call, _ended(status, complained)) from None
    if reply.error is not None:
        raise _fault(call, reply.error, reply.func)
    scores = [score for score in reply.scores if score is not None and math.isfinite(score)]
    if len(scores) != len(call.measures):
        raise _fault(call, f"the scores are {reply.scores}")
    return scores


def _ended(status: int, complained: bytes) -> str:
    # A box says 128 and the signal.
    by = -status if status < 0 else status - 128
    if by == signal.SIGXCPU:
        return "used all of its processor time"
    ended = f"ended by {signal.Signals(by).name}" if by > 0 else f"ended with {status}"
    last = complained.decode(errors="replace").strip()[-MAX_SAID:]
    return f"{ended}: {last}" if last else ended


def _fault(call: Call, reason: str, func: str | None = None) -> EpisodeFault:
    named = func or ", ".join(measure.func for measure in call.measures)
    return EpisodeFault(InvalidReason.EVALUATOR_ERROR, f"metric {named}: {reason}")


def _environment(folder: Path) -> dict[str, str]:
    # One thread for numeric libraries: each thread's reserve of memory counts as memory.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    places = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), str(folder))
    return {**threads, **places, "PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONPATH": str(SOURCES)}
