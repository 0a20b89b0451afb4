"""The process that `judge` starts: one call on standard input, one reply on standard output."""

from __future__ import annotations

import os
import resource
import sys

from envs.osworld.outside.judge_messages import Call, Limits, Reply
from envs.osworld.outside.metric_modules import load_compat_metric, load_metric
from envs.state.evidence import Data, File, Files, Measure, unpack_value

MAX_ERROR = 2000


def set_limits(limits: Limits) -> None:
    """Limits this process for good."""
    # At the soft limit of processor time comes SIGXCPU, at the hard one SIGKILL, which has no name.
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s + 1))
    for kind, value in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def run_metrics(call: Call) -> Reply:
    """Scores all measures. Any error goes into the reply."""
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
    compat = load_compat_metric(measure.func) if call.compat else None
    metric = compat or load_metric(measure.func)
    arguments = [
        unpack_value(value, call.folder)
        for value in (measure.result, measure.expected)
        if isinstance(value, Data | File | Files)
    ]
    return metric(*arguments, **measure.options)


def main() -> None:
    """Reads the call, scores, writes the reply."""
    call = Call.model_validate_json(sys.stdin.buffer.read())
    # Libraries may print: only the reply goes to the real standard output.
    output = os.dup(1)
    os.dup2(2, 1)
    set_limits(call.limits)
    with os.fdopen(output, "wb") as stream:
        stream.write(run_metrics(call).model_dump_json().encode())


if __name__ == "__main__":
    main()
