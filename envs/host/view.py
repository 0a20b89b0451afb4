"""The live view of a desktop, take-over by a person, and films of a session.

    POST /v1/sessions/{id}/view              {control}  -> {url_path, token}
    POST /v1/sessions/{id}/recording/start              -> {}
    POST /v1/sessions/{id}/recording/stop               -> mp4
    GET  /view/?token=...                               the page (noVNC, from the Debian package)
    WS   /view/ws?token=...                             RFB
    GET  /view/control?token=...                        -> {control, held, mine, seconds_left}
    POST /view/control?token=...             {held}     takes over, or hands back

Guarantees: a token is random and ends with its session, and so do its connections; input passes
only from a viewer whose token allows control and who has taken over, judged here message by
message, whatever the page says; what a viewer that hands back or leaves still holds is released.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from envs.desktop.desktop import Desktop
from envs.desktop.recording import NotRecording
from envs.desktop.rfb import (
    ClientStream,
    Event,
    KeyChange,
    Pointer,
    ProtocolError,
    key_up,
    pointer,
)
from envs.desktop.vnc import Grant, NoViewer, let_go
from envs.host.messages import json_reply, problem, read_body, with_problem_replies
from envs.host.service import Host

NOVNC = Path("/usr/share/novnc")
STATIC = Path(__file__).parent / "static"
PIECE = 1 << 16
LAST_WORDS_S = 2.0
QUIET_S = 0.15
"""What the person did last is on its way through x11vnc when the desktop is handed back."""
_BAD_TOKEN = 4401
_HEADERS = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws: wss:; "
    "img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'",
}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ViewBody(_Body):
    """Body of a request to watch or control."""

    control: bool = False


class ControlBody(_Body):
    """Body of a request to take or return control."""

    held: bool


def routes(desktop: Desktop, host: Host) -> list[BaseRoute]:
    """Routes of the live view and of recordings of the screen."""
    view = View(desktop, host)
    session_path = "/v1/sessions/{id}"
    require_token = host.require_token
    view_routes: list[BaseRoute] = [
        Route(f"{session_path}/view", require_token(view.grant), methods=["POST"]),
        Route(
            f"{session_path}/recording/start", require_token(view.start_recording), methods=["POST"]
        ),
        Route(
            f"{session_path}/recording/stop", require_token(view.stop_recording), methods=["POST"]
        ),
        Route("/view/", view.page),
        Route("/view/control", with_problem_replies(view.control), methods=["GET", "POST"]),
        WebSocketRoute("/view/ws", view.watch),
        Mount("/view/static", StaticFiles(directory=STATIC)),
    ]
    if NOVNC.is_dir():
        view_routes.append(Mount("/view/novnc", StaticFiles(directory=NOVNC, follow_symlink=True)))
    return view_routes


class View:
    """The live view of a desktop: watch, take over, record."""

    def __init__(self, desktop: Desktop, host: Host) -> None:
        self._desktop = desktop
        self._host = host

    def _no_session(self, request: Request) -> Response | None:
        if self._host.leases.get(request.path_params["id"]) is None:
            return problem(404, "No such session", "it was closed, or its lease expired")
        return None

    async def grant(self, request: Request) -> Response:
        """A token and URL to watch, or to control."""
        body = ViewBody.model_validate_json(await read_body(request) or b"{}")
        if missing := self._no_session(request):
            return missing
        token = self._desktop.viewers.grant(body.control).token
        return json_reply({"url_path": f"/view/?token={token}", "token": token})

    async def start_recording(self, request: Request) -> Response:
        """Starts a recording of the screen."""
        if missing := self._no_session(request):
            return missing
        desktop = self._desktop
        try:
            await desktop.recorder.start(
                desktop.processes, desktop.runtime, desktop.width, desktop.height
            )
        except NotRecording as error:
            return problem(503, "Not recording", str(error))
        return json_reply({})

    async def stop_recording(self, request: Request) -> Response:
        """Ends the recording: its mp4."""
        if missing := self._no_session(request):
            return missing
        try:
            return Response(await self._desktop.recorder.stop(), media_type="video/mp4")
        except NotRecording as error:
            return problem(409, "Not recording", str(error))

    def _find_grant(self, request: Request | WebSocket) -> Grant | None:
        return self._desktop.viewers.find(request.query_params.get("token", ""))

    async def page(self, request: Request) -> Response:
        """The viewer's HTML page."""
        if self._find_grant(request) is None:
            return problem(401, "Unauthorized", "the token is wrong, or its session has ended")
        if not NOVNC.is_dir():
            return problem(503, "No viewer", "noVNC is missing: apt-get install novnc")
        return FileResponse(STATIC / "view.html", headers=_HEADERS)

    async def control(self, request: Request) -> Response:
        """Takes or returns control of the desktop."""
        grant, takeover = self._find_grant(request), self._desktop.takeover
        if grant is None:
            return problem(401, "Unauthorized", "the token is wrong, or its session has ended")
        if request.method == "POST":
            if not grant.control:
                return problem(403, "View only", "this token does not allow control")
            if not ControlBody.model_validate_json(await read_body(request)).held:
                await self._hand_back(grant)
            elif not self._desktop.viewers.watching(grant):
                return problem(409, "Not watching", "connect a viewer with this token first")
            elif not takeover.take(grant):
                return problem(409, "Taken", "somebody else has taken over")
        return json_reply(
            {
                "control": grant.control,
                "held": takeover.seconds_left > 0,
                "mine": takeover.held_by(grant),
                "seconds_left": round(takeover.seconds_left, 1),
            }
        )

    async def _hand_back(self, grant: Grant) -> None:
        desktop = self._desktop
        if desktop.takeover.held_by(grant):
            try:
                if desktop.alive:
                    await desktop.settle(LAST_WORDS_S, QUIET_S)
                    await desktop.x.run(lambda: let_go(desktop.x11))
            finally:
                desktop.takeover.give(grant)

    async def watch(self, socket: WebSocket) -> None:
        """Refused with 403 before the handshake when the token is wrong."""
        grant, desktop = self._find_grant(socket), self._desktop
        if grant is None or not desktop.alive:
            await socket.close(_BAD_TOKEN)
            return
        offered = socket.scope.get("subprotocols", [])
        await socket.accept("binary" if "binary" in offered else None)
        reason = "the session has ended"
        try:
            async with desktop.viewers.connect_viewer(
                grant, desktop.processes, desktop.runtime
            ) as (
                reader,
                writer,
            ):
                await _Bridge(desktop, grant, socket, reader, writer).run()
                reason = "the desktop was started anew"
        except (NoViewer, ProtocolError) as error:
            reason = str(error)
        except asyncio.CancelledError:
            if desktop.viewers.find(grant.token) is not None:
                raise
        finally:
            if not desktop.viewers.watching(grant):
                await self._hand_back(grant)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(1011, reason[:120])


