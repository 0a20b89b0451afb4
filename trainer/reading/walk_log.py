"""Pages of the walks that are through, kept while others are collected: a collection that was
stopped goes on with the walks that are missing.

A file of JSON lines: the settings, then a line for each walk, by its place in the plan. It grows
line by line; a last line that a kill has cut off is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from envs.io.atomic_write import write_whole
from trainer.reading.config import PagesConfig
from trainer.reading.pages import Page, collected_with


class WalkLog:
    """The log beside a file of pages. One of other settings is begun anew."""

    def __init__(self, pages_file: Path, config: PagesConfig, seed: int) -> None:
        self._path = pages_file.with_name(f"{pages_file.name}.partial")
        self._settings = orjson.dumps(collected_with(config, seed))
        self._path.parent.mkdir(parents=True, exist_ok=True)

    def open(self) -> dict[int, list[Page]]:
        """The walks that are through, and the log ready for more."""
        lines = self._path.read_bytes().split(b"\n") if self._path.is_file() else []
        # What follows the last line break is cut off.
        complete = lines[1:-1] if lines[:1] == [self._settings] else []
        write_whole(self._path, [line + b"\n" for line in (self._settings, *complete)])
        walks = map(orjson.loads, complete)
        return {walk["walk"]: [Page(**page) for page in walk["pages"]] for walk in walks}

    def add(self, walk: int, pages: Sequence[Page]) -> None:
        """A walk that came to its end."""
        row = {"walk": walk, "pages": [asdict(page) for page in pages]}
        with self._path.open("ab") as file:
            file.write(orjson.dumps(row) + b"\n")

    def remove(self) -> None:
        """When all pages are where they belong."""
        self._path.unlink(missing_ok=True)
