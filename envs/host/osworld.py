"""OSWorld's in-VM HTTP interface, answered by the desktop host, so that its published client works.

    GET  /screenshot /terminal /accessibility /platform /cursor_position
    POST /execute /execute_with_verification /run_python /run_bash_script /screen_size /window_size
         /desktop_path /wallpaper /list_directory /file /start_recording /end_recording
         /setup/{execute, execute_with_verification, launch, upload, change_wallpaper,
         download_file, open_file, activate_window, close_window}

Guarantees: the host's token is wanted, unless the host is open (then no web page may call it, as
one could from a browser on this machine); commands run only where the host allows a shell; a call
whose connection broke is not run again when it is sent again (`envs.host.repeats`); a picture is
made in memory for its caller; what fails is answered with the reason as `message` and `error`.
"""

from __future__ import annotations

import platform
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import orjson
import xcffib
from pydantic import BaseModel, ValidationError
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from envs.contract.observations import ScreenshotRequest
from envs.contract.validation import describe_first
from envs.desktop.a11y import AccessError
from envs.desktop.desktop import Desktop
from envs.desktop.recording import NotRecording
from envs.desktop.screen import encode
from envs.desktop.tree_xml import terminal_text, tree_xml
from envs.host import osworld_commands as commands
from envs.host import osworld_files as files
from envs.host import osworld_windows as windows
from envs.host.guard import Guard
from envs.host.messages import MAX_BODY, TooLarge, read_body
from envs.host.osworld_refusal import Refused
from envs.host.repeats import Repeats

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
Answer = Callable[[Desktop, Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Call:
    """`body`: model of the JSON body, dict for a form, Request for the request itself, None for
    neither. `shell`: runs commands. `once`: not idempotent."""

    paths: tuple[str, ...]
    body: type | None
    answer: Answer
    shell: bool = False
    once: bool = False
    method: str = "POST"


async def screenshot(desktop: Desktop, _: None) -> Response:
    """The screen as PNG."""
    picture = await desktop.x.run(desktop.screen.picture)
    png = await desktop.x.run(lambda: encode(picture, ScreenshotRequest(format="png")))
    return Response(png, media_type="image/png", headers={"Cache-Control": "no-store"})


async def accessibility(desktop: Desktop, _: None) -> dict[str, str]:
    """The accessibility tree as XML."""
    return {"AT": await tree_xml(desktop.a11y)}


async def terminal(desktop: Desktop, _: None) -> dict[str, str | None]:
    """What the terminal window shows."""
    return {"output": await terminal_text(desktop.a11y), "status": "success"}


async def os_name(desktop: Desktop, _: None) -> str:
    """The name of the operating system."""
    return platform.system()


async def cursor_position(desktop: Desktop, _: None) -> list[int]:
    """Where the pointer is."""
    return list(await desktop.x.run(desktop.input.position))


async def screen_size(desktop: Desktop, _: None) -> dict[str, int]:
    """Width and height of the screen in pixels."""
    return {"width": desktop.width, "height": desktop.height}


async def desktop_path(desktop: Desktop, _: None) -> dict[str, str]:
    """The path of the desktop folder."""
    return {"desktop_path": str(desktop.home / "Desktop")}


async def wallpaper(desktop: Desktop, _: None) -> Response:
    """The wallpaper picture."""
    return await files.wallpaper(desktop)


async def start_recording(desktop: Desktop, _: None) -> dict[str, str]:
    """Starts a recording of the screen."""
    await desktop.recorder.start(desktop.processes, desktop.runtime, desktop.width, desktop.height)
    return {"status": "success", "message": "Started recording"}


async def end_recording(desktop: Desktop, _: None) -> Response:
    """Ends the recording: its mp4."""
    return Response(await desktop.recorder.stop(), media_type="video/mp4")


CALLS = (
    Call(("/screenshot",), None, screenshot, method="GET"),
    Call(("/accessibility",), None, accessibility, method="GET"),
    Call(("/terminal",), None, terminal, method="GET"),
    Call(("/platform",), None, os_name, method="GET"),
    Call(("/cursor_position",), None, cursor_position, method="GET"),
    Call(("/screen_size",), None, screen_size),
    Call(("/desktop_path",), None, desktop_path),
    Call(("/wallpaper",), None, wallpaper),
    Call(("/window_size",), dict, windows.window_size),
    Call(("/file",), dict, files.read_file),
    Call(("/list_directory",), files.PathBody, files.list_directory),
    Call(("/execute", "/setup/execute"), commands.Command, commands.execute, True, True),
    Call(
        ("/execute_with_verification", "/setup/execute_with_verification"),
        commands.VerifiedCommand,
        commands.execute_with_verification,
        True,
        True,
    ),
    Call(("/setup/launch",), commands.Command, commands.launch, True, True),
    Call(("/run_python",), commands.Code, commands.run_python, True, True),
    Call(("/run_bash_script",), commands.Script, commands.run_bash_script, True, True),
    Call(("/setup/upload",), Request, files.upload),
    Call(("/setup/download_file",), files.Download, files.download, once=True),
    Call(("/setup/change_wallpaper",), files.PathBody, files.change_wallpaper),
    Call(("/setup/open_file",), files.PathBody, windows.open_file, once=True),
    Call(("/setup/activate_window",), windows.WindowBody, windows.activate),
    Call(("/setup/close_window",), windows.WindowBody, windows.close, once=True),
    Call(("/start_recording",), None, start_recording, once=True),
    Call(("/end_recording",), None, end_recording, once=True),
)


def routes(desktop: Desktop, guard: Guard, allow_shell: bool) -> list[Route]:
    """All routes of OSWorld's in-VM server."""
    repeats = Repeats()
    return [
        Route(path, _endpoint(call, desktop, guard, allow_shell, repeats), methods=[call.method])
        for call in CALLS
        for path in call.paths
    ]


def _endpoint(
    call: Call, desktop: Desktop, guard: Guard, allow_shell: bool, repeats: Repeats
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        if not guard.admits(request.headers.get("authorization", ""), request.scope.get("server")):
            return _failure(401, "send the host's token as Bearer")
        if guard.open and _from_a_page(request):
            return _failure(403, "this host has no token, so it answers no web page")
        if call.shell and not allow_shell:
            return _failure(403, "running commands is not allowed: start it with --allow-shell")
        if not desktop.alive:
            return _failure(503, "the desktop does not run")
        if call.body is Request:
            return await _run_call(call, desktop, request)
        try:
            body = await read_body(request)
            arguments = await _parse_body(call, request, body)
        except MultiPartException as error:
            return _failure(400, f"no multipart form: {error}")
        except TooLarge:
            return _failure(413, f"the body is over {MAX_BODY} bytes")
        except ValidationError as error:
            return _failure(400, describe_first(error, "body")[:500])
        if call.once:
            return await repeats.once(request, body, lambda: _run_call(call, desktop, arguments))
        return await _run_call(call, desktop, arguments)

    return endpoint


def _from_a_page(request: Request) -> bool:
    """By what browsers say; a page that renames loopback is known by the name it used."""
    headers = request.headers
    host = headers.get("host", "").rsplit(":", 1)[0] if "host" in headers else ""
    return "origin" in headers or "sec-fetch-site" in headers or host not in LOOPBACK


async def _parse_body(call: Call, request: Request, body: bytes) -> Any:
    """Raises ValidationError or MultiPartException."""
    if call.body is None:
        return None
    if issubclass(call.body, BaseModel):
        return call.body.model_validate_json(body)
    if request.headers.get("content-type", "").startswith("multipart/form-data"):

        async def whole() -> AsyncGenerator[bytes, None]:
            yield body

        try:
            form = await MultiPartParser(request.headers, whole(), max_fields=8).parse()
        except KeyError as error:
            raise MultiPartException(f"it has no {error}") from error
        return {name: value for name, value in form.items() if isinstance(value, str)}
    return dict(parse_qsl(body.decode("utf-8", "replace"), max_num_fields=8))


async def _run_call(call: Call, desktop: Desktop, arguments: Any) -> Response:
    try:
        value = await call.answer(desktop, arguments)
    except Refused as refused:
        return _failure(refused.status, str(refused))
    except NotRecording as error:
        return _failure(400, str(error))
    except (AccessError, TimeoutError, xcffib.ConnectionException) as error:
        return _failure(503, f"the desktop does not answer: {error!r}")
    if isinstance(value, Response):
        return value
    if isinstance(value, str):
        return PlainTextResponse(value)
    return Response(orjson.dumps(value), media_type="application/json")


def _failure(status: int, why: str) -> Response:
    body = {"status": "error", "message": why, "error": why}
    return Response(orjson.dumps(body), status, media_type="application/json")
