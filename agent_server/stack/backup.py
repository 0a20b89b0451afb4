"""A run as one file, and back: its database and its files, each with its SHA-256.

Guarantees: a backup may be made while the run works. The database is that of one moment, the files
are copied after it, so what a row of an ended episode refers to is there; an episode that ran at
that moment is lost as with a worker, and run again. The file appears whole or not at all, and is
readable by its owner only. `check` reads all of it; `restore` writes nothing before that has
succeeded, and nothing over what is there. Keys of processes (stack.json), logs and messages of the
broker are not in it: the reaper sends what was queued again.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import orjson

from agent_server.settings import Settings
from agent_server.store.dump import (
    DumpError,
    finish,
    list_tables,
    open_snapshot,
    prepare,
    read_lines,
    revision_of,
    write_lines,
)
from agent_server.store.engine import make_engine
from agent_server.version import get_version

MANIFEST = "backup.json"
ROWS, FILES = "database", "files"
LEFT_OUT = frozenset({"broker", "logs", "lock", "stack.json"})
"""Of the top of a run folder: what only its processes need."""
_CHUNK = 2**20


class BackupError(Exception):
    """The backup cannot be made, or is not whole; the message says why."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds. `rows`: by table; `size`: of its files, in bytes."""

    version: str
    revision: str
    rows: dict[str, int]
    files: int
    size: int


@dataclass(slots=True)
class _Writer:
    """Adds members to the archive and notes what they hash to."""

    tar: tarfile.TarFile
    digests: dict[str, str] = field(default_factory=dict)
    size: int = 0

    def add(self, name: str, source: IO[bytes], length: int) -> None:
        """A member of exactly so many bytes, read from the source."""
        reader = _Hashing(source)
        info = tarfile.TarInfo(name)
        info.size, info.mode = length, 0o600
        self.tar.addfile(info, reader)
        self.digests[name] = reader.digest.hexdigest()
        self.size += length

    def add_link(self, name: str, target: str) -> None:
        """A symbolic link, as `policy/live` is one."""
        info = tarfile.TarInfo(name)
        info.type, info.linkname = tarfile.SYMTYPE, target
        self.tar.addfile(info)
        self.digests[name] = _digest_of_link(target)


class _Hashing(io.RawIOBase):
    """Reads through, and hashes what was read."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """As the source does."""
        data = self._source.read(size)
        self.digest.update(data)
        return data


def back_up(settings: Settings, to: Path) -> Backup:
    """Writes the backup of the settings' run folder and database. Raises BackupError."""
    run_dir = settings.run_dir.resolve()
    if not run_dir.is_dir():
        raise BackupError(f"there is no {run_dir}")
    if to.exists():
        raise BackupError(f"{to} exists: name another file")
    partial = to.with_name(f"{to.name}.partial")
    try:
        # Opened for its owner alone: the database has digests of keys, pictures show what was seen.
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            backup = _write(settings, run_dir, file, partial)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(to)
    except OSError as error:
        raise BackupError(f"cannot write {to}: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)
    return backup


def _write(settings: Settings, run_dir: Path, file: IO[bytes], partial: Path) -> Backup:
    with (
        gzip.GzipFile(fileobj=file, mode="wb", compresslevel=3) as packed_file,
        tarfile.open(fileobj=packed_file, mode="w|", bufsize=_CHUNK) as tar,
    ):
        writer, rows = _Writer(tar), {}
        engine = make_engine(settings.database)
        try:
            with open_snapshot(engine) as db:
                revision = revision_of(db)
                for table in list_tables():
                    with tempfile.TemporaryFile(dir=partial.parent) as packed:
                        rows[str(table.name)] = _pack(read_lines(db, table), packed)
                        name = f"{ROWS}/{table.name}.jsonl.gz"
                        length = packed.tell()
                        packed.seek(0)
                        writer.add(name, packed, length)
        finally:
            engine.dispose()
        count, own = 0, {partial.resolve(), run_dir / "deskhand.db"}
        for path in _list_files(run_dir):
            if path in own or path.name.startswith(("deskhand.db-", "deskhand.db.")):
                continue
            count += _add_file(writer, path, f"{FILES}/{path.relative_to(run_dir)}")
        backup = Backup(get_version(), revision, rows, count, writer.size)
        fields = {name: getattr(backup, name) for name in Backup.__slots__}
        manifest = orjson.dumps(fields | {"sha256": writer.digests})
        writer.add(MANIFEST, io.BytesIO(manifest), len(manifest))
    return backup


def _pack(lines: Iterable[bytes], file: IO[bytes]) -> int:
    """Writes the lines, and returns how many."""
    count = 0
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=3, mtime=0) as packed:
        for line in lines:
            packed.write(line)
            count += 1
    return count


