"""Archives file by file, pages element by element; what is made to do harm does none."""

from __future__ import annotations

import io
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from envs.osworld.outside.published import archives
from envs.osworld.outside.published.archives import (
    compare_archive,
    compare_archive_compat,
    compare_htmls,
    compare_htmls_compat,
)

FILES = {"in/a.txt": b"one", "in/b.txt": b"two"}


def _zip(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def _tar(path: Path, *entries: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for entry, content in entries:
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return _zip(tmp_path / "gold.zip", FILES)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_score_is_the_mean_of_the_files(tmp_path: Path, gold: Path, scratch: Path) -> None:
    result = _zip(tmp_path / "found.zip", {**FILES, "in/b.txt": b"TWO"})
    assert compare_archive(gold, gold) == 1
    assert compare_archive(result, gold, file_path="in") == 0.5
    assert compare_archive(result, gold, ignore_case=True) == 1
    assert list(scratch.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"found.zip", "gold.zip", "scratch"}


def test_other_names_score_nothing(tmp_path: Path, gold: Path) -> None:
    assert compare_archive(_zip(tmp_path / "a.zip", {"in/a.txt": b"one"}), gold) == 0
    assert compare_archive(_zip(tmp_path / "b.zip", {**FILES, "c": b""}), gold) == 0
    empty = _zip(tmp_path / "c.zip", {})
    assert compare_archive(empty, empty) == 0
    with pytest.raises(ZeroDivisionError):
        compare_archive_compat(empty, empty)


def test_a_tar_is_an_archive_too(tmp_path: Path, gold: Path) -> None:
    entries = [(tarfile.TarInfo(name), content) for name, content in FILES.items()]
    assert compare_archive(_tar(tmp_path / "a.tar.gz", *entries), gold) == 1
    shutil.copy(tmp_path / "a.tar.gz", tmp_path / "a.zip")
    assert compare_archive(tmp_path / "a.zip", gold) == 0


def test_files_are_compared_by_their_kind(tmp_path: Path, gold: Path) -> None:
    assert compare_archive(gold, gold, file_type="image") == 0
    with pytest.raises(ValueError, match="'shape'"):
        compare_archive(gold, gold, file_type="shape")


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04" + bytes(50)])
def test_what_is_no_archive_scores_nothing(tmp_path: Path, gold: Path, content: bytes) -> None:
    for name in ("a.zip", "a.tar.gz", "a.txt"):
        (tmp_path / name).write_bytes(content)
        assert compare_archive(tmp_path / name, gold) == 0
        with pytest.raises(shutil.ReadError):
            compare_archive_compat(tmp_path / name, gold)


@pytest.mark.parametrize("name", ["../out", "in/../../out", "/tmp/out-of-it"])
def test_no_entry_leads_out(tmp_path: Path, gold: Path, scratch: Path, name: str) -> None:
    bad = [
        _zip(tmp_path / "bad.zip", {**FILES, name: b"x"}),
        _tar(tmp_path / "bad.tar", (tarfile.TarInfo(name), b"x")),
    ]
    assert [compare_archive(path, gold) for path in bad] == [0, 0]
    assert {path.name for path in tmp_path.iterdir()} >= {"gold.zip", "scratch"}
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "out").exists()
    assert not Path("/tmp/out-of-it").exists()


def test_links_and_devices_are_refused(tmp_path: Path, gold: Path) -> None:
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
        entry = tarfile.TarInfo("in/a.txt")
        entry.type, entry.linkname = kind, "/etc/passwd"
        assert compare_archive(_tar(tmp_path / "link.tar", (entry, b"")), gold) == 0


def test_a_bomb_is_not_unpacked(
    tmp_path: Path, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 1024**2)
    monkeypatch.setattr(archives, "MAX_FILES", 50)
    large = _zip(tmp_path / "large.zip", {"in/a.txt": bytes(2 * 1024**2)})
    many = _zip(tmp_path / "many.zip", {f"in/{n}": b"" for n in range(60)})
    tar = _tar(tmp_path / "large.tar", (tarfile.TarInfo("in/a.txt"), bytes(2 * 1024**2)))
    assert [compare_archive(path, gold) for path in (large, many, tar)] == [0, 0, 0]


ROW = '<tr><td sdval="1" sdnum="1033;"><b>one</b> two</td></tr>'


@pytest.mark.parametrize(
    ("rows", "score", "upstream"),
    [
        (ROW * 2, 1, 1),
        (ROW + ROW.replace("1033", "2057"), 1, 1),
        (ROW + ROW.replace('sdval="1"', 'sdval="2"'), 0, 0),
        (ROW + ROW.replace("two", "three"), 0, 0),
        (ROW + ROW.replace("b>", "i>"), 0, 0),
        (ROW + ROW.replace("<b>one</b> two", "<b>one two</b>"), 0, 0),
        (ROW, 0, 0),
        (ROW * 2 + "<img/>", 0, 1),
    ],
)
def test_pages_have_the_same_elements(
    tmp_path: Path, rows: str, score: float, upstream: float
) -> None:
    pages = [tmp_path / name for name in ("found.html", "gold.html")]
    for page, content in zip(pages, (rows, ROW * 2), strict=True):
        page.write_text(f"<html><body><table>{content}</table></body></html>")
    assert compare_htmls(*pages, ignore_sdnum=True) == score
    assert compare_htmls_compat(*pages, ignore_sdnum=True) == upstream


def test_number_formats_count_unless_ignored(tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("found.html", "gold.html")]
    for page, locale in zip(pages, ("1033", "2057"), strict=True):
        page.write_text(ROW.replace("1033", locale))
    assert compare_htmls(*pages) == 0


def test_an_empty_page_is_not_any_page(tmp_path: Path) -> None:
    empty, gold = tmp_path / "empty.html", tmp_path / "gold.html"
    empty.write_text("")
    gold.write_text(ROW)
    assert compare_htmls(empty, gold) == 0
    assert compare_htmls_compat(empty, gold) == 1
    empty.write_bytes(b"\xff\xfe")
    assert compare_htmls(empty, gold) == 0
