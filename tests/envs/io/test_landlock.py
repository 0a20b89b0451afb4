"""What a confined program still changes: its folder, and nothing else."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from envs.io import landlock

pytestmark = pytest.mark.skipif(landlock.version() == 0, reason="this kernel has no Landlock")
ATTEMPTS = """
import os, sys
inside, outside, victim = sys.argv[1:]
def attempt(name, work):
    try:
        work()
        print(name)
    except OSError:
        pass
for folder in (inside, outside):
    where = "in" if folder == inside else "out"
    attempt(f"write {where}", lambda: open(f"{folder}/new", "w").write("x"))
    attempt(f"folder {where}", lambda: os.mkdir(f"{folder}/folder"))
    attempt(f"link {where}", lambda: os.symlink("/etc", f"{folder}/link"))
attempt("change", lambda: open(f"{outside}/kept", "a").write("x"))
attempt("remove", lambda: os.unlink(f"{outside}/kept"))
attempt("rename", lambda: os.rename(f"{outside}/kept", f"{inside}/kept"))
attempt("read", lambda: open(f"{outside}/kept").read())
attempt("null", lambda: open("/dev/null", "w").write("x"))
attempt("signal", lambda: os.kill(int(victim), 0))
"""


def run_attempts(inside: Path, outside: Path, confined: bool) -> set[str]:
    for folder in (inside, outside):
        folder.mkdir(parents=True)
    (outside / "kept").write_text("x")
    ran = subprocess.run(
        [sys.executable, "-c", ATTEMPTS, inside, outside, str(os.getpid())],
        preexec_fn=(lambda: landlock.confine([inside])) if confined else None,
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return set(ran.stdout.splitlines())


def test_a_confined_program_changes_its_folder_only(tmp_path: Path) -> None:
    free = run_attempts(tmp_path / "free/in", tmp_path / "free/out", confined=False)
    assert {"write out", "folder out", "link out", "change", "remove", "signal"} <= free
    reached = run_attempts(tmp_path / "in", tmp_path / "out", confined=True)
    expected = {"write in", "folder in", "link in", "read", "null"}
    assert reached == (expected if landlock.version() >= 6 else expected | {"signal"})
    assert (tmp_path / "out/kept").read_text() == "x"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        landlock.confine([tmp_path / "none"])


READS = """
import socket, sys
readable, hidden, victim, port, other = sys.argv[1:]
def attempt(name, work):
    try:
        work()
        print(name)
    except OSError:
        pass
attempt("read", lambda: open(f"{readable}/kept").read())
attempt("hidden", lambda: open(f"{hidden}/kept").read())
attempt("environment", lambda: open(f"/proc/{victim}/environ").read(1))
attempt("port", lambda: socket.create_connection(("127.0.0.1", int(port)), 5))
attempt("other port", lambda: socket.create_connection(("127.0.0.1", int(other)), 5))
attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)))
"""


def as_in_a_container(*command: object) -> list[str]:
    """Without capabilities, which root's programs have: they read what others must not."""
    drop = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
    return [*(drop if os.geteuid() == 0 else []), *map(str, command)]


def test_a_confined_program_reads_and_reaches_what_is_named_only(tmp_path: Path) -> None:
    readable, hidden = tmp_path / "readable", tmp_path / "hidden"
    for folder in (readable, hidden):
        folder.mkdir()
        (folder / "kept").write_text("x")
    system = [Path("/usr"), Path("/lib64"), Path("/proc"), Path(sys.base_prefix)]
    system += [Path(sys.prefix), readable]
    system = [path for path in system if path.exists()]
    with (
        socket.create_server(("127.0.0.1", 0)) as first,
        socket.create_server(("127.0.0.1", 0)) as other,
        subprocess.Popen(as_in_a_container("sleep", "600")) as victim,
    ):
        ports = [server.getsockname()[1] for server in (first, other)]
        arguments = [readable, hidden, victim.pid, *ports]

        def run_reads(confine: Callable[[], None] | None) -> list[str]:
            ran = subprocess.run(
                as_in_a_container(sys.executable, "-c", READS, *arguments), preexec_fn=confine,
                capture_output=True, text=True, check=True, timeout=60,
            )  # fmt: skip
            return ran.stdout.splitlines()

        everything = run_reads(None)
        reached = run_reads(lambda: landlock.confine([], system, ports[:1]))
        victim.kill()
    assert everything == ["read", "hidden", "environment", "port", "other port", "listen"]
    assert reached == ["read", "port", *([] if landlock.version() >= 4 else everything[-2:])]
