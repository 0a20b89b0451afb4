"""Relays carry bytes both ways, and hold no more than their bounds."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import uvloop

from envs.io.relay import Address, Relay, RelayBounds, parse_pair

WAIT_S = 60.0


@contextlib.asynccontextmanager
async def relay_to(target: Address, bounds: RelayBounds | None = None) -> AsyncIterator[Relay]:
    relay = Relay(target, bounds)
    await relay.open("127.0.0.1", 0)
    try:
        yield relay
    finally:
        await relay.close()


@contextlib.asynccontextmanager
async def echo(path: Path) -> AsyncIterator[None]:
    """Answers what it got once the other side has ended its half."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            writer.write(await reader.read())
            await writer.drain()
        writer.close()

    server = await asyncio.start_unix_server(answer, path)
    try:
        yield
    finally:
        server.close()


async def exchange(port: int, sent: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(sent)
        await writer.drain()
        writer.write_eof()
        return await asyncio.wait_for(reader.read(), WAIT_S)
    finally:
        writer.close()


async def ends(port: int) -> bool:
    """Whether the other side ends a connection on which nothing is sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(reader.read(), WAIT_S) == b""
        return True
    finally:
        writer.close()


async def test_both_ways_and_half_closed(tmp_path: Path) -> None:
    sent = bytes(range(256)) * 20_000
    async with echo(tmp_path / "s"), relay_to(tmp_path / "s") as relay:
        answers = await asyncio.gather(*(exchange(relay.port, sent) for _ in range(8)))
    assert all(answer == sent for answer in answers)


async def test_a_silent_connection_ends(tmp_path: Path) -> None:
    async with (
        echo(tmp_path / "s"),
        relay_to(tmp_path / "s", RelayBounds(idle_s=0.05)) as relay,
    ):
        assert await ends(relay.port)


async def test_one_connection_too_many_is_closed(tmp_path: Path) -> None:
    bounds = RelayBounds(connections=1)
    async with echo(tmp_path / "s"), relay_to(tmp_path / "s", bounds) as relay:
        reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
        writer.write(b"first")
        await writer.drain()
        assert await ends(relay.port)
        writer.write_eof()
        assert await asyncio.wait_for(reader.read(), WAIT_S) == b"first"
        writer.close()


async def test_without_a_target_the_connection_ends(tmp_path: Path) -> None:
    async with relay_to(tmp_path / "nobody") as relay:
        assert await ends(relay.port)


async def test_closing_ends_connections(tmp_path: Path) -> None:
    async with echo(tmp_path / "s"):
        async with relay_to(tmp_path / "s") as relay:
            reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
            writer.write(b"x")
            await writer.drain()
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), WAIT_S) == b""
        writer.close()


def test_pairs_of_addresses() -> None:
    assert parse_pair("0.0.0.0:80=gym:8100") == (("0.0.0.0", 80), ("gym", 8100))
    for text in ("80=gym:8100", "a:1", "a:1=b", "a:1=b:2=c:3"):
        with pytest.raises(ValueError, match="is not ADDRESS:PORT=HOST:PORT"):
            parse_pair(text)


async def test_a_socket_that_listens_already_is_relayed(tmp_path: Path) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    relay = Relay(tmp_path / "s")
    async with echo(tmp_path / "s"):
        await relay.open_on(listener)
        assert await exchange(relay.port, b"sent") == b"sent"
        await relay.close()
    assert listener.fileno() < 0, "closed with the relay"


def test_a_target_that_went_away_before_the_client_is_no_error() -> None:
    """With uvloop, on which hosts run: it raises where asyncio's own loop says nothing."""
    errors: list[str] = []

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: errors.append(str(context))
        )

        async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            link: socket.socket = writer.get_extra_info("socket")
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.close()

        target = await asyncio.start_server(reset, "127.0.0.1", 0)
        async with target, relay_to(target.sockets[0].getsockname()) as relay:
            reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
            await asyncio.sleep(0.1)  # the relay has seen the reset, and waits for the client
            with contextlib.suppress(OSError, RuntimeError):
                writer.write_eof()
            with contextlib.suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), WAIT_S)
            writer.close()
        gc.collect()

    uvloop.run(run())
    assert errors == []
