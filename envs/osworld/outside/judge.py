"""Runs the metrics of a task in a separate process, so that no judged file can harm this one.

Guarantees: a call ends within its limits, with scores or with EpisodeFault(EVALUATOR_ERROR) that
says why; temporary files go to a folder of the call, which is deleted afterwards; processes that
metrics started are killed. The process is in a box of bubblewrap: it reads programs and the
evidence, writes to its folder only, has no network and sees no other process. Or it is in another
container, whose judge this module asks. Where neither is there nothing is judged
(`envs.osworld.outside.judge_place`), unless the operator says so: then it has the user and the
network of this process, and metrics that run the agent's program are refused. In a container its
memory is a share of the container's, and calls take turns. (The number of processes is not limited,
because Linux counts those of the user, not of the call.)
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakKeyDictionary

import psutil
from pydantic import ValidationError

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.control_groups import memory_limit
from envs.io.sandboxing import proc_files, python_files, system_files
from envs.osworld.outside.judge_messages import Call, Limits, Reply
from envs.osworld.outside.judge_place import judge_place
from envs.osworld.outside.judge_wire import Request, WireError, open_socket, send_call
from envs.state.evidence import Measure

PROGRAM = (sys.executable, "-P", "-B", "-m", "envs.osworld.outside.judge_process")
SOURCES = Path(__file__).parents[3]
RUN_WHAT_THEY_JUDGE = frozenset({"check_python_file_by_test_suite"})
MAX_REPLY = 64 * 1024
"""Bytes of either output that are kept."""
MAX_STDERR = 400
"""Characters from the end of the error output that an error message quotes."""
MEMORY_SHARE = 0.6
"""Of a container's memory; the rest is for the evidence and for whoever waits for the scores."""
CONNECT_S, CONNECT_AGAIN_S = 30.0, 0.2
"""A judge's container may be starting."""
QUEUE_S = 300.0
"""Longest wait for a judge's turn and reply beyond the time of the call itself."""
_TURNS: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class ProcessOutput:
    """How the judge's process ended, and the first MAX_REPLY bytes of both outputs."""

    status: int
    stdout: bytes
    stderr: bytes


async def judge(
    measures: Sequence[Measure],
    folder: Path,
    *,
    compat: bool = False,
    limits: Limits | None = None,
) -> list[float]:
    """The score of each metric, with `compat` as OSWorld's own. `folder` holds the files of the
    measures. Raises EpisodeFault."""
    place = await asyncio.to_thread(judge_place)
    call = Call(
        measures=list(measures),
        folder=folder.resolve(),
        compat=compat,
        limits=limits or Limits(),
    )
    if place.socket is not None:
        return _scores(call, await ask_judge(call, place.socket))
    check_confinement(call, place.in_box)
    call = call.model_copy(update={"limits": fit_memory(call.limits)})
    async with _turn():
        with tempfile.TemporaryDirectory(prefix="judge-", ignore_cleanup_errors=True) as name:
            scratch = Path(name).resolve()
            boxed = _bwrap_command(call.folder, scratch) if place.in_box else []
            output = await run_judge_process(call, [*boxed, *PROGRAM], scratch)
            return _scores(call, reply_of(output))


def check_confinement(call: Call, confined: bool) -> None:
    """Raises EpisodeFault for a metric that runs what it judges, where nothing confines it."""
    if not confined and any(measure.func in RUN_WHAT_THEY_JUDGE for measure in call.measures):
        raise _fault(call, "it runs the agent's program, and nothing confines that here")


def fit_memory(limits: Limits) -> Limits:
    """The limits, with no more memory than the container of this process can give."""
    container = memory_limit()
    if container is None:
        return limits
    return limits.model_copy(update={"memory": min(limits.memory, int(container * MEMORY_SHARE))})


@asynccontextmanager
async def _turn() -> AsyncIterator[None]:
    """In a container with a limit one call at a time has its share of the memory."""
    if memory_limit() is None:
        yield
        return
    async with _TURNS.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        yield


