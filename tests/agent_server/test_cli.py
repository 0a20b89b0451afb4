"""The command line: what users get wrong is one sentence on stderr and exit code 1 or 2."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from agent_server.stack import run_lock


def deskhand(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agent_server", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb", **environment},
        check=False,
    )


def test_help_names_every_command() -> None:
    shown = deskhand("--help")
    assert shown.returncode == 0
    commands = "demo train eval serve worker replay doctor bench report"
    assert not [name for name in commands.split() if name not in shown.stdout]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train", "--set", "reinforce.grops=3"], "did you mean reinforce.groups?"),
        (["train", "--config", "none.toml"], "cannot read none.toml"),
        (["train", "--resume", "/nowhere"], "/nowhere is not the folder of a run"),
        (["train", "--set", 'env.templates=["prize"]'], "shop has no template 'prize'"),
        (["demo", "--preset", "huge"], "no preset 'huge'; there are: default, smoke"),
        (["eval", "--policy", "live"], "a live policy needs --model FOLDER"),
        (["eval", "--policy", "oracle", "--template", "prize"], "shop has no template 'prize'"),
        (["eval", "--model", "/nowhere"], "/nowhere"),
        (["replay", "/nowhere", "e1"], "e1"),
        (["report", "/nowhere"], "/nowhere is not the folder of a run"),
    ],
)
def test_bad_input_is_one_clear_sentence(
    arguments: list[str], complaint: str, tmp_path: Path
) -> None:
    if arguments[0] in ("train", "demo") and "--resume" not in arguments:
        arguments = [*arguments, "--runs", str(tmp_path)]
    if arguments[0] == "eval":
        arguments = [*arguments, "--run", str(tmp_path / "run")]
    done = deskhand(*arguments)
    assert done.returncode in (1, 2)
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_every_key_is_printed_with_its_default_and_a_line_of_help() -> None:
    shown = deskhand("train", "--print-config")
    assert "reinforce.group_size = 8  # episodes of one task" in shown.stdout


def test_a_second_process_on_a_run_folder_is_refused(tmp_path: Path) -> None:
    with run_lock(tmp_path):
        done = deskhand("serve", "--run", str(tmp_path))
    assert done.returncode == 1
    assert str(tmp_path) in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_port_in_use_is_named_and_nothing_is_left_running(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = deskhand("serve", "--run", str(tmp_path), "--port", str(port))
    assert done.returncode == 1
    assert f"port {port} is in use" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    mine = [
        one.pid
        for one in psutil.process_iter(["environ"])
        if str(tmp_path) in str((one.info["environ"] or {}).get("DESKHAND_RUN_DIR"))
    ]
    assert not mine


def test_doctor_says_what_is_missing_and_how_to_get_it() -> None:
    done = deskhand("doctor", DESKHAND_CHROMIUM="/no/such/chromium")
    assert done.returncode == 1
    assert "MISSING chromium" in done.stdout
    assert "-> apt-get install chromium-headless-shell" in done.stdout


def test_doctor_is_content_with_a_machine_that_is_set_up() -> None:
    done = deskhand("doctor")
    assert done.returncode == 0, done.stdout
    assert "MISSING" not in done.stdout
