"""Scripts of a server, as files: `scripts/<name>/v000001.json` beside the episodes' folder.

Guarantees: a version is written once and never changed; in a folder of one machine two that are
saved at the same moment get numbers of their own; no name can point outside. The files are those
that `deskhand script` reads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import fsspec
import orjson

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
_FILE = re.compile(r"v(?P<version>[0-9]{6,9})\.json")
TRIES = 20
"""Of savings that are overtaken by others."""


@dataclass(frozen=True, slots=True)
class SavedScript:
    """One version; `body` is what its file holds."""

    name: str
    version: int
    body: dict[str, Any]


class ScriptFiles:
    """The scripts under a folder or any fsspec URL."""

    def __init__(self, url: str) -> None:
        self._fs, path = fsspec.core.url_to_fs(url)
        self._base = f"{path.rstrip('/')}/scripts"

    def save(self, name: str, body: dict[str, Any]) -> SavedScript:
        """The newest version of a name, from now on; its number is one more than the last one's.
        Raises KeyError for what is no name, OSError."""
        folder = self._folder(name)
        self._fs.makedirs(folder, exist_ok=True)
        for attempt in range(TRIES):
            version = max(self._versions(name), default=0) + 1
            body = body | {"version": version}
            data = orjson.dumps(body, option=orjson.OPT_INDENT_2) + b"\n"
            path = f"{folder}/v{version:06d}.json"
            try:
                # "x" where the file system has it: another save may have taken the number.
                with self._fs.open(path, "xb" if self._is_local else "wb") as file:
                    file.write(data)
            except FileExistsError:
                if attempt + 1 == TRIES:
                    raise
            else:
                return SavedScript(name, version, body)
        raise AssertionError("unreachable")

    def get(self, name: str, version: int | None = None) -> SavedScript:
        """One version, or the newest. Raises KeyError."""
        versions = self._versions(name)
        chosen = max(versions, default=0) if version is None else version
        if chosen not in versions:
            of = "" if version is None else f" version {version} of"
            raise KeyError(f"there is no{of} script {name[:80]!r}")
        data = self._fs.cat_file(f"{self._folder(name)}/v{chosen:06d}.json")
        return SavedScript(name, chosen, orjson.loads(data))

    def list_newest(self) -> list[SavedScript]:
        """The newest version of each, by name."""
        names = (entry.rstrip("/").rpartition("/")[2] for entry in self._list(self._base))
        return [self.get(name) for name in sorted(names) if NAME.fullmatch(name)]

    def delete(self, name: str) -> None:
        """Removes all versions. Raises KeyError where there is none."""
        if not self._versions(name):
            raise KeyError(f"there is no script {name[:80]!r}")
        self._fs.rm(self._folder(name), recursive=True)

    @property
    def _is_local(self) -> bool:
        return "file" in self._fs.protocol

    def _versions(self, name: str) -> set[int]:
        names = (entry.rpartition("/")[2] for entry in self._list(self._folder(name)))
        return {int(match["version"]) for file in names if (match := _FILE.fullmatch(file))}

    def _list(self, folder: str) -> list[str]:
        self._fs.invalidate_cache(folder)
        try:
            return [str(entry) for entry in self._fs.ls(folder, detail=False)]
        except FileNotFoundError:
            return []

    def _folder(self, name: str) -> str:
        if not NAME.fullmatch(name):
            raise KeyError(f"there is no script {name[:80]!r}: {NAME.pattern} names one")
        return f"{self._base}/{name}"
