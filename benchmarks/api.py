"""`deskhand bench api`: what clients wait for while tasks run and consoles are open.

The real API serves, with a database and artifacts of its own; `episodes` leased tasks record a step
with a picture a second, as workers do. Each of `clients` asks for something every PAUSE_S: a task,
the newest tasks, a search, a trajectory, each on a connection that stays open; every fifth follows
a task's events instead. Each of `consoles` asks for what an open page asks for, each second.
`api.read_ms` is the time from a client's request to its whole answer. The clients run in this
process, so their own share of the processors is in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from rich.console import Console

from agent_server.api.sign_in import COOKIE, make_cookie
from agent_server.settings import Settings
from benchmarks.console import STOP_S, record_pictures, serve_api, start_sessions
from benchmarks.figures import Figure, number, percentiles, rate
from benchmarks.result import report

PAUSE_S = 5.0
"""Between two requests of a client."""
CONSOLE_S = 1.0
LIMIT_S = 60.0
FOLLOWING = 5
"""One client in so many follows events."""
CONSOLE_PATHS = ("/console/tasks", "/console/wall", "/console/tasks/{task}")


@dataclass(slots=True)
class Answers:
    """What came back. `errors`: by what went wrong."""

    read_ms: list[float] = field(default_factory=list)
    console_ms: list[float] = field(default_factory=list)
    events: int = 0
    errors: dict[str, int] = field(default_factory=dict)

    def fail(self, what: str) -> None:
        """Count an error."""
        self.errors[what] = self.errors.get(what, 0) + 1


def run(json: Path | None, clients: int, episodes: int, consoles: int, seconds: float) -> None:
    """Measures, prints the figures and writes them to `json`."""
    terminal = Console()
    with tempfile.TemporaryDirectory(
        prefix="deskhand-bench-", ignore_cleanup_errors=True
    ) as folder:
        settings = Settings(run_dir=Path(folder), api_key=secrets.token_urlsafe(16), lease_s=3600)
        with serve_api(settings) as url, running_tasks(url, settings, episodes) as task_ids:
            load = Load(url, settings, task_ids)
            with terminal.status(f"{clients} clients and {consoles} consoles for {seconds:g} s"):
                answers = asyncio.run(load.run(clients, consoles, seconds))
    for what, count in answers.errors.items():
        terminal.print(f"{count} times: {what}", highlight=False)
    report(make_figures(answers, clients, episodes, seconds), terminal, json)


def make_figures(
    answers: Answers, clients: int, episodes: int, seconds: float
) -> dict[str, Figure]:
    """The figures of one measurement."""
    figures = {
        "api.clients": number(clients, "clients"),
        "api.episodes": number(episodes, "episodes"),
        "api.errors": number(sum(answers.errors.values()), "errors"),
        "api.read_ms": percentiles(answers.read_ms, "ms"),
        "api.reads": rate(len(answers.read_ms), seconds, "reads/s"),
        "api.events": rate(answers.events, seconds, "events/s"),
    }
    if answers.console_ms:
        figures["api.console_ms"] = percentiles(answers.console_ms, "ms")
    return figures


@contextlib.contextmanager
def running_tasks(url: str, settings: Settings, count: int) -> Iterator[list[str]]:
    """Ids of tasks that record a step with a picture a second."""
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        recorders = list(start_sessions(url, settings, count, stack))
        thread = threading.Thread(target=record_pictures, args=(recorders, {}, stop), daemon=True)
        thread.start()
        try:
            yield [task_id for task_id, _ in recorders]
        finally:
            stop.set()
            thread.join(STOP_S)


class Load:
    """Clients and consoles of one server."""

    def __init__(self, url: str, settings: Settings, task_ids: list[str]) -> None:
        self._url, self._task_ids = url, task_ids
        self._key = {"Authorization": f"Bearer {settings.api_key}"}
        self._cookie = {COOKIE: make_cookie(settings.api_key, time.time())}
        self._answers = Answers()

    async def run(self, clients: int, consoles: int, seconds: float) -> Answers:
        """All at once, for so long."""
        deadline = time.monotonic() + seconds
        async with contextlib.AsyncExitStack() as stack:
            reading = [
                self._follow(await self._open(stack, self._key), index, deadline)
                if index % FOLLOWING == 0
                else self._read(await self._open(stack, self._key), index, deadline)
                for index in range(clients)
            ]
            watching = [
                self._watch(await self._open(stack, {}, self._cookie), index, deadline)
                for index in range(consoles)
            ]
            await asyncio.gather(*reading, *watching)
        return self._answers

    async def _open(
        self,
        stack: contextlib.AsyncExitStack,
        headers: dict[str, str],
        cookies: dict[str, str] | None = None,
    ) -> aiohttp.ClientSession:
        """A client with a connection of its own."""
        session = aiohttp.ClientSession(
            self._url,
            headers=headers,
            cookies=cookies,
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            timeout=aiohttp.ClientTimeout(total=LIMIT_S),
        )
        return await stack.enter_async_context(session)

    async def _read(self, link: aiohttp.ClientSession, index: int, deadline: float) -> None:
        choose = random.Random(index)
        await asyncio.sleep(choose.uniform(0, PAUSE_S))
        while time.monotonic() < deadline:
            task_id = choose.choice(self._task_ids)
            paths = (
                f"/v1/tasks/{task_id}",
                "/v1/tasks?limit=20",
                f"/v1/tasks?text=session+{choose.randrange(len(self._task_ids))}",
                f"/v1/tasks/{task_id}/trajectory?limit=10",
            )
            await self._get(link, choose.choice(paths), self._answers.read_ms)
            await asyncio.sleep(choose.uniform(0.5, 1.5) * PAUSE_S)

    async def _watch(self, link: aiohttp.ClientSession, index: int, deadline: float) -> None:
        path = CONSOLE_PATHS[index % len(CONSOLE_PATHS)]
        path = path.format(task=self._task_ids[index % len(self._task_ids)])
        # Pages are opened at any time: all at one moment would ask in step with each other.
        await asyncio.sleep(random.Random(index).uniform(0, CONSOLE_S))
        while time.monotonic() < deadline:
            # As htmx asks for the parts of an open page that change.
            await self._get(link, path, self._answers.console_ms, {"HX-Request": "true"})
            await asyncio.sleep(CONSOLE_S)

    async def _get(
        self,
        link: aiohttp.ClientSession,
        path: str,
        times_ms: list[float],
        headers: dict[str, str] | None = None,
    ) -> None:
        since = time.monotonic()
        try:
            async with link.get(path, headers=headers, allow_redirects=False) as reply:
                await reply.read()
                if reply.status not in (200, 404) or (reply.status == 404 and "traj" not in path):
                    self._answers.fail(f"{path.partition('?')[0]} answered {reply.status}")
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self._answers.fail(f"no answer: {error!r}")
        else:
            times_ms.append((time.monotonic() - since) * 1000)

    async def _follow(self, link: aiohttp.ClientSession, index: int, deadline: float) -> None:
        task_id = self._task_ids[index % len(self._task_ids)]
        try:
            async with (
                asyncio.timeout_at(asyncio.get_running_loop().time() + deadline - time.monotonic()),
                link.get(f"/v1/tasks/{task_id}/events", timeout=aiohttp.ClientTimeout()) as reply,
            ):
                if reply.status != 200:
                    self._answers.fail(f"events answered {reply.status}")
                async for line in reply.content:
                    self._answers.events += line.startswith(b"event:")
        except TimeoutError:
            return  # the measurement is over
        except (aiohttp.ClientError, OSError, ValueError) as error:
            self._answers.fail(f"events: {error!r}")
            return
        self._answers.fail("a stream of events ended early")
