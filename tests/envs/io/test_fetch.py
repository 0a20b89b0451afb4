"""Fetching one file from servers that misbehave: whole or not at all, and bounded."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest

from envs.io import fetch as fetching
from envs.io.fetch import Bounds, FetchError, TooBig, fetch
from tests.faulty_server import CONTENT, FaultyServer, faulty_server

BOUNDS = Bounds(100_000, quiet_s=0.3, whole_s=5.0, tries=3)


@pytest.fixture(scope="module")
def served() -> Iterator[FaultyServer]:
    with faulty_server() as server:
        yield server


@pytest.fixture
def server(served: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> FaultyServer:
    monkeypatch.setattr(fetching, "PAUSE_S", 0.01)
    served.request_counts.clear()
    return served


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.mark.parametrize(
    ("path", "expected", "requests"),
    [
        ("/good/a", b"a" + CONTENT, 1),
        ("/redirect/b", b"b" + CONTENT, 1),
        ("/twice/a", CONTENT, 3),
        ("/cut/a", CONTENT, 2),
    ],
)
async def test_what_passes_is_tried_again_until_the_file_is_whole(
    server: FaultyServer,
    http: aiohttp.ClientSession,
    tmp_path: Path,
    path: str,
    expected: bytes,
    requests: int,
) -> None:
    place = tmp_path / "file"
    fetched = await fetch(http, server.url + path, place, BOUNDS)
    assert place.read_bytes() == expected
    assert (fetched.bytes, fetched.sha256) == (len(expected), hashlib.sha256(expected).hexdigest())
    assert server.request_counts[path] == requests
    assert list(tmp_path.iterdir()) == [place]


@pytest.mark.parametrize(
    ("path", "error", "requests"),
    [
        ("/none/x", "HTTP 404", 1),
        ("/always-500", "HTTP 500", 3),
        ("/always-cut", "not in 3 tries", 3),
        ("/hang", "no answer in time", 3),
    ],
)
async def test_what_cannot_be_had_is_an_error_that_leaves_the_place_as_it_was(
    server: FaultyServer,
    http: aiohttp.ClientSession,
    tmp_path: Path,
    path: str,
    error: str,
    requests: int,
) -> None:
    place = tmp_path / "file"
    place.write_text("before")
    started = time.monotonic()
    with pytest.raises(FetchError, match=error):
        await fetch(http, server.url + path, place, BOUNDS)
    assert time.monotonic() - started < 4
    assert server.request_counts[path] == requests
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("file", "before")]


@pytest.mark.parametrize("path", ["/huge", "/endless"])
async def test_a_file_over_the_limit_is_not_taken_whether_it_says_its_size_or_not(
    server: FaultyServer, http: aiohttp.ClientSession, tmp_path: Path, path: str
) -> None:
    with pytest.raises(TooBig, match="larger than 100000 bytes"):
        await fetch(http, server.url + path, tmp_path / "file", BOUNDS)
    assert server.request_counts[path] == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.example/b", "/etc/passwd"])
async def test_only_http_addresses_are_fetched(
    http: aiohttp.ClientSession, tmp_path: Path, url: str
) -> None:
    with pytest.raises(FetchError, match="only http and https"):
        await fetch(http, url, tmp_path / "file", BOUNDS)
