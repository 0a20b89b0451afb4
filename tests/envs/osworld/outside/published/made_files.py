"""PDF files, electronic books and sound files that tests make."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pymupdf
from mutagen.id3 import ID3, TIT2, TPE1
from PIL import Image, ImageDraw

SILENCE = b"\xff\xfb\x90\x00" + bytes(413)
"""A frame of sound: MPEG 1, layer 3, 128 kbit/s, 44.1 kHz."""


def pdf(path: Path, *pages: str) -> Path:
    document = pymupdf.open()
    for text in pages:
        document.new_page().insert_text((72, 72), text)
    document.save(path)
    return path


def colored_page(path: Path, color: str) -> Path:
    """Without text."""
    document = pymupdf.open()
    page = document.new_page()
    part = {"red": (1, 0, 0), "blue": (0, 0, 1)}[color]
    page.draw_rect(page.rect, fill=part)
    document.save(path)
    return path


def pdf_of_pictures(path: Path, *shapes: str) -> Path:
    """A page a picture, of an "ellipse" or a "rectangle"."""
    document = pymupdf.open()
    for shape in shapes:
        image = Image.new("RGB", (64, 64), "white")
        getattr(ImageDraw.Draw(image), shape)((8, 8, 40, 56), fill="black")
        content = io.BytesIO()
        image.save(content, "PNG")
        document.new_page().insert_image((72, 72, 272, 272), stream=content.getvalue())
    document.save(path)
    return path


def book(path: Path, pages: Mapping[str, str], identifier: str = "1") -> Path:
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("toc.ncx", "<ncx>\n<navPoint/>\n<docTitle/>\n</ncx>\n")
        made.writestr(
            "content.opf",
            f"<package>\n<dc:identifier>{identifier}</dc:identifier>\n<spine/>\n</package>\n",
        )
        for name, body in pages.items():
            made.writestr(name, f"<html><body>{body}</body></html>")
    return path


def mp3(path: Path, title: str = "", artist: str = "") -> Path:
    """Ten frames of silence; no tags where nothing is said."""
    path.write_bytes(SILENCE * 10)
    tags = ID3()
    if title:
        tags.add(TIT2(encoding=3, text=[title]))
    if artist:
        tags.add(TPE1(encoding=3, text=[artist]))
    if tags:
        tags.save(path)
    return path
