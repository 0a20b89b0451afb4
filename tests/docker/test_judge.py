"""The judge of containers: what an agent's program reaches from there, and what a worker reaches
without it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("nothing_left")]

SOCKET = "/run/judge/judge.sock"
COMMAND = ["python", "-m", "envs.osworld.outside.judge_server", "--socket", SOCKET]
WAIT_S = 120.0
SECRET = "the-password-of-the-database"
CONFINED: dict[str, Any] = {
    "read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"],
}  # fmt: skip
ATTACKS = """
import glob, os, pathlib, socket, sys
def secrets():
    for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/run/secrets/**", recursive=True):
        try:
            if {secret!r} in pathlib.Path(path).read_text():
                return
        except OSError:
            continue
    raise OSError
def outward():
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.connect(("192.0.2.1", 9))
    link.send(b"x")
def interfaces():
    if [name for _, name in socket.if_nameindex() if name != "lo"] == []:
        raise OSError
ATTACKS = {{
    "secrets": secrets,
    "outward": outward,
    "interfaces": interfaces,
    "the socket": lambda: os.unlink({socket!r}),
    "a file for later": lambda: pathlib.Path("/tmp/planted").write_text("x"),
    "shared memory": lambda: pathlib.Path("/dev/shm/planted").write_text("x"),
    "the code": lambda: pathlib.Path("/opt/deskhand/src/planted").write_text("x"),
}}
def reached():
    names = []
    for name, attack in ATTACKS.items():
        try:
            attack()
        except OSError:
            continue
        names.append(name)
    return names
"""
SUITE = "def test():\n    return 1.0 - len(reached()) / len(ATTACKS)\n"
JUDGE = """
import asyncio, json, sys, tempfile
from pathlib import Path
from envs.contract.outcomes import EpisodeFault
from envs.osworld.outside.judge import judge
from envs.state.evidence import Measure, pack_value
async def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "suite.py").write_text(sys.argv[1])
        file = pack_value(folder / "suite.py", folder)
        suite = Measure(func="check_python_file_by_test_suite", result=file, expected=file)
        zone = Measure(func="is_utc_0", result=pack_value("Time zone: Etc/UTC (UTC, +0000)"))
        for measures in ([suite], [zone]):
            try:
                print(await judge(measures, folder))
            except EpisodeFault as fault:
                print(fault)
asyncio.run(main())
"""


def source(text: str = SUITE) -> str:
    return ATTACKS.format(secret=SECRET, socket=SOCKET) + text


@pytest.fixture
def volume(engine: Any) -> Iterator[str]:
    made = engine.volumes.create("deskhand-test-judge")
    yield made.name
    made.remove(force=True)


@pytest.fixture
def judge(engine: Any, app_image: str, volume: str) -> Iterator[Any]:
    container = engine.containers.run(
        app_image, COMMAND, detach=True, network_mode="none", tmpfs={"/tmp": "size=640m"},
        mem_limit="1g", volumes={volume: {"bind": "/run/judge", "mode": "rw"}}, **CONFINED,
    )  # fmt: skip
    deadline = time.monotonic() + WAIT_S
    while b"judging at" not in container.logs():
        assert time.monotonic() < deadline, container.logs()
        time.sleep(0.2)
    yield container
    container.remove(force=True)


def run_worker(engine: Any, image: str, script: list[str], **more: Any) -> str:
    """Output of a program in a worker's container, which has a secret."""
    environment = {"DESKHAND_DATABASE_URL": SECRET, **more.pop("environment", {})}
    output: bytes = engine.containers.run(
        image, ["python", "-c", *script], remove=True, environment=environment,
        tmpfs={"/tmp": "size=64m"}, **CONFINED, **more,
    )  # fmt: skip
    return output.decode()


def test_an_agent_s_program_reaches_nothing_from_the_judge(
    engine: Any, app_image: str, volume: str, judge: Any
) -> None:
    plain = f"{source()}\nprint(sorted(reached()))"
    everything = run_worker(engine, app_image, [plain])
    assert "'secrets'" in everything
    assert "'outward'" in everything
    assert "'a file for later'" in everything
    output = run_worker(
        engine, app_image, [JUDGE, source()], network_mode="none",
        environment={"DESKHAND_JUDGE": f"unix:{SOCKET}"},
        volumes={volume: {"bind": "/run/judge", "mode": "ro"}},
    )  # fmt: skip
    assert output.splitlines() == ["[1.0]", "[1.0]"]
    assert judge.exec_run(["sh", "-c", "ls /tmp /dev/shm"]).output.decode().split() == [
        "/dev/shm:", "/tmp:",
    ]  # fmt: skip


def test_a_container_without_a_judge_refuses_to_judge(engine: Any, app_image: str) -> None:
    lines = run_worker(engine, app_image, [JUDGE, source()]).splitlines()
    assert len(lines) == 2
    assert all(line.startswith("unrunnable: bubblewrap makes no boxes here") for line in lines)


def test_the_judge_takes_no_more_memory_than_its_container_has(engine: Any, judge: Any) -> None:
    script = (
        "from envs.osworld.outside.judge import fit_memory\n"
        "from envs.osworld.outside.judge_messages import Limits\n"
        "print(fit_memory(Limits()).memory)"
    )
    done = judge.exec_run(["python", "-c", script])
    assert int(done.output) < 1 << 30, done.output
    assert json.loads(done.output) == int((1 << 30) * 0.6)
