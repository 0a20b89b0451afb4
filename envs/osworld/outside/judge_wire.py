"""What goes over the socket of a judge: a call with the files that it judges, and the reply.

A call is the length of a JSON text (4 bytes), the text of a `Request`, and the content of each file
of its measures, once, in the order in which they name it. The reply is the JSON of a `Reply` and
the end of the stream.

Guarantees: whoever sends, nothing is written outside the folder of the call, and no more than
MAX_TEXT and MAX_FILES bytes.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import struct
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from envs.osworld.outside.judge_messages import Limits
from envs.state.evidence import PIECE, File, Files, Measure

MAX_TEXT = 64 * 1024 * 1024
MAX_FILES = 512 * 1024 * 1024
_LENGTH = struct.Struct("!I")


class Request(BaseModel):
    """A call without its folder, which the judge chooses."""

    model_config = ConfigDict(extra="forbid")
    measures: list[Measure]
    compat: bool
    limits: Limits


class WireError(Exception):
    """What came is no call, or a file is not what the call says."""


def files_of(measures: Sequence[Measure]) -> list[File]:
    """Each file that these measures name, once. Raises WireError where they are too large."""
    files: dict[str, File] = {}
    for measure in measures:
        for value in (measure.result, measure.expected):
            listed = value.files if isinstance(value, Files) else (value,)
            files |= {file.path: file for file in listed if isinstance(file, File)}
    if sum(file.bytes for file in files.values()) > MAX_FILES:
        raise WireError(f"the files of the call are larger than {MAX_FILES} bytes in all")
    return list(files.values())


async def send_call(writer: asyncio.StreamWriter, request: Request, folder: Path) -> None:
    """Sends the call with its files below `folder`. Raises WireError or OSError."""
    files, text = files_of(request.measures), request.model_dump_json().encode()
    if len(text) > MAX_TEXT:
        raise WireError(f"the values of the call are larger than {MAX_TEXT} bytes")
    writer.write(_LENGTH.pack(len(text)) + text)
    for file in files:
        bytes_left = file.bytes
        with (folder / file.path).open("rb") as source:
            if os.fstat(source.fileno()).st_size != file.bytes:
                raise WireError(f"{file.path} is not {file.bytes} bytes long")
            while bytes_left and (piece := await asyncio.to_thread(source.read, PIECE)):
                bytes_left -= len(piece)
                writer.write(piece)
                await writer.drain()
    await writer.drain()
    writer.write_eof()


async def receive_call(reader: asyncio.StreamReader, folder: Path) -> Request | None:
    """The call; its files lie below `folder` then. None where nothing came: whoever connected only
    looked whether a judge is there. Raises WireError or OSError."""
    try:
        first = await reader.read(1)
        if not first:
            return None
        (length,) = _LENGTH.unpack(first + await reader.readexactly(_LENGTH.size - 1))
        if length > MAX_TEXT:
            raise WireError(f"the text of the call is longer than {MAX_TEXT} bytes")
        request = Request.model_validate_json(await reader.readexactly(length))
        for file in files_of(request.measures):
            path, bytes_left = folder / file.path, file.bytes
            path.parent.mkdir(exist_ok=True)
            with path.open("xb") as target:
                while bytes_left:
                    piece = await reader.readexactly(min(PIECE, bytes_left))
                    bytes_left -= len(piece)
                    await asyncio.to_thread(target.write, piece)
    except (asyncio.IncompleteReadError, ValidationError) as error:
        raise WireError(f"the message is not a call: {error}") from error
    return request


async def open_socket(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects to the socket that lies at `path`, not to one that a link there names: its folder is
    shared with the judge. Raises OSError."""
    descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            raise ConnectionRefusedError(f"{path} is not a socket")
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(link, f"/proc/self/fd/{descriptor}")
            return await asyncio.open_unix_connection(sock=link)
        except BaseException:
            link.close()
            raise
    finally:
        os.close(descriptor)