def _add_file(writer: _Writer, path: Path, name: str) -> int:
    """Files that are written meanwhile are copied as long as they are now; files that are gone by
    now were nobody's."""
    try:
        if path.is_symlink():
            writer.add_link(name, str(path.readlink()))
            return 1
        with path.open("rb") as source:
            writer.add(name, source, os.fstat(source.fileno()).st_size)
    except FileNotFoundError:
        return 0
    return 1


def _list_files(folder: Path) -> Iterator[Path]:
    """Regular files and links; what a run keeps has no other kinds."""
    for root, names, files in os.walk(folder):
        if Path(root) == folder:
            names[:] = [name for name in names if name not in LEFT_OUT]
            files = [name for name in files if name not in LEFT_OUT]
        links = [name for name in names if (Path(root) / name).is_symlink()]
        for name in sorted([*files, *links]):
            path = Path(root) / name
            if path.is_symlink() or path.is_file():
                yield path


def check(file: Path) -> Backup:
    """Reads all of a backup and compares each part with its SHA-256. Raises BackupError."""
    digests: dict[str, str] = {}
    manifest: bytes | None = None
    try:
        with (
            gzip.open(file) as packed,
            tarfile.open(fileobj=packed, mode="r|", bufsize=_CHUNK) as tar,
        ):
            for member in tar:
                if member.issym():
                    digests[member.name] = _digest_of_link(member.linkname)
                    continue
                content = tar.extractfile(member)
                if content is None:
                    raise BackupError(f"{file}: {member.name[:120]} is no file")
                if member.name == MANIFEST:
                    manifest = content.read()
                else:
                    digests[member.name] = hashlib.file_digest(content, "sha256").hexdigest()  # type: ignore[arg-type]
            # The checksum is at the end; what fills the blocks of the archive has no other.
            while packed.read(_CHUNK):
                pass
    except (OSError, EOFError, tarfile.TarError, ValueError, zlib.error) as error:
        raise BackupError(f"{file} is not whole: {error}") from error
    if manifest is None:
        raise BackupError(f"{file} is not whole, or no backup: it has no {MANIFEST}")
    described = orjson.loads(manifest)
    wrong = sorted(described.pop("sha256").items() ^ digests.items())
    if wrong:
        raise BackupError(f"{file} was changed: {wrong[0][0][:120]} is not what was backed up")
    return Backup(**described)


def restore(file: Path, settings: Settings) -> Backup:
    """Writes a backup into the settings' run folder and database, both new. Raises BackupError."""
    run_dir = settings.run_dir.resolve()
    if run_dir.exists() and any(run_dir.iterdir()):
        raise BackupError(f"{run_dir} is not empty: name another folder")
    backup = check(file)
    run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = make_engine(settings.database)
    tables = {f"{ROWS}/{table.name}.jsonl.gz": table for table in list_tables()}
    try:
        prepare(engine, backup.revision)
        with engine.begin() as db, tarfile.open(file, "r|gz", bufsize=_CHUNK) as tar:
            for member in tar:
                content = None if member.issym() else tar.extractfile(member)
                if member.name in tables and content is not None:
                    with gzip.open(content) as lines:
                        write_lines(db, tables[member.name], lines)
                elif member.name.startswith(f"{FILES}/"):
                    member.name = member.name.removeprefix(f"{FILES}/")
                    # Of tarfile: nothing outside the folder, no devices, no rights of others.
                    tar.extract(member, run_dir, filter="data")
            finish(db)
    except (DumpError, tarfile.TarError) as error:
        raise BackupError(f"{file} cannot be restored: {error}") from error
    finally:
        engine.dispose()
    return backup


def _digest_of_link(target: str) -> str:
    return hashlib.sha256(f"link {target}".encode()).hexdigest()
