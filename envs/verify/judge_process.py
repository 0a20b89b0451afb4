"""The process that `judge` starts: one call on standard input, one reply on standard output."""

from __future__ import annotations

import os
import resource
import sys

from envs.verify.judge_messages import Call, Limits, Reply, unpacked

MAX_ERROR = 2000


def limit(limits: Limits) -> None:
    # The second limit of processor time kills without a reason.
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s + 1))
    for kind, value in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def answer(call: Call) -> Reply:
    """Whatever goes wrong is in the reply: memory and depth of recursion are the call's own."""
    from envs.verify import metrics as _metrics  # noqa: F401  registers them
    from envs.verify import osworld
    from envs.verify.registry import COMPAT, METRICS

    if call.compat or call.metric not in METRICS:
        osworld.register()
    known = {**METRICS, **COMPAT} if call.compat else METRICS
    if call.metric not in known:
        return Reply(error="there is no such metric")
    try:
        return Reply(
            score=float(known[call.metric](*map(unpacked, call.arguments), **call.options))
        )
    except MemoryError:
        return Reply(error=f"wanted more than {call.limits.memory} bytes of memory")
    except Exception as error:
        return Reply(error=f"{type(error).__name__}: {error}"[:MAX_ERROR])


def main() -> None:
    call = Call.model_validate_json(sys.stdin.buffer.read())
    # What libraries print must not be taken for the reply.
    output = os.dup(1)
    os.dup2(2, 1)
    limit(call.limits)
    with os.fdopen(output, "wb") as stream:
        stream.write(answer(call).model_dump_json().encode())


if __name__ == "__main__":
    main()
