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
from pathlib import Path, PurePosixPath
from typing import IO, Any

from envs.osworld.outside.metric_modules import Metric, load_compat_metric, load_metric
from envs.osworld.outside.published.error_policy import Unreadable, unreadable_scores_0

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
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")


@unreadable_scores_0
def compare_archive(
    result: Path, expected: Path, file_path: str = "", file_type: str = "text", **options: Any
) -> float:
    """Mean score of the files by the metric of `file_type`, when both archives hold files of the
    same names below the folder `file_path`; otherwise 0. `options` are that metric's. The end of
    its name says what kind of archive a file is. Raises ValueError for an unknown type."""
    compare = _metric(file_type)
    with tempfile.TemporaryDirectory(prefix="archives-") as scratch:
        folders = [Path(scratch, side) for side in ("actual", "expected")]
        _unpack(result, folders[0])
        _unpack(expected, folders[1])
        actual, target = (_files(folder / file_path) for folder in folders)
        if not target or actual.keys() != target.keys():
            return 0.0
        scores = [compare(actual[name], target[name], **options) for name in target]
    return sum(scores) / len(scores)


def compare_archive_compat(
    result: Path, expected: Path, file_path: str = "", file_type: str = "text", **options: Any
) -> float:
    """Takes folders for files. Raises ZeroDivisionError for empty archives, FileNotFoundError for a
    missing folder, ReadError for what is no archive, and what the files' metric raises."""
    with tempfile.TemporaryDirectory(prefix="archives-") as scratch:
        folders = [Path(scratch, side) for side in ("actual", "expected")]
        for archive, folder in zip((result, expected), folders, strict=True):
            try:
                _unpack(archive, folder)
            except Unreadable as error:
                raise shutil.ReadError(str(error)) from error
        actual, target = (sorted((folder / file_path).iterdir()) for folder in folders)
        if [path.name for path in actual] != [path.name for path in target]:
            return 0.0
        compare = _metric(file_type, compat=True)
        pairs = zip(actual, target, strict=True)
        return sum(compare(*pair, **options) for pair in pairs) / len(actual)


@unreadable_scores_0
def compare_htmls(result: Path, expected: Path, ignore_sdnum: bool = False) -> float:
    """1 when both pages have the same elements, attributes and texts; `ignore_sdnum` leaves out the
    attribute in which LibreOffice notes number formats."""
    return float(_same_pages(_page(result), _page(expected), ignore_sdnum))


def compare_htmls_compat(result: Path, expected: Path, ignore_sdnum: bool = False) -> float:
    """As far as the shorter page goes: an empty one is like any other. Raises
    UnicodeDecodeError."""
    from bs4 import BeautifulSoup, Tag

    pages = [BeautifulSoup(path.read_text(encoding="utf-8"), "lxml") for path in (result, expected)]
    for actual, target in zip(*(page.descendants for page in pages), strict=False):
        if isinstance(actual, Tag) and isinstance(target, Tag):
            same = actual.name == target.name and actual.text.strip() == target.text.strip()
            if not same or _attributes(actual, ignore_sdnum) != _attributes(target, ignore_sdnum):
                return 0.0
        elif actual != target:
            return 0.0
    return 1.0


def _metric(file_type: str, compat: bool = False) -> Metric:
    if file_type not in COMPARED_BY:
        raise ValueError(f"file_type is {file_type!r}, not one of {', '.join(COMPARED_BY)}")
    name = COMPARED_BY[file_type]
    return (load_compat_metric(name) if compat else None) or load_metric(name)


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
                raise Unreadable(f"{member.name} is not a file")
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


def _same_pages(first: Any, second: Any, ignore_sdnum: bool) -> bool:
    from bs4 import Tag

    pairs: list[tuple[Any, Any]] = [(first, second)]
    while pairs:
        first, second = pairs.pop()
        if type(first) is not type(second):
            return False
        if not isinstance(first, Tag):
            if first != second:
                return False
            continue
        if first.name != second.name or len(first.contents) != len(second.contents):
            return False
        if _attributes(first, ignore_sdnum) != _attributes(second, ignore_sdnum):
            return False
        pairs += zip(first.contents, second.contents, strict=True)
    return True


def _attributes(element: Any, ignore_sdnum: bool) -> dict[str, Any]:
    attributes: dict[str, Any] = dict(element.attrs)
    if ignore_sdnum:
        attributes.pop("sdnum", None)
    return attributes
