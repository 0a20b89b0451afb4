"""What a VNC viewer says to its server, message by message (RFB 3.8, RFC 6143). Pure.

Guarantees: the stream is split exactly at its messages, whatever pieces it comes in; a message that
could touch the desktop is marked as input, and one that is not known ends the stream, so what is
let through is known to change nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

MAX_MESSAGE = 1024 * 1024
_VERSION, _SECURITY, _SHARED, _NORMAL = range(4)
_NO_PASSWORD = 1


class ProtocolError(Exception):
    """The viewer said something that is not RFB, or more than is let through."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the pointer is, and what it holds: bit 0 left, 1 middle, 2 right, 3 to 6 the wheel."""

    buttons: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A key of the viewer pressed or released."""

    down: bool
    keysym: int


@dataclass(frozen=True, slots=True)
class CutText:
    """The viewer's clipboard."""

    text: str


Event = Pointer | KeyChange | CutText


@dataclass(frozen=True, slots=True)
class Message:
    """`input`: it would do something on the desktop. `event`: what, where that is known."""

    raw: bytes
    input: bool = False
    event: Event | None = None


class ClientStream:
    """One viewer's side of a connection."""

    def __init__(self) -> None:
        self._state = _VERSION
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are whole now. Raises ProtocolError."""
        self._rest += data
        while size := self._size():
            if size > MAX_MESSAGE:
                raise ProtocolError(f"a message of {size} bytes")
            if len(self._rest) < size:
                return
            raw, self._rest = self._rest[:size], self._rest[size:]
            yield self._message(raw)

    def _size(self) -> int:
        """Bytes of the message at hand, 0 when not enough came to know."""
        if self._state != _NORMAL:
            return {_VERSION: 12, _SECURITY: 1, _SHARED: 1}[self._state]
        rest = self._rest
        kind = rest[0] if rest else -1
        match kind:
            case -1:
                return 0
            case 0:
                return 20
            case 2:
                return 4 + 4 * struct.unpack_from(">H", rest, 2)[0] if len(rest) >= 4 else 0
            case 3 | 150:
                return 10
            case 4:
                return 8
            case 5:
                return 6
            case 6:
                return 8 + abs(struct.unpack_from(">i", rest, 4)[0]) if len(rest) >= 8 else 0
            case 248:
                return 9 + rest[8] if len(rest) >= 9 else 0
            case 251:
                return 8 + 16 * rest[6] if len(rest) >= 7 else 0
            case 255:
                if len(rest) >= 2 and rest[1] != 0:
                    raise ProtocolError(f"QEMU message {rest[1]}")
                return 12
            case _:
                raise ProtocolError(f"message {kind}")

    def _message(self, raw: bytes) -> Message:
        match self._state:
            case 0:
                if not raw.startswith(b"RFB 003.008"):
                    raise ProtocolError(f"version {raw!r}")
            case 1:
                if raw[0] != _NO_PASSWORD:
                    raise ProtocolError(f"security type {raw[0]}")
            case 3:
                return _parse_message(raw)
        self._state += 1
        return Message(raw)


def _parse_message(raw: bytes) -> Message:
    match raw[0]:
        case 4:
            _, down, keysym = struct.unpack(">BBxxI", raw)
            return Message(raw, True, KeyChange(bool(down), keysym))
        case 5:
            _, buttons, x, y = struct.unpack(">BBHH", raw)
            return Message(raw, True, Pointer(buttons, x, y))
        case 6:
            size = struct.unpack_from(">i", raw, 4)[0]
            return Message(raw, True, CutText(raw[8:].decode("latin-1")) if size >= 0 else None)
        case 255:
            down, keysym = struct.unpack_from(">HI", raw, 2)
            return Message(raw, True, KeyChange(bool(down), keysym))
        case 251:
            return Message(raw, True)
    return Message(raw)


def key_up(keysym: int) -> bytes:
    """The message that releases a key."""
    return struct.pack(">BBxxI", 4, 0, keysym)


def pointer(at: Pointer) -> bytes:
    """The message that puts the pointer there, holding the same."""
    return struct.pack(">BBHH", 5, at.buttons, at.x, at.y)
