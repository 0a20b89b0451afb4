"""A small VNC viewer over a WebSocket, for tests: RFB 3.8 without a password."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import AsyncIterator

import aiohttp

SHIFT, CONTROL, ENTER = 0xFFE1, 0xFFE3, 0xFF0D


class Viewer:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._read = b""

    async def _take(self, size: int) -> bytes:
        while len(self._read) < size:
            self._read += await self.socket.receive_bytes(timeout=20)
        taken, self._read = self._read[:size], self._read[size:]
        return taken

    async def greet(self) -> tuple[int, int]:
        """Width and height of the screen."""
        assert await self._take(12) == b"RFB 003.008\n"
        await self.socket.send_bytes(b"RFB 003.008\n")
        (count,) = await self._take(1)
        assert 1 in await self._take(count)
        await self.socket.send_bytes(b"\x01")
        assert await self._take(4) == bytes(4)
        await self.socket.send_bytes(b"\x01")
        width, height = struct.unpack(">HH", await self._take(4))
        await self._take(16)
        await self._take(struct.unpack(">I", await self._take(4))[0])
        await self.socket.send_bytes(struct.pack(">BxHi", 2, 1, 0))
        return width, height

    async def key(self, keysym: int, *downs: bool) -> None:
        for down in downs or (True, False):
            await self.socket.send_bytes(struct.pack(">BBxxI", 4, down, keysym))

    async def type(self, text: str) -> None:
        for character in text:
            await self.key(ord(character))

    async def point(self, x: int, y: int, buttons: int = 0) -> None:
        await self.socket.send_bytes(struct.pack(">BBHH", 5, buttons, x, y))

    async def click(self, x: int, y: int) -> None:
        for buttons in (0, 1, 0):
            await self.point(x, y, buttons)

    async def cut_text(self, text: str) -> None:
        await self.socket.send_bytes(struct.pack(">BxxxI", 6, len(text)) + text.encode("latin-1"))

    async def pixels(self) -> bytes:
        """Four pixels of the screen. The server answers in order: what was sent before this has
        been seen."""
        await self.socket.send_bytes(struct.pack(">BBHHHH", 3, 0, 0, 0, 4, 1))
        while True:
            (kind,) = await self._take(1)
            if kind == 3:
                await self._take(3)
                await self._take(struct.unpack(">I", await self._take(4))[0])
            elif kind == 0:
                (count,) = struct.unpack(">xH", await self._take(3))
                for _ in range(count):
                    _, _, width, height, encoding = struct.unpack(">HHHHi", await self._take(12))
                    assert encoding == 0
                    drawn = await self._take(width * height * 4)
                return drawn
            else:
                assert kind == 2, kind


@contextlib.asynccontextmanager
async def viewer(http: aiohttp.ClientSession, token: str) -> AsyncIterator[Viewer]:
    async with http.ws_connect(f"/view/ws?token={token}", max_msg_size=0) as socket:
        viewer = Viewer(socket)
        assert await viewer.greet() == (1280, 720)
        yield viewer
