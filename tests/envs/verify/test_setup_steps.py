"""OSWorld's setup steps as far as they need no display: files, commands, history, refusals."""

from __future__ import annotations

import asyncio
import ctypes
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from envs.desktop.processes import Processes
from envs.outcomes import EpisodeFault
from envs.verify import setup
from envs.verify import steps as _steps  # noqa: F401  registers the setup steps
from envs.verify.assets import asset_path
from envs.verify.placeholders import filled
from envs.verify.steps import programs
from envs.verify.steps.chrome import add_visits, same_page
from envs.verify.steps.refused import REFUSED
from tests.faulty_server import CONTENT, FaultyServer, faulty_server


@dataclass
class Headless:
    """A machine of real processes without a display."""

    home: Path
    processes: Processes
    width: int = 1280
    height: int = 720
    baseline: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)


PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Headless]:
    home = tmp_path / "home"
    home.mkdir()
    yield Headless(home, Processes({"PATH": "/usr/bin:/bin", "HOME": str(home)}, home))
    # This process is to be no desktop's host for the tests that follow.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    monkeypatch.setenv("DESKHAND_ASSETS", str(folder))
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with faulty_server() as served:
        yield served


def run(machine: Headless, kind: str, **parameters: Any) -> None:
    async def main() -> None:
        try:
            await setup.run(machine, [{"type": kind, "parameters": parameters}])
        except EpisodeFault:
            await asyncio.sleep(0.3)  # a killed program is collected on this loop
            raise

    asyncio.run(main())


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
        with pytest.raises(EpisodeFault, match="is no file of the mirror"):
            run(machine, "upload_file", files=[{"local_path": path, "path": "~/b"}])


def test_what_a_command_says_is_kept_for_the_evaluator(machine: Headless) -> None:
    run(machine, "execute", command="echo out; echo wrong >&2", shell=True, stdout="o", stderr="e")
    assert machine.outputs == {"o": "out\n", "e": "wrong\n"}


def test_a_command_is_run_again_until_it_is_as_said(machine: Headless) -> None:
    grow = "echo x >> n; wc -l < n"
    run(machine, "execute", command=grow, shell=True, until={"stdout": "3"}, stdout="n.out")
    assert machine.outputs["n.out"].strip() == "3"
    run(machine, "command", command=["/bin/sh", "-c", "rmdir d || { mkdir d; false; }"],
        until={"returncode": 0})  # fmt: skip
    assert not (machine.home / "d").exists()


def test_waiting_for_a_command_is_bounded(
    machine: Headless, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "EXECUTE_S", 0.5)
    with pytest.raises(EpisodeFault, match="TimeoutError"):
        run(machine, "execute", command=["true"], until={"returncode": 1})
    with pytest.raises(EpisodeFault, match="TimeoutError"):
        run(machine, "execute", command=["sleep", "60"])


def test_a_verified_command_waits_for_the_other_command(machine: Headless) -> None:
    later = "(sleep 0.3; touch there) >/dev/null 2>&1 &"
    run(machine, "execute_with_verification", command=later, shell=True,
        verification={"command_success": "test -e there"}, check_interval=0.05)  # fmt: skip
    assert (machine.home / "there").exists()
    with pytest.raises(EpisodeFault, match="TimeoutError"):
        run(machine, "execute_with_verification", command=["true"], max_wait_time=0.2,
            verification={"command_success": "test -e never"}, check_interval=0.05)  # fmt: skip


def test_placeholders_stand_for_the_screen_and_the_password(machine: Headless) -> None:
    assert filled("{SCREEN_WIDTH}x{SCREEN_HEIGHT}", machine) == "1280x720"
    assert filled("click({SCREEN_WIDTH_HALF}, {SCREEN_HEIGHT_HALF})", machine) == "click(640, 360)"
    assert filled("echo {CLIENT_PASSWORD}; echo ${HOME} {}", machine) == (
        "echo password; echo ${HOME} {}"
    )
    run(machine, "execute", command=["echo", "{SCREEN_WIDTH_HALF}"], stdout="half")
    assert machine.outputs["half"] == "640\n"


def test_a_launch_that_has_no_window_waits_for_none(machine: Headless) -> None:
    run(machine, "launch", command=["socat", "tcp-listen:9222,fork", "tcp:localhost:1337"])
    run(machine, "launch", command=["pkill", "no-such-program-here"])


@pytest.mark.parametrize("kind", REFUSED)
def test_a_refused_step_says_why(machine: Headless, kind: str) -> None:
    with pytest.raises(EpisodeFault, match=rf"step 1 \({kind}\): StepRefused: \w+"):
        run(machine, kind)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.tripadvisor.com/", "https://www.tripadvisor.com", True),
        ("https://tripadvisor.com", "www.tripadvisor.com", True),
        ("https://a.example/b?c=1", "https://a.example/b", False),
        ("https://a.example/b", "http://a.example/b", False),
        ("https://a.example/b", "https://b.example/b", False),
    ],
)
def test_addresses_of_one_page(one: str, other: str, same: bool) -> None:
    assert same_page(one, other) is same


def test_visits_of_the_past_are_dated_as_chromium_dates(tmp_path: Path) -> None:
    file = tmp_path / "History"
    with pytest.raises(FileNotFoundError, match="written no history"):
        add_visits(file, [], 0.0)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "CREATE TABLE urls (id INTEGER PRIMARY KEY, url, title, visit_count, typed_count,"
            " last_visit_time, hidden)"
        )
        database.execute(
            "CREATE TABLE visits (id INTEGER PRIMARY KEY, url, visit_time, from_visit, transition,"
            " segment_id, visit_duration)"
        )
    visit = {"url": "https://a.example/", "title": "A", "visit_time_from_now_in_seconds": 60}
    earlier = visit | {"visit_time_from_now_in_seconds": 61}
    add_visits(file, [visit, earlier], now=1_700_000_060.0)
    with closing(sqlite3.connect(file)) as database:
        pages = database.execute("SELECT url, title, visit_count, last_visit_time FROM urls")
        visits = database.execute("SELECT visit_time FROM visits WHERE url = 1 ORDER BY id")
        # 2023-11-14 22:13:20 UTC, in microseconds since 1601.
        assert pages.fetchall() == [("https://a.example/", "A", 2, 13_344_473_600_000_000)]
        assert visits.fetchall() == [(13_344_473_600_000_000,), (13_344_473_599_000_000,)]
