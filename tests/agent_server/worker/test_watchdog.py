"""A loop that runs is left alone, however short the limit."""

from __future__ import annotations

import asyncio
import threading

from agent_server.worker.watchdog import TURN_S, Watchdog


def test_a_loop_that_runs_is_alive() -> None:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    watchdog = Watchdog(loop, limit_s=60)
    watchdog.start()
    try:
        threading.Event().wait(3 * TURN_S)
        assert watchdog.is_loop_alive
    finally:
        watchdog.stop()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
