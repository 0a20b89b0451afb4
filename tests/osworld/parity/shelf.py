"""Files that cases of documents share, each made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from tests.envs.osworld.outside.published.made_documents import odt, word

Write = Callable[[Any], object]


class Shelf:
    """Files by name, each made once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "documents"
        self._folder.mkdir()

    def docx(self, name: str, *lines: str, write: Write | None = None) -> Path:
        path = self._folder / f"{name}.docx"
        if not path.exists():
            word(path, *lines, write=write)
        return path

    def odt(self, name: str, *paragraphs: Any, yellow: str = "#ffff00") -> Path:
        path = self._folder / f"{name}.odt"
        if not path.exists():
            odt(path, *paragraphs, highlight=yellow)
        return path

    def file(self, name: str, content: bytes) -> Path:
        path = self._folder / name
        path.write_bytes(content)
        return path

    def image(self, name: str, color: str, size: tuple[int, int] = (8, 8)) -> Path:
        path = self._folder / f"{name}.png"
        Image.new("RGB", size, color).save(path)
        return path