async def ask_judge(call: Call, path: Path) -> Reply:
    """The reply of the judge that listens there. Raises EpisodeFault."""
    request = Request(measures=call.measures, compat=call.compat, limits=call.limits)
    try:
        reader, writer = await _connect(call, path)
        try:
            async with asyncio.timeout(QUEUE_S + call.limits.wall_s):
                await send_call(writer, request, call.folder)
                content = await read_head(reader, MAX_REPLY)
        finally:
            writer.close()
    except TimeoutError:
        raise _fault(call, f"the judge at {path} did not answer in time") from None
    except (OSError, WireError) as error:
        raise _fault(call, f"the judge at {path}: {error}") from error
    try:
        return Reply.model_validate_json(content)
    except ValidationError:
        raise _fault(call, f"the judge at {path} ended during the call") from None


async def _connect(call: Call, path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    deadline = asyncio.get_running_loop().time() + CONNECT_S
    while True:
        try:
            return await open_socket(path)
        except OSError as error:
            if asyncio.get_running_loop().time() > deadline:
                raise _fault(call, f"no judge answers at {path}: {error}") from error
        await asyncio.sleep(CONNECT_AGAIN_S)


def _bwrap_command(evidence: Path, scratch: Path) -> list[str]:
    # No --new-session: kill_session finds the processes by the session of the call.
    options = ["bwrap", "--unshare-all", "--die-with-parent", *system_files()]
    options += [*proc_files(), "--dev", "/dev", "--tmpfs", "/tmp"]
    options += python_files(SOURCES / "envs")
    options += ["--ro-bind", str(evidence), str(evidence), "--bind", str(scratch), str(scratch)]
    return [*options, "--chdir", str(scratch), "--"]


async def run_judge_process(
    call: Call, command: Sequence[str], folder: Path, confine: Callable[[], None] | None = None
) -> ProcessOutput:
    """Starts the judge in `folder`, sends it the call and waits for its end. `confine` runs in it
    first. Whatever it started is killed. Raises EpisodeFault when the time is over."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=_environment(folder),
        start_new_session=True,
        preexec_fn=confine,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(call.limits.wall_s):
            stdout, stderr = await _exchange(process, call.model_dump_json().encode())
            return ProcessOutput(await process.wait(), stdout, stderr)
    except TimeoutError:
        raise _fault(call, f"ran past {call.limits.wall_s:g} s") from None
    finally:
        # A process may fork while the others are killed, hence until there is none.
        while kill_session(process.pid):
            await asyncio.sleep(0.01)
        await process.wait()


def kill_session(session: int) -> bool:
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
    """Writes the call, reads both outputs to their end."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with suppress(ConnectionError):
        process.stdin.write(call)
        await process.stdin.drain()
    process.stdin.close()
    stdout, stderr = await asyncio.gather(
        read_head(process.stdout, MAX_REPLY), read_head(process.stderr, MAX_REPLY)
    )
    return stdout, stderr


async def read_head(stream: asyncio.StreamReader, limit: int) -> bytes:
    """The first `limit` bytes. The rest is read and dropped, so that the writer never blocks."""
    head = b""
    while chunk := await stream.read(limit):
        head += chunk[: limit - len(head)]
    return head


def reply_of(output: ProcessOutput) -> Reply:
    """What the judge's process replied, or how it ended without a reply."""
    try:
        return Reply.model_validate_json(output.stdout)
    except ValidationError:
        return Reply(error=_describe_end(output))


def _scores(call: Call, reply: Reply) -> list[float]:
    if reply.error is not None:
        raise _fault(call, reply.error, reply.func)
    scores = [score for score in reply.scores if score is not None and math.isfinite(score)]
    if len(scores) != len(call.measures):
        raise _fault(call, f"the scores are {reply.scores}")
    return scores


def _describe_end(output: ProcessOutput) -> str:
    # bubblewrap returns 128 plus the signal of the program, asyncio the negative signal.
    number = -output.status if output.status < 0 else output.status - 128
    if number == signal.SIGXCPU:
        return "used all of its processor time"
    end = f"ended by {signal.Signals(number).name}" if number > 0 else f"ended with {output.status}"
    tail = output.stderr.decode(errors="replace").strip()[-MAX_STDERR:]
    return f"{end}: {tail}" if tail else end


def _fault(call: Call, reason: str, func: str | None = None) -> EpisodeFault:
    metric = func or ", ".join(measure.func for measure in call.measures)
    return EpisodeFault(InvalidReason.EVALUATOR_ERROR, f"metric {metric}: {reason}")


def _environment(folder: Path) -> dict[str, str]:
    # One thread for numeric libraries: each thread's reserve of memory counts as memory.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), str(folder))
    return {**threads, **folders, "PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONPATH": str(SOURCES)}
