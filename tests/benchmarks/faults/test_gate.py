"""What a gate does to connections, with a real server behind it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from benchmarks.faults.gate import Gate

PATIENCE_S = 30.0
"""For what happens at once on a machine that is not loaded."""
LONG_S = 600.0
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def echo_behind_gate() -> AsyncIterator[Gate]:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1000):
                writer.write(data)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with server, Gate("echo", server.sockets[0].getsockname()[1]) as gate:
        yield gate


async def opened(gate: Gate) -> Stream:
    return await asyncio.open_connection("127.0.0.1", gate.port)


async def send(stream: Stream, text: bytes) -> None:
    stream[1].write(text)
    await stream[1].drain()


async def answer(stream: Stream, text: bytes) -> bytes:
    """What comes back of a text, whole; less if the connection ends."""
    await send(stream, text)
    async with asyncio.timeout(PATIENCE_S):
        try:
            return await stream[0].readexactly(len(text))
        except asyncio.IncompleteReadError as error:
            return error.partial


async def is_reset(stream: Stream) -> bool:
    async with asyncio.timeout(PATIENCE_S):
        try:
            return await stream[0].read(1) == b""
        except ConnectionError:
            return True


async def test_bytes_pass_unchanged_in_both_directions() -> None:
    async with echo_behind_gate() as gate:
        text = bytes(range(256)) * 2000
        assert await answer(await opened(gate), text) == text


async def test_a_cut_resets_the_connections_of_now_only() -> None:
    async with echo_behind_gate() as gate:
        old = await opened(gate)
        assert await answer(old, b"one") == b"one"
        gate.cut()
        assert await is_reset(old)
        assert await answer(await opened(gate), b"two") == b"two"


async def test_a_gate_that_refuses_resets_new_connections() -> None:
    async with echo_behind_gate() as gate:
        refusal = asyncio.create_task(gate.refuse(LONG_S))
        await asyncio.sleep(0)
        assert await is_reset(await opened(gate))
        refusal.cancel()
        with pytest.raises(asyncio.CancelledError):
            await refusal
        assert await answer(await opened(gate), b"again") == b"again"


async def test_what_is_held_arrives_later() -> None:
    async with echo_behind_gate() as gate:
        stream = await opened(gate)
        assert await answer(stream, b"a") == b"a"
        holding = asyncio.create_task(gate.hold(LONG_S))
        await asyncio.sleep(0)
        await send(stream, b"later")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(stream[0].read(1), 0.3)
        holding.cancel()
        async with asyncio.timeout(PATIENCE_S):
            assert await stream[0].readexactly(5) == b"later"


async def test_a_half_open_connection_takes_bytes_and_gives_none_while_new_ones_work() -> None:
    async with echo_behind_gate() as gate:
        old = await opened(gate)
        assert await answer(old, b"a") == b"a"
        swallowing = asyncio.create_task(gate.swallow(LONG_S))
        await asyncio.sleep(0)
        await send(old, b"lost")
        assert await answer(await opened(gate), b"new") == b"new"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(old[0].read(1), 0.3)
        swallowing.cancel()
        assert await is_reset(old)


async def test_a_slow_gate_passes_everything_on() -> None:
    async with echo_behind_gate() as gate:
        slowing = asyncio.create_task(gate.slow(LONG_S, 0.001))
        await asyncio.sleep(0)
        text = b"x" * 5000
        assert await answer(await opened(gate), text) == text
        slowing.cancel()
