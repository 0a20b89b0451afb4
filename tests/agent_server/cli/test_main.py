"""The command line: what users get wrong is one sentence on stderr and exit code 1 or 2."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from agent_server.cli.main import main
from agent_server.stack.local_stack import run_lock
from envs.providers.local import free_port
from tests.processes import left_of


def deskhand(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agent_server", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb", **environment},
        check=False,
    )


RunHere = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunHere:
    """Runs the command in this process, which has its modules: exit code, stdout, stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["deskhand", *arguments])
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setenv("TERM", "dumb")
        with pytest.raises(SystemExit) as ending:
            main()
        assert isinstance(ending.value.code, int)
        return ending.value.code, *capsys.readouterr()

    return run


def test_help_names_every_command() -> None:
    shown = deskhand("--help")
    assert shown.returncode == 0
    commands = "demo train eval serve worker replay doctor bench report"
    assert not [name for name in commands.split() if name not in shown.stdout]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--provider", "qemu"), 2, "qemu needs a disk image"),
        (("--provider", "docker", "--screen", "1920x1080"), 2, "the image says how large"),
        (("--provider", "qemu", "--image", "no.qcow2", "--desktops", "1"), 1, "is not a file"),
    ],
)
def test_serve_refuses_desktops_that_cannot_be(
    run_here: RunHere, tmp_path: Path, options: tuple[str, ...], code: int, message: str
) -> None:
    ended, _, stderr = run_here("serve", "--run", str(tmp_path / "run"), *options)
    assert (ended, message in " ".join(stderr.split())) == (code, True), stderr


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['deskhand', '--help']\n"
        "from agent_server.cli.main import main\n"
        "try: main()\n"
        "finally: print('heavy:', {'torch', 'transformers', 'sqlalchemy', 'celery'} "
        "& set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "heavy: set()" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train", "--set", "reinforce.grops=3"], "did you mean reinforce.groups?"),
        (["train", "--set", "reinforc.groups=3"], "did you mean reinforce?"),
        (["train", "--set", "reinforce.groups=many"], "reinforce.groups"),
        (["train", "--config", "none.toml"], "cannot read none.toml"),
        (["train", "--resume", "/nowhere"], "/nowhere is not the folder of a run"),
        (["train", "--resume", "/nowhere", "--name", "x"], "keeps its own config and name"),
        (["train", "--set", 'env.tasks=["shop/prize"]'], "shop has no template 'prize'"),
        (["demo", "--preset", "huge"], "there are: default, desktop, gyms, miniwob, smoke"),
        (["eval", "--policy", "live"], "a live policy needs --model FOLDER"),
        (["eval", "--policy", "oracle", "--template", "prize"], "shop has no template 'prize'"),
        (["eval", "--model", "/nowhere"], "/nowhere"),
        (["eval", "--policy", "oracle", "--gym", "shap"], "there is no gym 'shap'"),
        (["eval", "--policy", "best"], "live, oracle, noop, infeasible, random, an agent"),
        (["eval", "--policy", "noop", "--model", "/nowhere"], "noop has no model"),
        (["eval", "--policy", "noop", "--set", "test_all.json"], "chooses among --tasks FOLDER"),
        (["eval", "--policy", "noop", "--tasks", "/nowhere"], "/nowhere"),
        (["eval", "show", "/nowhere"], "/nowhere is not the folder of an evaluation"),
        (["eval", "resume", "/nowhere"], "/nowhere is not the folder of an evaluation"),
        (["eval", "cancel", "/nowhere"], "/nowhere is not the folder of an evaluation"),
        (["eval", "compare", "/nowhere", "/nowhere"], "/nowhere is not the folder of an eval"),
        (
            ["eval", "export", "/nowhere", "--to", "x", "--format", "csv"],
            "osworld, inspect, jsonl, chat",
        ),
        (["serve", "--workers", "0"], "workers"),
        (["replay", "/nowhere", "e1"], "e1"),
        (["report", "/nowhere"], "/nowhere is not the folder of a run"),
    ],
)
def test_bad_input_is_one_clear_sentence(
    arguments: list[str], complaint: str, tmp_path: Path, run_here: RunHere
) -> None:
    if arguments[0] in ("train", "demo") and "--resume" not in arguments:
        arguments = [*arguments, "--runs", str(tmp_path)]
    if arguments[:2] in (["eval", "--policy"], ["eval", "--model"]):
        arguments = [*arguments, "--runs", str(tmp_path)]
    code, _, errors = run_here(*arguments)
    assert code in (1, 2)
    assert complaint in errors
    assert "Traceback" not in errors


def test_an_error_of_a_user_is_one_line_of_the_program_itself() -> None:
    done = deskhand("eval", "show", "/nowhere")
    assert done.returncode == 1
    (sentence,) = done.stderr.strip().splitlines()
    assert "/nowhere is not the folder of an evaluation" in sentence


def test_an_unknown_key_of_a_config_file_is_named_with_the_nearest(
    tmp_path: Path, run_here: RunHere
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[reinforce]\ngroop_size = 4\n")
    code, _, errors = run_here("train", "--config", str(file), "--runs", str(tmp_path / "runs"))
    assert code == 1
    (sentence,) = errors.strip().splitlines()
    assert "reinforce.groop_size" in sentence
    assert "did you mean reinforce.group_size?" in sentence
    assert not (tmp_path / "runs").exists(), "nothing is begun with a wrong configuration"


def test_replay_of_an_unknown_episode_names_it_and_the_run(tmp_path: Path) -> None:
    done = deskhand("replay", str(tmp_path), "e_unknown")
    assert done.returncode == 2
    assert "e_unknown" in done.stderr
    assert str(tmp_path) in done.stderr


def test_a_worker_with_a_wrong_setting_says_which(tmp_path: Path) -> None:
    done = deskhand("worker", DESKHAND_RUN_DIR=str(tmp_path), DESKHAND_CONCURRENCY="0")
    assert done.returncode == 1
    (sentence,) = done.stderr.strip().splitlines()
    assert "DESKHAND_CONCURRENCY='0'" in sentence


@pytest.mark.browser
def test_ctrl_c_ends_serve_with_everything_it_started(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as output:
        serve = subprocess.Popen(
            [sys.executable, "-m", "agent_server", "serve", "--run", str(tmp_path / "run"),
             "--port", str(free_port()), "--concurrency", "1"],
            stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        pause = threading.Event()
        for _ in range(600):
            if (tmp_path / "run" / "stack.json").exists() or serve.poll() is not None:
                break
            pause.wait(0.1)
        started = psutil.Process(serve.pid).children(recursive=True)
        serve.send_signal(signal.SIGINT)
        assert serve.wait(60) == 130, (tmp_path / "out").read_text()
    finally:
        if serve.poll() is None:
            os.killpg(serve.pid, signal.SIGKILL)
            serve.wait()
    assert len(started) >= 4
    assert not left_of(started)
    assert "Traceback" not in (tmp_path / "out").read_text()


def test_every_key_is_printed_with_its_default_and_a_line_of_help(run_here: RunHere) -> None:
    _, shown, _ = run_here("train", "--print-config")
    assert "reinforce.group_size = 8  # episodes of one task" in shown


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
        process.pid
        for process in psutil.process_iter(["environ"])
        if str(tmp_path) in str((process.info["environ"] or {}).get("DESKHAND_RUN_DIR"))
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
