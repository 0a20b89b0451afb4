"""Children are started again within a budget, and stopped with all that they started."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from agent_server.stack import supervisor as supervision
from agent_server.stack.supervisor import Child, ChildFailed, Supervisor
from envs.io.probe import is_answering
from envs.providers.local import free_port
from tests.agent_server.small_disk import on_small_disk
from tests.processes import left_of

FOREVER = "import time; time.sleep(600)"
WITH_GRANDCHILD = (
    "import subprocess, sys, time, pathlib\n"
    f"child = subprocess.Popen([sys.executable, '-c', {FOREVER!r}])\n"
    "pathlib.Path(sys.argv[1]).write_text(str(child.pid)); time.sleep(600)\n"
)
DEAF = (
    "import pathlib, signal, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "pathlib.Path(sys.argv[1]).write_text('deaf'); time.sleep(600)\n"
)
POLITE = (
    "import pathlib, signal, sys, time\n"
    "def leave(*_): pathlib.Path(sys.argv[2]).write_text('tidied up'); sys.exit()\n"
    "signal.signal(signal.SIGTERM, leave)\n"
    "pathlib.Path(sys.argv[1]).write_text('ready'); time.sleep(600)\n"
)
SLOW = (
    "import pathlib, signal, sys, time\n"
    "note, told = pathlib.Path(sys.argv[1]), []\n"
    "def leave(*_): told.append(1); len(told) > 1 and sys.exit()\n"
    "signal.signal(signal.SIGTERM, leave)\n"
    "note.write_text('ready')\n"
    "while not told: time.sleep(0.01)\n"
    "time.sleep(2); note.write_text('drained')\n"
)


async def up() -> bool:
    return True


def child(tmp_path: Path, code: str, *arguments: str, restarts: int = 2) -> Child:
    command = [sys.executable, "-c", code, *arguments]
    return Child("toy", command, {}, tmp_path / "toy.log", up, ready_s=20, max_restarts=restarts)


async def wait_for_text(note: Path) -> None:
    async with asyncio.timeout(20):
        while not (note.exists() and note.read_text()):
            await asyncio.sleep(0.02)


async def test_a_killed_child_is_started_again_and_restored(tmp_path: Path) -> None:
    restored = asyncio.Event()

    async def restore() -> None:
        restored.set()

    async with Supervisor() as supervisor:
        made = child(tmp_path, FOREVER)
        made.on_restart = restore
        await supervisor.add(made)
        first = made.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await asyncio.wait_for(restored.wait(), 20)
        assert made.pid not in (None, first)
        assert made.restarts == 1
        last = made.pid
    assert not psutil.pid_exists(last or 0)


async def test_a_child_that_keeps_dying_is_given_up_naming_its_log(tmp_path: Path) -> None:
    async with Supervisor() as supervisor:
        await supervisor.add(child(tmp_path, "import time; time.sleep(0.3); print('no')"))
        assert supervisor.failure is not None
        with pytest.raises(ChildFailed, match=r"toy died 3 times, giving up; see .*toy\.log"):
            await asyncio.wait_for(supervisor.failure, 30)
    assert (tmp_path / "toy.log").read_text().count("no") == 3


async def test_a_child_that_never_answers_is_an_error_at_start(tmp_path: Path) -> None:
    async def down() -> bool:
        return False

    made = child(tmp_path, FOREVER)
    made.ready, made.ready_s = down, 0.5
    async with Supervisor() as supervisor:
        with pytest.raises(ChildFailed, match=r"was not ready in 0\.5 s"):
            await supervisor.add(made)
        pid = made.pid
    assert pid is not None
    assert not psutil.pid_exists(pid)


async def test_what_a_child_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "grandchild"
    async with Supervisor() as supervisor:
        await supervisor.add(child(tmp_path, WITH_GRANDCHILD, str(note)))
        await wait_for_text(note)
        grandchild = psutil.Process(int(note.read_text()))
    assert not left_of([grandchild])


async def test_children_are_stopped_after_an_exception(tmp_path: Path) -> None:
    made = child(tmp_path, FOREVER)

    async def fail() -> None:
        async with Supervisor() as supervisor:
            await supervisor.add(made)
            pids.append(made.pid or 0)
            raise ZeroDivisionError

    pids: list[int] = []
    with pytest.raises(ZeroDivisionError):
        await fail()
    assert not psutil.pid_exists(pids[0])


async def test_a_child_that_ignores_sigterm_is_killed_after_the_grace_period(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "STOP_S", 1.0)
    note = tmp_path / "note"
    async with Supervisor() as supervisor:
        made = child(tmp_path, DEAF, str(note))
        await supervisor.add(made)
        await wait_for_text(note)
        pid = made.pid
        began = time.monotonic()
    assert 1.0 <= time.monotonic() - began < 10
    assert not psutil.pid_exists(pid or 0)


async def test_a_child_may_tidy_up_before_it_ends(tmp_path: Path) -> None:
    ready, farewell = tmp_path / "ready", tmp_path / "farewell"
    async with Supervisor() as supervisor:
        await supervisor.add(child(tmp_path, POLITE, str(ready), str(farewell)))
        await wait_for_text(ready)
    assert farewell.read_text() == "tidied up"


async def test_children_that_take_their_time_do_so_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "STOP_S", 0.5)
    notes = [tmp_path / name for name in ("a", "b")]
    async with Supervisor() as supervisor:
        for note in notes:
            made = child(tmp_path, SLOW, str(note))
            made.drain_s = 60.0
            await supervisor.add(made)
            await wait_for_text(note)
        began = time.monotonic()
    # One SIGTERM each: at a second one they would have ended at once, without a word.
    assert time.monotonic() - began >= 2.0
    assert [note.read_text() for note in notes] == ["drained", "drained"]


async def test_a_child_whose_end_takes_long_is_not_killed_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "STOP_S", 0.5)
    note = tmp_path / "note"
    async with Supervisor() as supervisor:
        made = child(tmp_path, SLOW, str(note))
        made.stop_s = 60.0
        await supervisor.add(made)
        await wait_for_text(note)
    assert note.read_text() == "drained"


async def test_a_child_that_dies_while_starting_names_its_code_and_log(tmp_path: Path) -> None:
    async def down() -> bool:
        return False

    made = child(tmp_path, "import sys; sys.exit('no room')")
    made.ready = down
    async with Supervisor() as supervisor:
        with pytest.raises(ChildFailed, match=r"toy ended with code 1 while .*; see .*toy\.log"):
            await supervisor.add(made)
    assert (tmp_path / "toy.log").read_text() == "no room\n"


async def test_a_program_that_is_gone_is_given_up_not_forgotten(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable}\n{FOREVER}\n")
    program.chmod(0o755)
    async with Supervisor() as supervisor:
        made = child(tmp_path, "")
        made.command = [str(program)]
        await supervisor.add(made)
        assert supervisor.failure is not None
        program.unlink()
        os.kill(made.pid or 0, signal.SIGKILL)
        with pytest.raises(ChildFailed, match="toy died 3 times, giving up"):
            await asyncio.wait_for(supervisor.failure, 20)


async def test_time_in_which_a_child_was_ready_gives_restarts_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "REFILL_S", 0.05)
    monkeypatch.setattr(supervision, "MAX_BACKOFF_S", 0.1)
    made = child(tmp_path, FOREVER, restarts=1)
    async with Supervisor() as supervisor:
        await supervisor.add(made)
        for number in range(1, 5):
            await asyncio.sleep(0.2)  # ready for longer than a restart costs
            pid = made.pid
            os.kill(pid or 0, signal.SIGKILL)
            async with asyncio.timeout(20):
                while made.restarts < number or made.ready_at is None or made.pid == pid:
                    await asyncio.sleep(0.02)
        assert supervisor.failure is not None
        assert not supervisor.failure.done()
    assert made.restarts == 4


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap makes the small disk")
def test_a_start_without_room_says_so_and_names_no_empty_log(tmp_path: Path) -> None:
    code = (
        "import asyncio, pathlib, sys\n"
        "from agent_server.stack.local_stack import Stack, StackConfig\n"
        "from agent_server.stack.supervisor import ChildFailed\n"
        "from tests.agent_server.stack.test_supervisor import child\n"
        "from tests.agent_server.small_disk import fill\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "fill(folder / 'filler')\n"
        "for start in (Stack(StackConfig(run_dir=folder / 'run')).__aenter__,\n"
        "              Stack(StackConfig(run_dir=folder)).__aenter__,\n"
        "              child(folder, 'import sys; sys.exit(1)').start):\n"
        "    try:\n"
        "        asyncio.run(start())\n"
        "    except ChildFailed as error:\n"
        "        print(error)\n"
    )
    command = [*on_small_disk(tmp_path, 1), sys.executable, "-c", code, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    lines = ended.stdout.splitlines()
    assert len(lines) >= 2, ended.stderr
    assert f"0 MB are free on the disk of {tmp_path}" in ended.stdout
    assert "see " not in ended.stdout


SERVER = (
    "import http.server, sys\n"
    "class Answer(http.server.BaseHTTPRequestHandler):\n"
    "    def do_GET(self): self.send_response(503); self.end_headers()\n"
    "http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Answer).serve_forever()\n"
)


async def test_a_child_that_hangs_is_started_again_and_one_that_is_unwell_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "PROBE_EVERY_S", 0.05)
    port = free_port()
    responds = partial(is_answering, f"http://127.0.0.1:{port}/")
    hanging = child(tmp_path, SERVER, str(port))
    hanging.ready, hanging.responds, hanging.ready_s = responds, responds, 60
    async with Supervisor() as supervisor:
        await supervisor.add(hanging)
        first = hanging.pid
        await asyncio.sleep(20 * 0.05)
        assert (hanging.pid, hanging.restarts) == (first, 0), "503 is an answer"
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        async with asyncio.timeout(240):
            while hanging.pid == first or not await responds():
                await asyncio.sleep(0.05)
        assert hanging.restarts == 1


TALKATIVE = (
    "import pathlib, sys, time\nwhile True: print('x' * 999, flush=True); time.sleep(0.001)\n"
)


async def test_the_log_of_a_child_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "PROBE_EVERY_S", 0.02)
    monkeypatch.setattr(supervision, "LOG_BYTES", 50_000)
    talker = child(tmp_path, TALKATIVE)
    former = tmp_path / "toy.log.1"
    async with Supervisor() as supervisor, asyncio.timeout(120):
        await supervisor.add(talker)
        while not former.exists():
            await asyncio.sleep(0.02)
        first = former.stat().st_mtime_ns
        while former.stat().st_mtime_ns == first or former.stat().st_size <= 50_000:
            await asyncio.sleep(0.02)
        while not talker.log_path.read_bytes().startswith(b"x"):
            await asyncio.sleep(0.02)
    assert b"\0" not in talker.log_path.read_bytes(), "it goes on at the beginning"
