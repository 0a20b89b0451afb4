"""An agent that plants programs, start-up files and modules in its home decides on no task."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from envs.desktop.verdict_environment import verdict_environment
from envs.state.evidence import Data
from tests.envs.desktop_box import Box, DesktopUser, desktop_box, desktop_user

LIE = "a lie of the agent"
SAY = f"#!/bin/sh\necho '{LIE}'\n"
PROGRAMS = ("ls", "cat", "python3", "python", "git", "bash", "sh", "grep", "date", "env")
PYTHON_LIE = f"print('{LIE}')\n"
SITE = f".local/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
SHELL_FILES = (".bashrc", ".bash_profile", ".profile", ".bash_login", ".shrc", ".env")
COMMANDS: dict[str, Any] = {
    "ls by name": ["ls", "Documents"],
    "ls in a shell": "ls Documents",
    "ls in a pipe": "ls Documents | cat",
    "grep": "grep -r kept Documents",
    "python": ["python3", "-c", "import json; print(json.dumps('kept'))"],
    "python of the desktop": ["python", "-c", "import json; print(json.dumps('kept'))"],
    "a script": "python3 Documents/report.py",
    "git": "git -C repository status --short; echo kept",
    "git log": "git -C repository log --format=%s; echo kept",
    "another shell": "bash -c 'ls Documents'",
    "a plain shell": "sh -c 'ls Documents'",
    "env": "/usr/bin/env ls Documents",
    "which": "command -v ls; echo kept",
}
VARIABLES = {
    "BASH_ENV": "/home/user/.bashrc",
    "ENV": "/home/user/.bashrc",
    "LD_PRELOAD": "/home/user/.local/lib/lie.so",
    "PYTHONPATH": "/home/user/.local/lib/lie",
    "PYTHONSTARTUP": "/home/user/.local/lib/lie/json.py",
    "GIT_EXTERNAL_DIFF": "/home/user/.local/bin/git",
}


def test_only_time_zone_and_language_are_the_agent_s() -> None:
    desktop = {"HOME": "/home/user", "PATH": "/home/user/.local/bin:/bin", "LANG": "C.UTF-8"}
    current = {**desktop, **VARIABLES, "TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "LC_TIME": "C"}
    environment = verdict_environment(desktop, current, Path("/pristine"))
    assert not set(environment) & set(VARIABLES)
    assert environment["PATH"].startswith("/pristine/.local/bin:/usr/local/bin:/usr/bin:/bin")
    assert "/home/user" not in environment["PATH"]
    kept = {name: environment[name] for name in ("HOME", "TZ", "LANG", "LC_TIME")}
    assert kept == {
        "HOME": "/home/user", "TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "LC_TIME": "C",
    }  # fmt: skip


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture
async def liar(box: Box) -> AsyncIterator[DesktopUser]:
    """An agent that has planted a lie wherever its own programs would meet it."""
    async with desktop_user(box) as user:
        (user.home / "Documents/kept").write_text("kept\n")
        (user.home / "Documents/report.py").write_text("import json\nprint(json.dumps('kept'))\n")
        author = "-c user.name=a -c user.email=a@b"
        made = "git init -q; touch a; git add a"
        command = f"mkdir repository; cd repository; {made}; git {author} commit -qm first"
        await user.tool("shell.run", command=command)
        for name in PROGRAMS:
            plant(user, f".local/bin/{name}", SAY)
        for name in SHELL_FILES:
            plant(user, name, f"ls() {{ echo '{LIE}'; }}\nalias ls='echo {LIE}'\necho {LIE}\n")
        for folder in (".", "Documents", ".local/lib/lie", SITE):
            plant(user, f"{folder}/json.py", PYTHON_LIE)
        plant(user, f"{SITE}/usercustomize.py", PYTHON_LIE)
        plant(user, f"{SITE}/lie.pth", f"import sys; print('{LIE}')\n")
        plant(user, ".gitconfig", "[core]\n\tfsmonitor = /home/user/.local/bin/git\n")
        for name, value in VARIABLES.items():
            await user.tool("settings.variable", variable=name, value=value)
        yield user


def plant(user: DesktopUser, path: str, content: str) -> None:
    """An executable file below the agent's home."""
    file = user.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    file.write_text(content)
    file.chmod(0o755)


async def outputs_of(user: DesktopUser) -> dict[str, str]:
    getters = [{"type": "vm_command_line", "command": command} for command in COMMANDS.values()]
    step = {"command": "ls Documents > by-step; date >> by-step", "shell": True}
    postconfig = [{"type": "execute", "parameters": step}]
    errors = [{**getter, "type": "vm_command_error"} for getter in getters]
    collected = await user.session.collect(postconfig, [*getters, *errors])
    values = [value.value if isinstance(value, Data) else value for value in collected.values]
    names = [*COMMANDS, *(f"{name}, errors" for name in COMMANDS)]
    outputs = {name: str(value) for name, value in zip(names, values, strict=True)}
    outputs["a step"] = (user.home / "by-step").read_text()
    return outputs


@pytest.mark.desktop
async def test_what_an_agent_plants_decides_on_nothing(liar: DesktopUser) -> None:
    shown = (await liar.tool("shell.run", command="ls Documents"))["output"]
    assert LIE in shown, "the agent's own programs do meet it"
    outputs = await outputs_of(liar)
    assert {name: text for name, text in outputs.items() if LIE in text} == {}
    for name in COMMANDS:
        assert "kept" in outputs[name], (name, outputs[name], outputs[f"{name}, errors"])
    assert "kept" in outputs["a step"]


@pytest.mark.desktop
async def test_a_time_zone_that_was_set_is_seen(box: Box) -> None:
    async with desktop_user(box) as user:
        await user.tool("settings.timezone", zone="Asia/Tokyo")
        getter = {"type": "vm_command_line", "command": "date +%Z"}
        collected = await user.session.collect([], [getter])
        assert collected.values == (Data(value="JST\n"),)
