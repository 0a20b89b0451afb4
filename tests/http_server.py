"""A real HTTP server of a test's own, on 127.0.0.1, in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator

from aiohttp import web


@contextlib.contextmanager
def serving(make: Callable[[asyncio.Event], web.Application]) -> Iterator[str]:
    """The server's URL. `make` is told an event that is set when the server has to end, for
    answers that never come."""
    urls: list[str] = []
    ready, stopped = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        runner = web.AppRunner(make(stopped), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        urls.append(f"http://{host}:{port}")
        ready.set()
        await stopped.wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(10)
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(10)
        loop.close()
