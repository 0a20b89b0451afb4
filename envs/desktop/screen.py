"""The screen as pictures, read from Xvfb's own framebuffer file: no request, no subprocess.

Xvfb's `-fbdir` keeps the screen in a memory-mapped XWD file, the cursor drawn in it. A picture
costs one copy and its encoding.
"""

from __future__ import annotations

import base64
import io
import mmap
import struct
import zlib
from pathlib import Path

from PIL import Image

from envs.contract.observations import Screenshot, ScreenshotRequest

_HEADER_WORDS = 25
_COLOUR_BYTES = 12
WEBP_METHOD = 0
PNG_LEVEL = 1


class Screen:
    """`path`: Xvfb_screen0 below the folder given to -fbdir. Raises ValueError on other formats."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        words = struct.unpack(f">{_HEADER_WORDS}I", self._map[: 4 * _HEADER_WORDS])
        header, self.width, self.height = words[0], words[4], words[5]
        bits, self._stride, colours = words[11], words[12], words[19]
        if bits != 32:
            raise ValueError(f"{path}: the screen has {bits} bits a pixel, not 32")
        start = header + colours * _COLOUR_BYTES
        self._pixels = memoryview(self._map)[start : start + self._stride * self.height]

    def checksum(self) -> int:
        """Equal for equal pictures (CRC-32 of all pixels)."""
        return zlib.crc32(self._pixels)

    def picture(self) -> Image.Image:
        """RGB copy of the screen now."""
        size = (self.width, self.height)
        return Image.frombytes("RGB", size, self._pixels, "raw", "BGRX", self._stride, 1)

    def shot(self, request: ScreenshotRequest) -> Screenshot:
        """The screen as an encoded picture, cursor included."""
        picture = self.picture()
        if request.scale != 1:
            size = (
                max(1, round(self.width * request.scale)),
                max(1, round(self.height * request.scale)),
            )
            picture = picture.resize(size, Image.Resampling.BOX, reducing_gap=1.5)
        data = base64.b64encode(encode(picture, request)).decode()
        return Screenshot(
            format=request.format, width=picture.width, height=picture.height, data=data
        )

    def close(self) -> None:
        """Unmaps the framebuffer."""
        self._pixels.release()
        self._map.close()


def encode(picture: Image.Image, request: ScreenshotRequest) -> bytes:
    """The picture's file. Fast settings: a screen is looked at once."""
    out = io.BytesIO()
    if request.format == "png":
        picture.save(out, "png", compress_level=PNG_LEVEL)
    elif request.format == "webp":
        picture.save(out, "webp", quality=request.quality, method=WEBP_METHOD)
    else:
        picture.save(out, "jpeg", quality=request.quality)
    return out.getvalue()