class _Bridge:
    """One viewer's connection, both ways, until either side ends it."""

    def __init__(
        self,
        desktop: Desktop,
        grant: Grant,
        socket: WebSocket,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._takeover = desktop.takeover
        self._grant, self._socket = grant, socket
        self._reader, self._writer = reader, writer
        self._keys: set[int] = set()
        self._pointer = Pointer(0, 0, 0)

    async def run(self) -> None:
        """Raises ProtocolError."""
        tasks = [
            asyncio.create_task(self._show()),
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._release_after()),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                with contextlib.suppress(WebSocketDisconnect, ConnectionError):
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._release()
            await self._read_to_the_end()

    async def _show(self) -> None:
        while data := await self._reader.read(PIECE):
            await self._socket.send_bytes(data)

    async def _listen(self) -> None:
        stream = ClientStream()
        while True:
            for message in stream.feed(await self._socket.receive_bytes()):
                if message.input:
                    if message.event is None or not self._acting:
                        continue
                    self._note(message.event)
                    self._takeover.record_event(message.event)
                self._writer.write(message.raw)
            await self._writer.drain()

    @property
    def _acting(self) -> bool:
        return self._grant.control and self._takeover.held_by(self._grant)

    def _note(self, event: Event) -> None:
        if isinstance(event, Pointer):
            self._pointer = event
        elif isinstance(event, KeyChange):
            (self._keys.add if event.down else self._keys.discard)(event.keysym)

    async def _release_after(self) -> None:
        """After each hand-back, also one by the limit."""
        while True:
            await asyncio.sleep(0.1)
            if not self._acting:
                self._release()

    async def _read_to_the_end(self) -> None:
        """x11vnc closes its side once it has done all that it was told."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(LAST_WORDS_S):
                self._writer.write_eof()
                while await self._reader.read(PIECE):
                    pass

    def _release(self) -> None:
        with contextlib.suppress(ConnectionError):
            for keysym in self._keys:
                self._writer.write(key_up(keysym))
            if self._pointer.buttons:
                self._pointer = Pointer(0, self._pointer.x, self._pointer.y)
                self._writer.write(pointer(self._pointer))
        self._keys.clear()
