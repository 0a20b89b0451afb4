"""Mirrors made from a folder, an archive or another prefix."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_server.tasksets.asset_sources import SourceError, open_source
from agent_server.tasksets.mirror import examine, mirror
from envs.io.fetch import Bounds
from envs.osworld.format.assets import asset_path
from tests.faulty_server import CONTENT, faulty_server

BOUNDS = Bounds(1000, tries=1)
FULL = "https://files.example/osworld/calc/a%20b.xlsx"
NAMED = "https://drive.example/other/name/c.docx"
HASHED = "https://drive.example/d"
URLS = [FULL, NAMED, HASHED]
FILES = {
    "files.example/osworld/calc/a b.xlsx": b"full",
    "old/a b.xlsx": b"another of that name",
    "x/c.docx": b"named",
    asset_path(HASHED, Path()).name: b"hashed",
    "big.bin": b"x" * 2000,
}


def make_folder(path: Path) -> Path:
    for name, content in FILES.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def make_zip(path: Path) -> Path:
    with zipfile.ZipFile(path / "files.zip", "w") as archive:
        for name, content in FILES.items():
            archive.writestr(name, content)
    return path / "files.zip"


def make_tar(path: Path) -> Path:
    with tarfile.open(path / "files.tar.gz", "w:gz") as archive:
        archive.add(make_folder(path / "in"), arcname=".")
    return path / "files.tar.gz"


@pytest.mark.parametrize("make", [make_folder, make_zip, make_tar])
async def test_files_come_from_what_is_named(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    (tmp_path / "source").mkdir()
    source, to = make(tmp_path / "source"), tmp_path / "mirror"
    lacking = ["https://a.example/none.txt", "https://a.example/big.bin"]
    result = await mirror([*URLS, *lacking], to, BOUNDS, source=str(source))
    assert (result.fetched, result.bytes) == (3, len(b"fullnamedhashed"))
    assert [asset_path(url, to).read_bytes() for url in URLS] == [b"full", b"named", b"hashed"]
    assert [finding.state for finding in examine(to, URLS)] == ["ok"] * 3
    assert "there is no file for it" in result.failed[lacking[0]]
    assert "2000 bytes, more than 1000" in result.failed[lacking[1]]
    assert not list(to.glob(".*"))


async def test_a_name_that_two_files_have_is_refused(tmp_path: Path) -> None:
    source, url = make_folder(tmp_path / "source"), "https://b.example/a%20b.xlsx"
    result = await mirror([url], tmp_path / "mirror", BOUNDS, source=str(source))
    assert (
        "2 files could be it: files.example/osworld/calc/a b.xlsx, old/a b.xlsx"
        in (result.failed[url])
    )


async def test_another_prefix_has_the_same_paths(tmp_path: Path) -> None:
    url = "https://gone.example/good/a.xlsx"
    with faulty_server() as server:
        bounds = Bounds(100_000, tries=1)
        result = await mirror([url], tmp_path, bounds, source=f"{server.url}/")
    assert (result.fetched, result.failed) == (1, {})
    assert asset_path(url, tmp_path).read_bytes() == b"a.xlsx" + CONTENT


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text")
    for name in ("text", "none"):
        with pytest.raises(SourceError, match="is not a folder, a zip or tar archive"):
            open_source(str(tmp_path / name))


@pytest.mark.parametrize(
    "path", ["a/../../admin", "%2e%2e/admin", "a/%252e%252e/%252e%252e/admin", "..\\admin"]
)
async def test_no_address_leads_out_of_a_prefix(tmp_path: Path, path: str) -> None:
    url = f"https://gone.example/{path}"
    with faulty_server() as server:
        bounds = Bounds(100_000, tries=1)
        result = await mirror([url], tmp_path, bounds, source=f"{server.url}/good/")
    assert "leads out of" in result.failed[url]
