"""The process that `judge` starts: one call on standard input, one reply on standard output."""

from __future__ import annotations

import os
import resource
import sys

from envs.verify.evidence import Data, File, Files, Measure, unpacked
from envs.verify.judge_messages import Call, Limits, Reply
from envs.verify.metric_modules import import_metric
from envs.verify.registry import COMPAT, METRICS

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
    scores: list[float | None] = []
    for measure in call.measures:
        try:
            scores.append(float(score(measure, call)))
        except MemoryError:
            error = f"wanted more than {call.limits.memory} bytes of memory"
            return Reply(func=measure.func, error=error)
        except Exception as fault:
            error = f"{type(fault).__name__}: {fault}"[:MAX_ERROR]
            return Reply(func=measure.func, error=error)
    return Reply(scores=scores)


def score(measure: Measure, call: Call) -> float:
    """Raises LookupError for an unknown metric, and whatever a metric raises."""
    missing = import_metric(measure.func)
    known = {**METRICS, **COMPAT} if call.compat else METRICS
    if measure.func not in known:
        hint = f"; not installed: {', '.join(missing)}" if missing else ""
        raise LookupError(f"there is no such metric{hint}")
    arguments = [
        unpacked(value, call.folder)
        for value in (measure.result, measure.expected)
        if isinstance(value, Data | File | Files)
    ]
    return known[measure.func](*arguments, **measure.options)


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
