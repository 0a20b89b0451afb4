"""Reads what `xwd` writes: a window's pixels, 24 or 32 bits each.

Header: XWDFile.h of the X Window System, version 7; twenty-five numbers of four bytes, big end
first, the window's name, a map of colours, then the rows.
"""

from __future__ import annotations

import struct

from PIL import Image

_HEADER = struct.Struct(">25I")
_VERSION = 7
_LITTLE_END_FIRST = 0
_COLOR_BYTES = 12


def read_screen_dump(content: bytes) -> Image.Image | None:
    """None when it is no such file. Raises ValueError for one that is cut off or of another
    depth."""
    if len(content) < _HEADER.size:
        return None
    fields = _HEADER.unpack_from(content)
    if fields[1] != _VERSION:
        return None
    start, width, height = fields[0], fields[4], fields[5]
    bits, row_bytes, colors = fields[11], fields[12], fields[19]
    modes = {(32, True): "BGRX", (32, False): "XRGB", (24, True): "BGR", (24, False): "RGB"}
    mode = modes.get((bits, fields[7] == _LITTLE_END_FIRST))
    if mode is None:
        raise ValueError(f"a screen dump of {bits} bits a pixel")
    pixels = content[start + colors * _COLOR_BYTES :]
    return Image.frombytes("RGB", (width, height), pixels, "raw", mode, row_bytes)
