"""A judge behind a socket: the same scores, one call at a time, and nothing of a call is left."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from envs.contract.outcomes import EpisodeFault
from envs.io import landlock
from envs.osworld.outside import judge as judging
from envs.osworld.outside.judge import judge
from envs.osworld.outside.judge_messages import Limits
from envs.osworld.outside.judge_place import SETTING
from envs.state.evidence import Measure, pack_value

WAIT_S = 120.0
needs_landlock = pytest.mark.skipif(landlock.version() == 0, reason="this kernel has no Landlock")


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """Path of the socket of a judge, and its process."""
    folder = tmp_path_factory.mktemp("judge")
    path = folder / "judge.sock"
    (folder / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "envs.osworld.outside.judge_server", "--socket", str(path)],
        env={**os.environ, "TMPDIR": str(folder / "tmp")}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + WAIT_S
    while not path.is_socket():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    yield path, process
    process.send_signal(signal.SIGTERM)
    assert process.wait(WAIT_S) == 0
    assert not list((folder / "tmp").iterdir())


@pytest.fixture(autouse=True)
def setting(server: tuple[Path, subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, f"unix:{server[0]}")


async def run_suite(folder: Path, source: str, limits: Limits | None = None) -> float:
    """The score of an agent's program, by the metric that runs it."""
    suite = folder / "suite.py"
    suite.write_text(source)
    file = pack_value(suite, folder)
    measure = Measure(func="check_python_file_by_test_suite", result=file, expected=file)
    (score,) = await judge([measure], folder, limits=limits)
    return score


async def test_scores_are_those_of_a_judge_here(tmp_path: Path) -> None:
    for name, text in (("one.txt", "One"), ("other.txt", "one")):
        (tmp_path / name).write_text(text)
    files = [pack_value(tmp_path / name, tmp_path) for name in ("one.txt", "other.txt")]
    measures = [
        Measure(func="compare_text_file", result=files[0], expected=files[1]),
        Measure(func="compare_text_file", result=files[0], expected=files[0]),
        Measure(func="is_utc_0", result=pack_value("Time zone: Etc/UTC (UTC, +0000)")),
    ]
    assert await judge(measures, tmp_path) == [0, 1, 1]
    with pytest.raises(EpisodeFault, match="metric no_metric: LookupError: there is no such"):
        await judge([*measures, Measure(func="no_metric")], tmp_path)


async def test_calls_at_once_are_all_answered(tmp_path: Path) -> None:
    zones = [Measure(func="is_utc_0", result=pack_value(f"Time zone: {zone}")) for zone in "ab"]
    scores = await asyncio.gather(*(judge(zones, tmp_path) for _ in range(4)))
    assert scores == [[0, 0]] * 4


async def test_a_call_ends_within_its_limits(tmp_path: Path) -> None:
    source = "import time\ndef test():\n    time.sleep(600)\n"
    with pytest.raises(EpisodeFault, match="suite: ran past 2 s"):
        await run_suite(tmp_path, source, Limits(wall_s=2))


@needs_landlock
async def test_what_a_metric_runs_reaches_nothing(
    server: tuple[Path, subprocess.Popen[str]], tmp_path: Path
) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    path, process = server
    attacks = {
        "connect": f"socket.create_connection(('127.0.0.1', {port}), 2)",
        "datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "write": f"pathlib.Path({str(tmp_path)!r}, 'escaped').write_text('x')",
        "remove the socket": f"os.unlink({str(path)!r})",
        "replace the socket": f"os.rename({str(path)!r}, {str(path)!r} + '.old')",
        "plant": f"pathlib.Path({str(path.parent / 'tmp')!r}, 'left').write_text('x')",
        "trace": f"pathlib.Path('/proc/{process.pid}/mem').open('r+b')",
    }
    if landlock.version() >= 6:
        attacks["kill"] = f"os.kill({process.pid}, 9)"
    lines = "".join(f"        {name!r}: lambda: {source},\n" for name, source in attacks.items())
    source = (
        "import os, pathlib, socket, sys\n"
        "def test():\n"
        f"    attacks = {{\n{lines}    }}\n"
        "    done = []\n"
        "    for name, work in attacks.items():\n"
        "        try:\n"
        "            work()\n"
        "        except OSError:\n"
        "            continue\n"
        "        done.append(name)\n"
        "    print('reached:', done, file=sys.stderr)\n"
        "    return 1.0 - len(done) / len(attacks)\n"
    )
    with listener:
        assert await run_suite(tmp_path, source) == 1
    assert process.poll() is None
    assert path.is_socket()
    assert not (tmp_path / "escaped").exists()


@needs_landlock
async def test_no_process_and_no_file_of_a_call_is_there_in_the_next(
    server: tuple[Path, subprocess.Popen[str]], tmp_path: Path
) -> None:
    path, process = server
    source = (
        "import os, subprocess, time\n"
        "def test():\n"
        "    open('left', 'w').write('x')\n"
        "    subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "    return 1.0\n"
    )
    assert await run_suite(tmp_path, source) == 1
    assert await judge([Measure(func="is_utc_0", result=pack_value("x"))], tmp_path) == [0]
    assert not psutil.Process(process.pid).children(recursive=True)
    assert not list((path.parent / "tmp").iterdir())


async def test_without_a_judge_the_verdict_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, f"unix:{tmp_path / 'none.sock'}")
    monkeypatch.setattr(judging, "CONNECT_S", 0.1)
    with pytest.raises(EpisodeFault, match="metric is_utc_0: no judge answers at"):
        await judge([Measure(func="is_utc_0", result=pack_value("x"))], tmp_path)
