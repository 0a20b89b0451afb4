"""What `xwd` writes."""

from __future__ import annotations

import struct

import pytest

from envs.osworld.outside.published.screen_dump import read_screen_dump


def screen_dump(bits: int = 32, version: int = 7) -> bytes:
    """Two pixels, red and blue, in the order blue, green, red."""
    pixel = (b"\x00\x00\xff\x00", b"\xff\x00\x00\x00")
    fields = [0] * 25
    fields[0], fields[1], fields[2], fields[3] = 104, version, 2, 24
    fields[4], fields[5], fields[11], fields[12] = 2, 1, bits, 8
    fields[19] = 1
    return struct.pack(">25I", *fields) + b"win\0" + bytes(12) + b"".join(pixel)


def test_a_screen_dump_is_a_picture() -> None:
    dump = read_screen_dump(screen_dump())
    assert dump is not None
    assert [dump.getpixel((x, 0)) for x in (0, 1)] == [(255, 0, 0), (0, 0, 255)]


def test_other_files_are_no_screen_dump() -> None:
    assert read_screen_dump(b"short") is None
    assert read_screen_dump(screen_dump(version=6)) is None
    with pytest.raises(ValueError, match="8 bits"):
        read_screen_dump(screen_dump(bits=8))
    with pytest.raises(ValueError, match="not enough"):
        read_screen_dump(screen_dump()[:-4])
