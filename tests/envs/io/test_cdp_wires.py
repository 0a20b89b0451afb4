"""Messages come whole through a pipe, however they were cut, and its end is heard."""

from __future__ import annotations

import asyncio
import socket

import pytest

from envs.io.cdp import CdpClosed, CdpConnection
from envs.io.cdp_wires import PipeWire


async def test_messages_are_cut_at_zero_bytes() -> None:
    ours, theirs = socket.socketpair()
    wire = await PipeWire.open(ours)
    heard: asyncio.Queue[bytes | str] = asyncio.Queue()
    wire.start(heard.put_nowait, lambda: heard.put_nowait(b"lost"))
    messages = [b"{}", b'{"id":1}', b"x" * 300_000]
    whole = b"".join(message + b"\0" for message in messages)
    sender = asyncio.create_task(asyncio.to_thread(_send_in_parts, theirs, whole))
    assert [await asyncio.wait_for(heard.get(), 30) for _ in messages] == messages
    await sender
    wire.send(b"answer")
    assert await asyncio.to_thread(theirs.recv, 100) == b"answer\0"
    theirs.close()
    assert await asyncio.wait_for(heard.get(), 30) == b"lost"
    await wire.close()


def _send_in_parts(end: socket.socket, data: bytes) -> None:
    for start in range(0, len(data), 7919):
        end.sendall(data[start : start + 7919])


async def test_a_call_fails_when_the_browser_goes() -> None:
    ours, theirs = socket.socketpair()
    connection = await CdpConnection.open_pipe(ours)
    call = asyncio.create_task(connection.call("Browser.getVersion", timeout_s=30))
    await asyncio.to_thread(theirs.recv, 100)
    theirs.close()
    with pytest.raises(CdpClosed):
        await call
    assert connection.closed.is_set()
    with pytest.raises(CdpClosed):
        connection.send("Browser.getVersion")
    await connection.close()
