"""A gym whose pages are those of an application of others.

Tasks, expected states and verdicts are the kit's: success means the state that the task asks for,
compared with the one in the application's own database. Guarantees: the state before is computed
from the world, and a session whose database says otherwise does not begin.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from datetime import UTC, datetime, time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.contract.task import Task
from envs.gyms.kit.app import SHARED_STATE, App
from envs.gyms.kit.company import Company
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.template import Template
from envs.gyms.real.application import Application, Cookies, PageRequest, WorldCopy
from envs.gyms.real.copies import DataCopies, check_links
from envs.gyms.real.server_box import ServerBox
from envs.gyms.server.gym import ApplicationFailed, State
from envs.state.canonical import diff

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from envs.gyms.real.forwarding import ApplicationSession

log = logging.getLogger(__name__)
MORNING = time(9, 0, tzinfo=UTC)
TITLE = re.compile(rb"<title>(.*?)</title>", re.DOTALL)
METHODS = ["GET", "HEAD", "POST"]


class ApplicationGym(AppGym[Company]):
    """See `envs.gyms.server.gym.WebGym` and `ApplicationOwned`. `start`: the path of the first
    page, below /<name>."""

    def __init__(
        self,
        application: Application,
        app: App[Company],
        templates: Sequence[Template[Company]],
        start: str = "/",
    ) -> None:
        super().__init__(application.name, (app,), templates)
        self._application, self._start = application, start
        self._running: _Running | None = None

    def start_path(self, task: Task) -> str:
        """The application's front page."""
        return f"/{self.name}{self._start}"

    def routes(self) -> list[Route]:
        """All paths below the gym's name."""
        # Only the gym server needs a web framework; verdicts and tasks are made elsewhere too.
        from starlette.routing import Route

        return [Route(f"/{self.name}/{{path:path}}", self._show, methods=METHODS)]

    async def open_session(self, key: str, task: Task) -> None:
        """The application at the start of the task. Raises ApplicationFailed."""
        await self._get_running().open(key, self.make_world(task.seed))

    async def read_state(self, key: str, log: list[str]) -> State:
        """The state in the application's files. Raises ApplicationFailed."""
        state = await self._get_running().read_state(key)
        return {**SHARED_STATE, "log": log, self.name: state}

    async def copy_session(self, key: str, to: str) -> None:
        """Data, cookies and clock. Raises ApplicationFailed."""
        await self._get_running().copy(key, to)

    def close_session(self, key: str) -> None:
        """Removes its data."""
        if self._running is not None:
            self._running.close(key)

    async def stop(self) -> None:
        """Ends the server and removes all data."""
        if self._running is not None:
            running, self._running = self._running, None
            await running.stop()

    def _get_running(self) -> _Running:
        # Begins with the first session: a server of many gyms starts no application in vain.
        if self._running is None:
            self._running = _Running(self._application)
        return self._running

    async def _show(self, request: Request) -> Response:
        from starlette.responses import HTMLResponse, Response

        from envs.gyms.real.forwarding import get_target, read_body, read_fields

        session = request.scope["gym_session"]
        body = await read_body(request)
        if body is None:
            return Response("this form is too large", 413)
        if request.method == "POST":
            session.record_post(get_target(request), await read_fields(request, body))
        try:
            response = await self._get_running().show(session.key, request, body)
        except ApplicationFailed as failure:
            log.exception("%s", self.name)
            session.crash = f"{request.method} {request.url.path}: {failure}"[:300]
            return HTMLResponse("<h1>The application failed</h1><p>Try again later.</p>", 502)
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            # The application's own failure on the agent's input is its answer, and is judged.
            title = TITLE.search(bytes(response.body))
            text = title[1].decode(errors="replace") if title else "without a title"
            session.crash = f"{response.status_code} {get_target(request)}: {text}"[:300]
        shown = PageRequest(
            method=request.method,
            path=request.url.path.removeprefix(f"/{self.name}"),
            query=request.query_params,
            pairs=request.query_params.multi_items(),
            status=response.status_code,
        )
        for event in self._application.list_events(shown):
            self.apps[0].log_event(session.state, event)
        return response


class _Running:
    """The application's server, its data, and the sessions in them."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._copies = DataCopies(application.name)
        self._server = ServerBox(
            application.server_command(), self._copies.data, self._copies.sockets
        )
        self._sessions: dict[str, ApplicationSession] = {}
        self._lock = asyncio.Lock()

    async def open(self, key: str, world: Company) -> None:
        from envs.gyms.real.forwarding import ApplicationSession

        await self._install()
        clock = start_of(world)

        async def fill(name: str, folder: Path) -> Cookies:
            return await self._fill(WorldCopy(name=name, folder=folder, clock=clock), world)

        cookies = await self._copies.copy_world(world.seed, key, fill)
        self._sessions[key] = ApplicationSession(self._copies.name_of(key), clock, cookies)

    async def read_state(self, key: str) -> State:
        session = self._get(key)
        await session.wait_idle()
        return await asyncio.to_thread(self._read, self._copies.folder_of(key))

    def _read(self, folder: Path) -> State:
        check_links(folder)
        return self._application.read_state(folder)

    async def copy(self, key: str, to: str) -> None:
        from envs.gyms.real.forwarding import ApplicationSession

        session = self._get(key)
        await session.wait_idle()
        await self._copies.copy_session(key, to)
        name = self._copies.name_of(to)
        self._sessions[to] = ApplicationSession(name, session.clock, dict(session.cookies))

    def close(self, key: str) -> None:
        if self._sessions.pop(key, None) is not None:
            self._copies.drop(key)

    async def show(self, key: str, request: Request, body: bytes) -> Response:
        from envs.gyms.real.forwarding import forward

        return await forward(self._get(key), await self._server.start(), request, body)

    async def stop(self) -> None:
        await self._server.stop()
        self._copies.remove()

    def _get(self, key: str) -> ApplicationSession:
        if key not in self._sessions:
            raise ApplicationFailed("the session has no data: it was never opened, or is closed")
        return self._sessions[key]

    async def _install(self) -> None:
        async with self._lock:
            if not self._copies.pristine.exists():
                await self._application.install(self._copies.pristine)

    async def _fill(self, copy: WorldCopy, world: Company) -> Cookies:
        http = await self._server.start()
        cookies = await self._application.fill(http, copy, world)
        state: Any = await asyncio.to_thread(self._application.read_state, copy.folder)
        changes = diff(self._application.make_state(world), state)
        if changes:
            message = f"world {world.seed} is not as computed: {changes[0]}"
            raise ApplicationFailed(message[:500])
        return cookies


def start_of(world: Company) -> int:
    """The clock of a world's sessions: the morning of its day."""
    return int(datetime.combine(datetime.fromisoformat(world.today), MORNING).timestamp())
