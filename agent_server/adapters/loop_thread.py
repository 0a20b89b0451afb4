"""An event loop in a thread of its own, for callers that have none.

Guarantees: what was entered is left by `close`, in reverse order, also when the interpreter ends;
`call` waits for a bounded time.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, TypeVar

T = TypeVar("T")
CALL_S, START_S, CLOSE_S = 60.0, 120.0, 20.0


class LoopThread:
    """Starts with its construction."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="deskhand-loop", daemon=True
        )
        self._thread.start()
        self._stack = AsyncExitStack()
        atexit.register(self.close)

    def call(self, work: Coroutine[Any, Any, T], timeout_s: float = CALL_S) -> T:
        """The result of `work` on the event loop. Raises TimeoutError."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(timeout_s)
        except TimeoutError:
            future.cancel()
            raise

    def enter(self, context: AbstractAsyncContextManager[T]) -> T:
        """Enters a context until `close`; closes everything if that fails."""
        try:
            return self.call(self._stack.enter_async_context(context), START_S)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leaves all contexts and ends the thread; a second call does nothing."""
        atexit.unregister(self.close)
        if not self._thread.is_alive():
            return
        try:
            self.call(self._stack.aclose(), CLOSE_S)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(CLOSE_S)
            self._loop.close()
