"""Calls over a judge's socket: whole, or refused; nothing is written elsewhere."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from pathlib import Path

import pytest

from envs.osworld.outside.judge_messages import Limits
from envs.osworld.outside.judge_wire import (
    MAX_TEXT,
    Request,
    WireError,
    open_socket,
    receive_call,
    send_call,
)
from envs.state.evidence import File, Files, Measure, pack_value


def request_of(*measures: Measure) -> Request:
    return Request(measures=list(measures), compat=False, limits=Limits())


async def sent(request: Request, source: Path, target: Path) -> Request | None:
    """What arrives of a call whose files are below `source`."""
    ours, theirs = socket.socketpair()
    _, writer = await asyncio.open_unix_connection(sock=ours)
    reader, other = await asyncio.open_unix_connection(sock=theirs)
    try:
        arrived, _ = await asyncio.gather(
            receive_call(reader, target), send_call(writer, request, source)
        )
        return arrived
    finally:
        writer.close()
        other.close()


async def received(content: bytes, target: Path) -> Request | None:
    reader = asyncio.StreamReader()
    reader.feed_data(content)
    reader.feed_eof()
    return await receive_call(reader, target)


async def test_a_call_arrives_with_its_files_each_once(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "0").mkdir(parents=True)
    target.mkdir()
    (source / "0/a.bin").write_bytes(os.urandom(3 << 20))
    (source / "b.txt").write_text("b")
    first, second = pack_value(source / "0/a.bin", source), pack_value(source / "b.txt", source)
    assert isinstance(first, File)
    assert isinstance(second, File)
    measures = (
        Measure(func="x", result=first, expected=second),
        Measure(func="y", result=Files(files=(second, first)), options={"a": [1]}),
        Measure(func="z", result=pack_value({"text": "ü" * 100_000})),
    )
    assert await sent(request_of(*measures), source, target) == request_of(*measures)
    for name in ("0/a.bin", "b.txt"):
        assert (target / name).read_bytes() == (source / name).read_bytes()


async def test_a_file_that_is_not_what_the_call_says_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("long")
    claim = File(path="a", bytes=2, sha256="0" * 64)
    with pytest.raises(WireError, match="a is not 2 bytes long"):
        await sent(request_of(Measure(func="x", result=claim)), tmp_path, tmp_path / "t")


@pytest.mark.parametrize("name", ["../out", "/etc/out", "a/../../out", "a/b/c", ".."])
async def test_no_call_writes_outside_its_folder(tmp_path: Path, name: str) -> None:
    claim = File(path="in", bytes=1, sha256="0" * 64)
    text = request_of(Measure(func="x", result=claim)).model_dump_json()
    content = text.replace('"path":"in"', f'"path":"{name}"').encode()
    with pytest.raises(WireError, match="not a call"):
        await received(struct.pack("!I", len(content)) + content + b"x", tmp_path)
    assert not list(tmp_path.iterdir())


async def test_what_is_no_call_is_refused(tmp_path: Path) -> None:
    assert await received(b"", tmp_path) is None
    for content in (b"\0\0", b"\0\0\0\2{}", b"\0\0\0\5{}", struct.pack("!I", MAX_TEXT + 1)):
        with pytest.raises(WireError):
            await received(content, tmp_path)


async def test_a_link_is_no_judge(tmp_path: Path) -> None:
    real, link, file = tmp_path / "real", tmp_path / "link", tmp_path / "file"
    server = await asyncio.start_unix_server(lambda reader, writer: writer.close(), real)
    link.symlink_to(real)
    file.write_text("x")
    async with server:
        _, writer = await open_socket(real)
        writer.close()
        for path in (link, file, tmp_path / "none"):
            with pytest.raises(OSError, match=path.name):
                await open_socket(path)
