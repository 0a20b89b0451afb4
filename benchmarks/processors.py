"""How busy all processors of this machine are, whoever works on them: a `ProcessorLog` notes it
while something runs, so that the share of any span within can be asked for afterwards."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, bisect_right
from types import TracebackType
from typing import Self

import psutil

SAMPLE_S = 0.25
JOIN_S = 10.0


def busy_s() -> float:
    """Seconds that all processors have worked since the machine started."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system + times.irq + times.softirq)


def busy_share(samples: list[tuple[float, float]], began: float, ended: float, cpus: int) -> float:
    """Share of `cpus` processors' time that was worked between two moments, of samples (moment,
    seconds worked until then), the oldest first: of the widest span of samples within. Raises
    ValueError where fewer than two samples are within."""
    moments = [moment for moment, _ in samples]
    first, last = bisect_left(moments, began), bisect_right(moments, ended) - 1
    if last <= first:
        raise ValueError(f"fewer than two samples between {began:.1f} and {ended:.1f}")
    (since, before), (until, after) = samples[first], samples[last]
    return (after - before) / (cpus * (until - since))


class ProcessorLog:
    """Samples `busy_s` while its block runs; moments are those of `time.time`."""

    def __init__(self) -> None:
        self._samples: list[tuple[float, float]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="processor-log", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join(JOIN_S)

    def share(self, began: float, ended: float) -> float:
        """Of all processors' time between two moments of the block. Raises ValueError where it
        has fewer than two samples between them."""
        return busy_share(self._samples, began, ended, psutil.cpu_count() or 1)

    def _sample(self) -> None:
        while True:
            self._samples.append((time.time(), busy_s()))
            if self._stop.wait(SAMPLE_S):
                return
