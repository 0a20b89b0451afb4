"""Assets: the files that tasks name by URL, and where a mirror stores each.

A mirror is a folder with one file an asset, named after its URL, and `assets.json`, which lists the
file, its SHA-256 and its size in bytes by URL.

Guarantees: the path of an asset follows from its URL alone, so a download step needs no manifest;
no URL leads out of the folder.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

MANIFEST = "assets.json"
SETTING = "DESKHAND_ASSETS"
"""Environment variable that names the mirror, for hosts and for evaluations."""
_NAME_CHARS = 60


class Mirrored(BaseModel):
    """An entry of the manifest."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str = Field(pattern=r"^[0-9a-f]{16}-[\w.-]+$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)


_MANIFEST: TypeAdapter[dict[str, Mirrored]] = TypeAdapter(dict[str, Mirrored])


def asset_url(url: str, path: str) -> str:
    """The URL of an asset that a task stores at `path`. A URL without a file name, such as the
    placeholder `https://example.org/`, gets the name of `path`."""
    name = PurePosixPath(path).name
    return f"{url.rstrip('/')}/{name}" if urlsplit(url).path in ("", "/") and name else url


def asset_path(url: str, folder: Path) -> Path:
    """Where a mirror in `folder` stores the asset of this URL, whether or not it exists."""
    name = re.sub(r"[^\w.-]", "_", unquote(PurePosixPath(urlsplit(url).path).name), flags=re.A)
    digest = hashlib.sha256(url.encode()).hexdigest()[:16]
    return folder / f"{digest}-{name[-_NAME_CHARS:] or 'file'}"


def read_manifest(folder: Path) -> dict[str, Mirrored]:
    """Entries by URL; empty when there is no manifest. Raises ValueError for a broken one."""
    file = folder / MANIFEST
    if not file.exists():
        return {}
    try:
        return _MANIFEST.validate_json(file.read_bytes())
    except ValueError as error:
        raise ValueError(f"{file} is not a manifest of assets: {error}") from error


def manifest_json(entries: dict[str, Mirrored]) -> bytes:
    """The manifest's content, sorted by address."""
    return _MANIFEST.dump_json(dict(sorted(entries.items())), indent=2) + b"\n"
