"""OSWorld's calls on files: /file, /list_directory, /setup/upload, /setup/download_file, wallpaper.

Guarantees: files are read and written below named folders only, links followed first; a file that
comes in is bounded by MAX_FILE, goes to disk as it comes, and takes its place whole or not at all.
"""

from __future__ import annotations

import asyncio
import io
import os
import secrets
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import aiohttp
from PIL import Image
from pydantic import Field
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from envs.desktop.desktop import Desktop
from envs.desktop.wallpaper import WallpaperError, path_of, set_wallpaper, wallpaper_uri
from envs.host.osworld_commands import Body
from envs.host.osworld_refusal import Refused
from envs.io.fetch import Bounds, FetchError, TooBig, fetch

MAX_FILE = 100 * 1024 * 1024
MAX_FORM = 64 * 1024
"""What a form may hold beside its file, bytes."""
MAX_ENTRIES = 10_000
DOWNLOAD = Bounds(MAX_FILE, whole_s=60.0)
READABLE = ("/etc", "/usr", "/opt")
WRITABLE = ("/tmp",)


class PathBody(Body):
    """A path in a request body."""

    path: str = Field(min_length=1, max_length=4096)


class Download(PathBody):
    """A URL, and the path it is stored at."""

    url: str = Field(max_length=4096)


def resolve_path(desktop: Desktop, path: str, write: bool = False) -> Path:
    """The place that `path` names, relative ones from the home folder. Raises Refused."""
    if path == "~" or path.startswith("~/"):
        path = f".{path[1:]}"
    try:
        place = (desktop.home / path).resolve()
    except (OSError, ValueError) as error:
        raise Refused(400, f"{path[:200]!r} is not a path: {error}") from error
    roots = [str(desktop.home.resolve()), *WRITABLE, *(() if write else READABLE)]
    if not any(place.is_relative_to(root) for root in roots):
        raise Refused(403, f"{place} is outside {', '.join(roots)}")
    return place


async def read_file(desktop: Desktop, form: dict[str, str]) -> Response:
    """The bytes of a file."""
    file = resolve_path(desktop, form.get("file_path", ""))
    if not file.is_file():
        raise Refused(404, f"there is no file {file}")
    return FileResponse(file, media_type="application/octet-stream")


async def list_directory(desktop: Desktop, call: PathBody) -> dict[str, Any]:
    """A folder's tree."""
    folder = resolve_path(desktop, call.path)
    if not folder.is_dir():
        raise Refused(400, f"{folder} is not a directory")
    return {"directory_tree": await asyncio.to_thread(_list_tree, folder)}


def _list_tree(folder: Path) -> dict[str, Any]:
    """Links are listed as files and not followed. Raises Refused over MAX_ENTRIES."""
    tree: dict[str, Any] = {"type": "directory", "name": folder.name, "children": []}
    pending, count = [(folder, tree)], 0
    while pending:
        folder_path, node = pending.pop()
        try:
            entries = sorted(os.scandir(folder_path), key=lambda entry: entry.name)
        except (PermissionError, FileNotFoundError):
            continue
        for entry in entries:
            count += 1
            if count > MAX_ENTRIES:
                raise Refused(400, f"{folder} holds more than {MAX_ENTRIES} files")
            child: dict[str, Any] = {"type": "file", "name": entry.name}
            if entry.is_dir(follow_symlinks=False):
                child = {"type": "directory", "name": entry.name, "children": []}
                pending.append((Path(entry.path), child))
            node["children"].append(child)
    return tree


async def upload(desktop: Desktop, request: Request) -> str:
    """A multipart form of file_path and file_data."""
    try:
        parser = MultiPartParser(request.headers, _read_limited(request), max_files=1, max_fields=8)
        form = await parser.parse()
    except (MultiPartException, KeyError) as error:
        raise Refused(400, f"send a multipart form of file_path and file_data: {error}") from error
    try:
        path, data = form.get("file_path"), form.get("file_data")
        if not isinstance(path, str) or not isinstance(data, UploadFile):
            raise Refused(400, "send file_path as a field and file_data as a file")
        place = resolve_path(desktop, path, write=True)
        await asyncio.to_thread(_put, data.file, place)
    finally:
        await form.close()
    return f"File Uploaded: {place.stat().st_size} bytes to {place}"


async def _read_limited(request: Request) -> AsyncGenerator[bytes, None]:
    limit = MAX_FILE + MAX_FORM
    size = int(request.headers.get("content-length") or 0)
    if size <= limit:
        size = 0
        async for piece in request.stream():
            size += len(piece)
            if size > limit:
                break
            yield piece
    if size > limit:
        raise Refused(413, f"the file is larger than {MAX_FILE} bytes, the most that is taken")


def _put(data: BinaryIO, place: Path) -> None:
    _make_folder(place)
    partial = place.with_name(f".{place.name[:200]}.{secrets.token_hex(4)}")
    try:
        with partial.open("wb") as file:
            shutil.copyfileobj(data, file, 1 << 20)
        partial.replace(place)
    except OSError as error:
        raise Refused(400, f"{place} cannot be written: {error}") from error
    finally:
        partial.unlink(missing_ok=True)


def _make_folder(place: Path) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(400, f"{place.parent} cannot be made: {error}") from error


async def download(desktop: Desktop, call: Download) -> str:
    """Downloads a file from a URL."""
    place = resolve_path(desktop, call.path, write=True)
    if urlsplit(call.url).scheme not in ("http", "https"):
        raise Refused(400, f"only http and https addresses are fetched, not {call.url[:200]}")
    _make_folder(place)
    try:
        async with aiohttp.ClientSession() as http:
            fetched = await fetch(http, call.url, place, DOWNLOAD)
    except TooBig as error:
        raise Refused(413, str(error)) from error
    except FetchError as error:
        raise Refused(502, str(error)) from error
    except OSError as error:
        raise Refused(400, f"{place} cannot be written: {error}") from error
    return f"File downloaded: {fetched.bytes} bytes to {place}"


async def change_wallpaper(desktop: Desktop, call: PathBody) -> str:
    """Shows a picture as wallpaper."""
    picture = resolve_path(desktop, call.path)
    if not picture.is_file():
        raise Refused(404, f"there is no file {picture}")
    try:
        await set_wallpaper(desktop.processes, picture)
    except WallpaperError as error:
        raise Refused(500, str(error)) from error
    return "Wallpaper changed successfully"


async def wallpaper(desktop: Desktop) -> Response:
    """The wallpaper picture; before one was set, what the screen shows behind all windows."""
    path = path_of(await wallpaper_uri(desktop.processes))
    if not path or (path.startswith("/usr/") and not Path(path).exists()):
        # The setting's default names a picture of a package that is not installed.
        return Response(_plain_picture(desktop), media_type="image/png")
    picture = resolve_path(desktop, path)
    if not picture.is_file():
        raise Refused(404, f"the wallpaper is {path}, and there is no such file")
    return FileResponse(picture)


def _plain_picture(desktop: Desktop) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (desktop.width, desktop.height)).save(data, "PNG")
    return data.getvalue()
