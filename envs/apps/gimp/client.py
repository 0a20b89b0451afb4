"""The line to the GIMP on the desktop: its Script-Fu server on the box's own loopback.

Guarantees: values reach GIMP as quoted Scheme data, never as code; a call ends within its time
limit; what GIMP refuses is a ToolError in its own words.
"""

from __future__ import annotations

import asyncio
import re
import struct
from typing import Any
from weakref import WeakKeyDictionary

import psutil

from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop.desktop import Desktop
from envs.desktop.profiles.gimp import COMMAND, SCRIPT_FU_PORT, SERVER

START_S, CALL_S, POLL_S = 45.0, 25.0, 0.1
MAX_CODE = 65535
_TOKEN = re.compile(r'\s*(?:(#\(|\()|(\))|"((?:[^"\\]|\\.)*)"|([^\s()"]+))', re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r"}
_locks: WeakKeyDictionary[Desktop, asyncio.Lock] = WeakKeyDictionary()


class Symbol(str):
    """A name of Scheme's or GIMP's own, written as it is."""

    __slots__ = ()


def quote(value: object) -> str:
    """A value as Scheme data. Raises ToolError for text that GIMP cannot hold."""
    if isinstance(value, Symbol):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return f"{value:.6f}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        if any((ord(c) < 32 and c not in "\n\t") or 0xD800 <= ord(c) < 0xE000 for c in value):
            raise ToolError(ActionError.BAD_VALUE, "control characters are not taken")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'
    if isinstance(value, tuple | list):
        return f"(list {' '.join(quote(item) for item in value)})"
    raise TypeError(f"{type(value).__name__} has no Scheme form")


def read(text: str) -> Any:
    """A printed Scheme value: lists and vectors as lists, names as Symbol. Raises ValueError."""
    stack: list[list[Any]] = [[]]
    place = 0
    while match := _TOKEN.match(text, place):
        place = match.end()
        opened, closed, string, word = match.groups()
        if opened:
            stack.append([])
        elif closed:
            if len(stack) < 2:
                raise ValueError("a bracket too many")
            done = stack.pop()
            stack[-1].append(done)
        elif string is not None:
            stack[-1].append(_ESCAPE.sub(_character, string))
        else:
            stack[-1].append(_atom(word))
    if len(stack) != 1 or text[place:].strip():
        raise ValueError(f"not a Scheme value: {text[:60]!r}")
    return stack[0][0] if stack[0] else None


def _character(match: re.Match[str]) -> str:
    escape = match[1]
    if len(escape) == 3:
        return chr(int(escape[1:], 16))
    return _NAMED.get(escape, escape)


def _atom(word: str) -> Any:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return Symbol(word)


async def evaluate(desktop: Desktop, code: str) -> Any:
    """What a fixed expression of this project, with quoted values, is in GIMP; GIMP is started
    when it does not run. Raises ToolError."""
    data = code.encode()
    if len(data) > MAX_CODE:
        raise ToolError(ActionError.BAD_VALUE, "the text is too long")
    async with _locks.setdefault(desktop, asyncio.Lock()):
        reader, writer = await _connect(desktop)
        try:
            async with asyncio.timeout(CALL_S):
                writer.write(b"G" + struct.pack(">H", len(data)) + data)
                await writer.drain()
                _, failed, size = struct.unpack(">BBH", await reader.readexactly(4))
                reply = (await reader.readexactly(size)).decode("utf-8", "replace")
        except TimeoutError:
            message = f"GIMP did not answer within {CALL_S:g} s; a dialog may be open"
            raise ToolError(ActionError.TOOL_FAILED, message) from None
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            raise ToolError(ActionError.TOOL_FAILED, "GIMP ended during the call") from error
        finally:
            writer.close()
    if failed:
        words = reply.removeprefix("Error: ").strip()
        raise ToolError(ActionError.BAD_VALUE, re.sub(r"\s*\n\s*", " ", words)[:300])
    return read(reply)


async def _connect(desktop: Desktop) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    deadline: float | None = None
    clock = asyncio.get_running_loop().time
    while True:
        try:
            return await asyncio.open_connection("127.0.0.1", SCRIPT_FU_PORT)
        except OSError:
            if deadline is None:
                deadline = clock() + START_S
                if not any(_starts_server(process) for process in desktop.processes.strays()):
                    await desktop.launch("gimp")
            elif clock() > deadline:
                message = f"GIMP did not start within {START_S:g} s"
                raise ToolError(ActionError.TOOL_FAILED, message) from None
        await asyncio.sleep(POLL_S)


def _starts_server(process: psutil.Process) -> bool:
    """Whether it is GIMP's command, or the GIMP that it started, which listens once it is ready."""
    try:
        words = process.cmdline()
    except psutil.Error:
        return False
    return any(word.endswith(f"/{COMMAND}") or SERVER in word for word in words)


async def call(desktop: Desktop, procedure: str, *values: object) -> list[Any]:
    """What one procedure of GIMP's returns."""
    words = " ".join(quote(value) for value in values)
    result = await evaluate(desktop, f"({procedure} {words})")
    return result if isinstance(result, list) else [result]
