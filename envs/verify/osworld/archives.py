"""OSWorld's metrics of archives and web pages, file by file and element by element.

Guarantees: archives are unpacked into a folder of their own that is gone afterwards; entries that
lead out of it, links, devices, and more than MAX_BYTES or MAX_FILES make an archive unusable.
"""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any

from envs.verify.metric_modules import import_metric
from envs.verify.osworld.broken_files import Unreadable, unreadable_scores_0
from envs.verify.registry import COMPAT, METRICS, Metric, compat, metric

MAX_BYTES = 512 * 1024**2
MAX_FILES = 10_000
COMPARED_BY = {
    "text": "compare_text_file",
    "pdf": "compare_pdfs",
    "docx": "compare_docx_files",
    "ppt": "compare_pptx_files",
    "image": "compare_images",
    "csv": "compare_csv",
    "table": "compare_table",
    "audio": "compare_audios",
    "video": "compare_videos",
}
BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, RuntimeError, ValueError,
)  # fmt: skip
TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")


@metric
@unreadable_scores_0
def compare_archive(
    result: Path, expected: Path, file_path: str = "", file_type: str = "text", **options: Any
) -> float:
    """Mean score of the files by the metric of `file_type`, when both archives hold files of the
    same names below the folder `file_path`; otherwise 0. `options` are that metric's. The end of
    its name says what kind of archive a file is. Raises ValueError for an unknown type."""
    compare = _metric(file_type)
    with tempfile.TemporaryDirectory(prefix="archives-") as scratch:
        folders = [Path(scratch, side) for side in ("found", "wanted")]
        _unpack(result, folders[0])
        _unpack(expected, folders[1])
        found, wanted = (_files(folder / file_path) for folder in folders)
        if not wanted or found.keys() != wanted.keys():
            return 0.0
        scores = [compare(found[name], wanted[name], **options) for name in wanted]
    return sum(scores) / len(scores)


@compat
def compare_archive_compat(
    result: Path, expected: Path, file_path: str = "", file_type: str = "text", **options: Any
) -> float:
    """Takes folders for files. Raises ZeroDivisionError for empty archives, FileNotFoundError for a
    missing folder, ReadError for what is no archive, and what the files' metric raises."""
    with tempfile.TemporaryDirectory(prefix="archives-") as scratch:
        folders = [Path(scratch, side) for side in ("found", "wanted")]
        for archive, folder in zip((result, expected), folders, strict=True):
            try:
                _unpack(archive, folder)
            except Unreadable as error:
                raise shutil.ReadError(str(error)) from error
        found, wanted = (sorted((folder / file_path).iterdir()) for folder in folders)
        if [path.name for path in found] != [path.name for path in wanted]:
            return 0.0
        compare = _metric(file_type, COMPAT)
        pairs = zip(found, wanted, strict=True)
        return sum(compare(*pair, **options) for pair in pairs) / len(found)


@metric
@unreadable_scores_0
def compare_htmls(result: Path, expected: Path, ignore_sdnum: bool = False) -> float:
    """1 when both pages have the same elements, attributes and texts; `ignore_sdnum` leaves out the
    attribute in which LibreOffice notes number formats."""
    return float(_same_pages(_page(result), _page(expected), ignore_sdnum))


@compat
def compare_htmls_compat(result: Path, expected: Path, ignore_sdnum: bool = False) -> float:
    """As far as the shorter page goes: an empty one is like any other. Raises
    UnicodeDecodeError."""
    from bs4 import BeautifulSoup, Tag

    pages = [BeautifulSoup(path.read_text(encoding="utf-8"), "lxml") for path in (result, expected)]
    for one, other in zip(*(page.descendants for page in pages), strict=False):
        if isinstance(one, Tag) and isinstance(other, Tag):
            same = one.name == other.name and one.text.strip() == other.text.strip()
            if not same or _attributes(one, ignore_sdnum) != _attributes(other, ignore_sdnum):
                return 0.0
        elif one != other:
            return 0.0
    return 1.0


def _metric(file_type: str, first: Mapping[str, Metric] | None = None) -> Metric:
    """That of `first`, if there is one."""
    if file_type not in COMPARED_BY:
        raise ValueError(f"file_type is {file_type!r}, not one of {', '.join(COMPARED_BY)}")
    name = COMPARED_BY[file_type]
    import_metric(name)
    return {**METRICS, **(first or {})}[name]


def _unpack(archive: Path, folder: Path) -> None:
    """Raises Unreadable."""
    folder.mkdir()
    name = archive.name.lower()
    try:
        if name.endswith(".zip"):
            _unpack_zip(archive, folder)
        elif name.endswith(TARS):
            _unpack_tar(archive, folder)
        else:
            raise Unreadable(f"{archive.name} is not named as an archive")
    except BROKEN as error:
        raise Unreadable(str(error)) from error


def _unpack_zip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        members = opened.infolist()
        _check(len(members), sum(member.file_size for member in members))
        for member in members:
            if member.is_dir():
                _within(folder, member.filename).mkdir(parents=True, exist_ok=True)
            else:
                with opened.open(member) as content:
                    _write(content, _within(folder, member.filename))


def _unpack_tar(archive: Path, folder: Path) -> None:
    count = size = 0
    with tarfile.open(archive) as opened:
        for member in opened:
            count, size = count + 1, size + member.size
            _check(count, size)
            content = opened.extractfile(member) if member.isfile() else None
            if member.isdir():
                _within(folder, member.name).mkdir(parents=True, exist_ok=True)
            elif content is None:
                raise Unreadable(f"{member.name} is no file")
            else:
                _write(content, _within(folder, member.name))


def _check(files: int, size: int) -> None:
    if files > MAX_FILES or size > MAX_BYTES:
        raise Unreadable(f"{files} files, {size} bytes: too much")


def _within(folder: Path, name: str) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise Unreadable(f"{name} leads out of the archive")
    return folder / path


def _write(content: IO[bytes], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)


def _files(folder: Path) -> dict[str, Path]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in paths}


def _page(path: Path) -> Any:
    from bs4 import BeautifulSoup

    try:
        return BeautifulSoup(path.read_bytes().decode("utf-8"), "lxml")
    except (UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _same_pages(one: Any, other: Any, ignore_sdnum: bool) -> bool:
    from bs4 import Tag

    pairs: list[tuple[Any, Any]] = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            return False
        if not isinstance(one, Tag):
            if one != other:
                return False
            continue
        if one.name != other.name or len(one.contents) != len(other.contents):
            return False
        if _attributes(one, ignore_sdnum) != _attributes(other, ignore_sdnum):
            return False
        pairs += zip(one.contents, other.contents, strict=True)
    return True


def _attributes(element: Any, ignore_sdnum: bool) -> dict[str, Any]:
    found: dict[str, Any] = dict(element.attrs)
    if ignore_sdnum:
        found.pop("sdnum", None)
    return found
