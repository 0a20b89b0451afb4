"""The end of a call that takes too long.

A tool that went on would change documents after its caller has read that it failed. A call that
LibreOffice carries out ends by itself; before the tool's next line, Python raises an exception in
its thread.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class DeadlinePassed(BaseException):
    """Not an Exception, so that no tool takes it for a mistake of LibreOffice."""


def call_until(deadline: float, work: Callable[[], Result]) -> Result:
    """What `work` returns. Raises DeadlinePassed at `deadline` (`time.monotonic`)."""
    left_s = deadline - time.monotonic()
    if left_s <= 0:
        raise DeadlinePassed
    thread, has_ended, lock = threading.get_ident(), False, threading.Lock()

    def interrupt() -> None:
        with lock:
            if not has_ended:
                _raise_in(thread, ctypes.py_object(DeadlinePassed))

    timer = threading.Timer(left_s, interrupt)
    timer.daemon = True
    timer.start()
    try:
        return work()
    finally:
        timer.cancel()
        with lock:
            has_ended = True
        # One that was raised since `work` ended must not meet the thread's next call.
        _raise_in(thread, ctypes.py_object())


def _raise_in(thread: int, exception: object) -> None:
    """At the thread's next line; without an exception none is any more."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)
