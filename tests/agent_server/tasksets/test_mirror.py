"""Mirrors of assets: fetched whole, kept, repaired, resumed, from a server that misbehaves."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_server.tasksets.mirror import examine, mirror
from envs.io import fetch as fetching
from envs.io.fetch import Bounds
from envs.osworld.format.assets import MANIFEST, asset_path, read_manifest
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


def states(folder: Path, urls: list[str]) -> list[str]:
    return [finding.state for finding in examine(folder, urls)]


async def test_what_can_be_had_is_there_and_the_rest_is_told(
    server: FaultyServer, tmp_path: Path
) -> None:
    good = [f"{server.url}/{path}" for path in ("good/a.xlsx", "redirect/b", "twice/c", "cut/d")]
    bad = [f"{server.url}/{path}" for path in ("always-500", "always-cut", "hang", "huge", "none")]
    assert states(tmp_path, good) == ["missing"] * 4
    over: list[str] = []
    result = await mirror(good + bad, tmp_path, BOUNDS, on_done=over.append, private=True)
    assert (result.fetched, result.kept, sorted(result.failed)) == (4, 0, sorted(bad))
    assert sorted(over) == sorted(good + bad)
    assert states(tmp_path, good) == ["ok"] * 4
    assert asset_path(good[0], tmp_path).read_bytes() == b"a.xlsx" + CONTENT
    manifest = json.loads((tmp_path / MANIFEST).read_bytes())
    assert manifest[good[0]] == {
        "file": asset_path(good[0], tmp_path).name,
        "sha256": hashlib.sha256(b"a.xlsx" + CONTENT).hexdigest(),
        "bytes": len(CONTENT) + 6,
    }
    assert len(list(tmp_path.iterdir())) == 5


async def test_a_second_call_fetches_only_what_is_missing_or_damaged(
    server: FaultyServer, tmp_path: Path
) -> None:
    urls = [f"{server.url}/good/{name}" for name in "abc"]
    await mirror(urls, tmp_path, BOUNDS, private=True)
    asset_path(urls[0], tmp_path).unlink()
    asset_path(urls[1], tmp_path).write_bytes(b"cut")
    (tmp_path / ".left.partial").write_bytes(b"of a call that was killed")
    assert states(tmp_path, urls) == ["missing", "damaged", "ok"]
    server.request_counts.clear()
    result = await mirror(urls, tmp_path, BOUNDS, private=True)
    assert (result.fetched, result.kept) == (2, 1)
    assert set(server.request_counts) == {"/good/a", "/good/b"}
    assert states(tmp_path, urls) == ["ok"] * 3
    assert not (tmp_path / ".left.partial").exists()


async def test_a_file_put_there_by_hand_is_taken_into_the_manifest(tmp_path: Path) -> None:
    url = "https://nowhere.invalid/book.xlsx"
    asset_path(url, tmp_path).write_bytes(b"by hand")
    assert states(tmp_path, [url]) == ["unlisted"]
    result = await mirror([url], tmp_path, BOUNDS)
    assert (result.kept, result.failed) == (1, {})
    assert read_manifest(tmp_path)[url].bytes == 7
    assert states(tmp_path, [url]) == ["ok"]


def tasks(folder: Path, *urls: str) -> Path:
    files = [{"url": url, "path": f"/home/user/{number}"} for number, url in enumerate(urls)]
    data = {"id": "a", "instruction": "x",
            "config": [{"type": "download", "parameters": {"files": files}}]}  # fmt: skip
    folder.mkdir(exist_ok=True)
    (folder / "a.json").write_text(json.dumps(data))
    return folder


def deskhand(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "agent_server", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb"}, **more,
    )  # fmt: skip


def test_the_commands_fail_with_a_list_while_something_is_missing(
    server: FaultyServer, tmp_path: Path
) -> None:
    good, bad = f"{server.url}/good/a", f"{server.url}/none/b"
    folder, to = tasks(tmp_path / "tasks", good, bad), tmp_path / "mirror"
    process = deskhand("assets", "mirror", folder, "--to", to, "--private")
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"{bad}: HTTP 404" in output
    assert "2 files: 1 fetched" in output
    process = deskhand("assets", "check", folder, "--in", to, "--json", tmp_path / "list.json")
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "2 files: 1 missing, 1 ok" in output
    listed = json.loads((tmp_path / "list.json").read_bytes())
    assert [(entry["url"], entry["state"], entry["bytes"]) for entry in listed] == [
        (good, "ok", len(CONTENT) + 1),
        (bad, "missing", 0),
    ]


def test_ctrl_c_stops_it_and_leaves_no_half_file(server: FaultyServer, tmp_path: Path) -> None:
    good, hanging = f"{server.url}/good/a", f"{server.url}/hang"
    folder, to = tasks(tmp_path / "tasks", good, hanging), tmp_path / "mirror"
    process = deskhand("assets", "mirror", folder, "--to", to, "--private")
    deadline = time.monotonic() + 30
    while not (server.request_counts["/hang"] and (to / MANIFEST).exists()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "the next call goes on" in output
    assert "Traceback" not in output
    assert states(to, [good, hanging]) == ["ok", "missing"]
    assert not list(to.glob(".*"))


async def test_a_task_has_nothing_fetched_from_networks_of_ours(
    server: FaultyServer, tmp_path: Path
) -> None:
    port = server.url.rpartition(":")[2]
    urls = [
        f"http://{host}:{port}/good/a" for host in ("127.0.0.1", "localhost", "[::ffff:7f00:1]")
    ]
    result = await mirror(urls, tmp_path, BOUNDS)
    assert result.fetched == 0
    assert sorted(result.failed) == sorted(urls)
    assert all("not an address of the internet" in error for error in result.failed.values())
    assert not server.request_counts, "nobody was connected to"
    assert not list(tmp_path.glob("*.partial"))


def test_the_command_reaches_them_only_when_told_so(server: FaultyServer, tmp_path: Path) -> None:
    folder, to = tasks(tmp_path / "tasks", f"{server.url}/good/a"), tmp_path / "mirror"
    process = deskhand("assets", "mirror", folder, "--to", to)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "not an address of the internet" in output
    assert not server.request_counts
