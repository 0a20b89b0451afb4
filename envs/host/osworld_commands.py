"""OSWorld's calls that run commands: /execute, /execute_with_verification, /setup/launch,
/run_python, /run_bash_script.

Guarantees: a command that fails or takes too long is an answer, not an HTTP error, because the
published client sends whatever is not answered 200 again; it is given its time and then killed with
its children. One that cannot start is an error 500, as upstream's: a client that repeats a command
until it succeeds counts those and gives up.
"""

from __future__ import annotations

import asyncio
import secrets
import shlex
import time
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from envs.desktop.desktop import Desktop
from envs.desktop.processes import Completed
from envs.host.osworld_refusal import Refused
from envs.osworld.inside.steps.programs import is_verified, with_our_python

EXECUTE_S = 120.0
PYTHON_S = 30.0
MAX_SCRIPT_S = 600.0
_MERGED = 'exec bash "$0" 2>&1'


class Body(BaseModel):
    """A request body; fields that are not known are ignored, as upstream does."""

    model_config = ConfigDict(extra="ignore")


class Command(Body):
    """A program to run, as words or as a shell line."""

    command: str | list[str] = Field(max_length=1_000_000)
    shell: bool = False


class Verification(Body):
    """What must hold after a command."""

    window_exists: str | None = None
    command_success: str | None = None


class VerifiedCommand(Command):
    """A command, and what must hold after it."""

    verification: Verification = Verification()
    max_wait_time: float = Field(10.0, ge=0, le=300, description="seconds")
    check_interval: float = Field(1.0, ge=0.05, le=60, description="seconds")


class Code(Body):
    """Python code to run."""

    code: str


class Script(Body):
    """A bash script to run."""

    script: str = Field(min_length=1)
    timeout: float = Field(100.0, gt=0, le=MAX_SCRIPT_S, description="seconds")
    working_dir: str | None = None


async def execute(desktop: Desktop, call: Command) -> dict[str, Any]:
    """Runs a program: its output and exit status. Raises Refused where it cannot start."""
    try:
        done = await desktop.processes.run(_words(desktop, call), EXECUTE_S)
    except (OSError, ValueError) as error:
        raise Refused(500, str(error)) from error
    if done.timed_out:
        return _make_failure(f"the command did not end within {EXECUTE_S:g} s and was killed", done)
    return {
        "status": "success",
        "output": done.stdout,
        "error": done.stderr,
        "returncode": done.returncode,
    }


async def execute_with_verification(desktop: Desktop, call: VerifiedCommand) -> dict[str, Any]:
    """Runs a program and waits until its verification holds."""
    reply = await execute(desktop, call)
    if reply["status"] != "success" or call.verification == Verification():
        return reply
    started = time.monotonic()
    while True:
        condition = call.verification
        passed = await is_verified(desktop, condition.window_exists, condition.command_success)
        waited = time.monotonic() - started
        if passed or waited + call.check_interval > call.max_wait_time:
            break
        await asyncio.sleep(call.check_interval)
    return {
        **reply,
        "status": "success" if passed else "verification_failed",
        "verification": "passed" if passed else "failed",
        "wait_time": round(waited, 3),
    }


async def launch(desktop: Desktop, call: Command) -> str:
    """Starts a program and does not wait for it. Raises Refused where it cannot start."""
    words = call.command
    try:
        await desktop.processes.start(_words(desktop, call))
    except (OSError, ValueError) as error:
        raise Refused(500, str(error)) from error
    return f"{words if isinstance(words, str) else ' '.join(words)} launched successfully"


async def run_python(desktop: Desktop, call: Code) -> dict[str, Any]:
    """Runs Python code: its output."""
    with _Script(desktop, call.code, "py") as file:
        done = await desktop.processes.run(["python", str(file)], PYTHON_S)
    message = "\n".join(part for part in (done.stdout, done.stderr) if part)
    if done.timed_out:
        message = f"Execution timeout: the code did not end within {PYTHON_S:g} s\n{message}"
    return {
        "status": "success" if done.returncode == 0 else "error",
        "message": message,
        "need_more": False,
        "output": done.stdout,
        "error": done.stderr or ("TimeoutExpired" if done.timed_out else ""),
        "return_code": done.returncode,
    }


async def run_bash_script(desktop: Desktop, call: Script) -> dict[str, Any]:
    """`output` holds both streams in their order, `error` why the script could not end."""
    folder = desktop.home
    if call.working_dir:
        folder = desktop.home / _from_home(desktop, call.working_dir)
        if not folder.is_dir():
            return _make_failure(f"Working directory does not exist: {call.working_dir}")
    with _Script(desktop, call.script, "sh") as file:
        command = ["bash", "-c", _MERGED, str(file)]
        done = await desktop.processes.run(command, call.timeout, cwd=folder)
    if done.timed_out:
        return _make_failure(f"Script execution timed out after {call.timeout:g} seconds", done)
    return {
        "status": "success" if done.returncode == 0 else "error",
        "output": done.stdout,
        "error": "",
        "returncode": done.returncode,
    }


def _make_failure(why: str, done: Completed | None = None) -> dict[str, Any]:
    output = done.stdout if done else ""
    return {"status": "error", "message": why, "output": output, "error": why, "returncode": -1}


def _words(desktop: Desktop, call: Command) -> list[str]:
    """Raises ValueError for a command that is empty or has an open quote."""
    command = call.command
    if call.shell:
        words = ["/bin/sh", "-c", *([command] if isinstance(command, str) else command)]
    else:
        parts = shlex.split(command) if isinstance(command, str) else command
        words = [_from_home(desktop, part) for part in parts]
    if not command or not words[0]:
        raise ValueError("the command is empty")
    return with_our_python(words)


def _from_home(desktop: Desktop, path: str) -> str:
    return str(desktop.home / path[2:]) if path.startswith("~/") else path


class _Script:
    """A file of the desktop's runtime folder for as long as its program runs."""

    def __init__(self, desktop: Desktop, content: str, suffix: str) -> None:
        self._file = desktop.runtime / f"script-{secrets.token_hex(6)}.{suffix}"
        self._content = content

    def __enter__(self) -> Path:
        self._file.write_text(self._content)
        return self._file

    def __exit__(self, *_: object) -> None:
        self._file.unlink(missing_ok=True)
