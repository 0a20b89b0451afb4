"""Downloads and uploads: from the mirror, the network, nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.outcomes import EpisodeFault
from envs.osworld.format.assets import asset_path
from tests.envs.osworld.inside.steps.headless import Headless, run
from tests.faulty_server import CONTENT, FaultyServer


def test_a_download_comes_from_the_mirror(machine: Headless, mirror: Path) -> None:
    url = "https://nowhere.invalid/a/book.xlsx"
    asset_path(url, mirror).write_bytes(b"book")
    run(machine, "download", files=[{"url": url, "path": "/home/user/Desktop/book.xlsx"}])
    assert (machine.home / "Desktop" / "book.xlsx").read_bytes() == b"book"


def test_relative_paths_begin_at_home(machine: Headless, mirror: Path) -> None:
    url = "https://nowhere.invalid/a/setup.sh"
    asset_path(url, mirror).write_bytes(b"true")
    run(machine, "download", files=[{"url": url, "path": "setup.sh"}])
    assert (machine.home / "setup.sh").read_bytes() == b"true"


def test_a_download_that_no_mirror_has_comes_from_the_network(
    machine: Headless, server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DESKHAND_ASSETS", raising=False)
    run(machine, "download", files=[{"url": f"{server.url}/good/a", "path": "~/a"}])
    assert (machine.home / "a").read_bytes() == b"a" + CONTENT


def test_a_download_that_is_nowhere_says_where_it_was_looked_for(
    machine: Headless, server: FaultyServer, mirror: Path
) -> None:
    with pytest.raises(EpisodeFault, match=r"step 1 \(download\): .*HTTP 404.*not in the mirror"):
        run(machine, "download", files=[{"url": f"{server.url}/none/a", "path": "~/a"}])
    assert list(machine.home.iterdir()) == []


def test_an_upload_takes_a_file_of_the_mirror_and_none_from_outside(
    machine: Headless, mirror: Path
) -> None:
    (mirror / "own").mkdir()
    (mirror / "own" / "a.txt").write_text("mine")
    run(machine, "upload_file", files=[{"local_path": "own/a.txt", "path": "/home/user/a.txt"}])
    assert (machine.home / "a.txt").read_text() == "mine"
    (mirror.parent / "secret").write_text("x")
    for path in ("../secret", str(mirror.parent / "secret"), "own/none.txt"):
        with pytest.raises(EpisodeFault, match="is not a file of the mirror"):
            run(machine, "upload_file", files=[{"local_path": path, "path": "~/b"}])
