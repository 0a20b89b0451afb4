"""Where a mirror's files come from: their own addresses, another prefix, a folder, or an archive.

    deskhand assets mirror TASKS --to DIR --from FOLDER | ARCHIVE.zip | ARCHIVE.tar.gz | https://...

A folder and an archive may be a mirror (the names of `asset_path`), a copy of the sites
(host/path of the address) or of what lies below one of them (the end of the path, if one file only
ends so). An address of a prefix is the prefix and the path of the asset's own.

Guarantees: a source names one file for an address or none; a name that several files have is
refused with their paths; nothing of an archive is unpacked but the files that are asked for.
"""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol, cast
from urllib.parse import unquote, urlsplit

from envs.osworld.format.assets import asset_path

MAX_PARTS = 20
"""Of a path that are compared, from its end."""


class SourceError(Exception):
    """What `--from` names cannot be used, or does not have one file for an address."""


class Source(Protocol):
    """Files by the addresses that tasks name."""

    def copy(self, url: str, place: Path, max_bytes: int) -> None:
        """Writes the file of this address. Raises SourceError."""


def open_source(text: str) -> Source | None:
    """The folder or archive of that name; None for an address. Raises SourceError."""
    if urlsplit(text).scheme in ("http", "https"):
        return None
    path = Path(text)
    if path.is_dir():
        return FolderSource(path)
    if path.is_file() and zipfile.is_zipfile(path):
        return ZipSource(path)
    if path.is_file() and tarfile.is_tarfile(path):
        return TarSource(path)
    raise SourceError(f"{text} is not a folder, a zip or tar archive, or an http address")


def prefixed_url(prefix: str, url: str) -> str:
    """The address below `prefix` at which a copy of this one's file is. Raises SourceError for a
    path that leads out of it."""
    path = urlsplit(url).path
    if ".." in PurePosixPath(unquote(unquote(path))).parts or "\\" in unquote(path):
        raise SourceError(f"{url}: its path leads out of {prefix}")
    return f"{prefix.rstrip('/')}/{path.lstrip('/')}"


class _Names:
    """Files by the ends of their paths."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_end: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for path in paths:
            parts = PurePosixPath(path).parts
            for length in range(1, min(len(parts), MAX_PARTS) + 1):
                self._by_end[parts[-length:]].append(path)

    def find(self, url: str) -> str:
        """The file of an address: the one that agrees with most of its end. Raises SourceError."""
        split = urlsplit(url)
        parts = (split.netloc, *PurePosixPath(unquote(split.path)).parts[1:])[-MAX_PARTS:]
        ends: list[tuple[str, ...]] = [(asset_path(url, Path()).name,)]
        ends += [parts[start:] for start in range(len(parts)) if parts[start:]]
        for end in ends:
            matching = self._by_end.get(end, [])
            if len(matching) == 1:
                return matching[0]
            if matching:
                names = ", ".join(matching[:3])
                raise SourceError(f"{url}: {len(matching)} files could be it: {names}")
        raise SourceError(f"{url}: there is no file for it")


class FolderSource:
    """The files below a folder; links are left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        self._names = _Names(
            path.relative_to(folder).as_posix() for path in files if not path.is_symlink()
        )

    def copy(self, url: str, place: Path, max_bytes: int) -> None:
        """See `Source`."""
        path = self._folder / self._names.find(url)
        with path.open("rb") as file:
            _copy(file, place, path.stat().st_size, max_bytes, url)


class ZipSource:
    """The files of a zip archive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _broken_archives(path), zipfile.ZipFile(path) as archive:
            self._names = _Names(info.filename for info in archive.infolist() if not info.is_dir())

    def copy(self, url: str, place: Path, max_bytes: int) -> None:
        """See `Source`."""
        name = self._names.find(url)
        with _broken_archives(self._path), zipfile.ZipFile(self._path) as archive:
            size = archive.getinfo(name).file_size
            with archive.open(name) as file:
                _copy(cast(BinaryIO, file), place, size, max_bytes, url)


class TarSource:
    """The files of a tar archive, compressed or not."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _broken_archives(path), tarfile.open(path) as archive:
            self._names = _Names(member.name for member in archive if member.isfile())

    def copy(self, url: str, place: Path, max_bytes: int) -> None:
        """See `Source`."""
        name = self._names.find(url)
        with _broken_archives(self._path), tarfile.open(self._path) as archive:
            member = archive.getmember(name)
            file = archive.extractfile(member)
            assert file is not None
            with file:
                _copy(cast(BinaryIO, file), place, member.size, max_bytes, url)


@contextmanager
def _broken_archives(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, RuntimeError) as error:
        raise SourceError(f"{path} is broken: {error}") from error


def _copy(file: BinaryIO, place: Path, size: int, max_bytes: int, url: str) -> None:
    if size > max_bytes:
        raise SourceError(f"{url}: {size} bytes, more than {max_bytes}")
    partial = place.with_name(f".{place.name}.partial")
    try:
        with partial.open("wb") as target:
            shutil.copyfileobj(file, target, 1 << 20)
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)
