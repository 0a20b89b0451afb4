"""VS Code: its command line, and its settings and key bindings as files.

Guarantees: every command is the `code` program's own, with the paths checked; where `code` is not
installed each of them is a NOT_FOUND that says so. Settings and key bindings are edited without it,
and keep what they held; comments in them are lost.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, Literal

from envs.apps.files import paths
from envs.apps.files.file_tools import on_files, replace
from envs.apps.system import focus as showing
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


COMMAND_S = 40.0
OPEN_S = 8.0
USER = ".config/Code/User"
MAX_FILE = 512 * 1024
_EXTENSION = re.compile(r"[A-Za-z0-9][\w-]*\.[A-Za-z0-9][\w.-]*(@[\w.-]+)?")
_JSON_PARTS = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


@TOOLS.tool("code.launch_vscode", timeout_s=OPEN_S + 4)
async def launch_vscode(desktop: Desktop, path: str = "~") -> dict[str, str]:
    """Opens a file or folder in VS Code."""
    return await _open_window(desktop, str(paths.existing(desktop, path)))


@TOOLS.tool("code.compare_files", timeout_s=OPEN_S + 4)
async def compare_files(desktop: Desktop, file1: str, file2: str) -> dict[str, str]:
    """Shows the differences of two files in VS Code."""
    first, second = paths.regular(desktop, file1), paths.regular(desktop, file2)
    return await _open_window(desktop, "--diff", str(first), str(second))


@TOOLS.tool("code.add_folder", timeout_s=OPEN_S + 4)
async def add_folder(desktop: Desktop, folder: str) -> dict[str, str]:
    """Adds a folder to the last active VS Code window."""
    return await _open_window(desktop, "--add", str(paths.folder(desktop, folder)))


@TOOLS.tool("code.remove_folder", timeout_s=OPEN_S + 4)
async def remove_folder(desktop: Desktop, folder: str) -> dict[str, str]:
    """Takes a folder out of the last active VS Code window."""
    return await _open_window(desktop, "--remove", str(paths.folder(desktop, folder)))


@TOOLS.tool("code.goto_file", timeout_s=OPEN_S + 4)
async def goto_file(
    desktop: Desktop, file_path: str, line: int = 1, character: int = 1
) -> dict[str, str]:
    """Opens a file in VS Code at a line and character, both from 1."""
    where = paths.regular(desktop, file_path)
    return await _open_window(desktop, "--goto", f"{where}:{max(line, 1)}:{max(character, 1)}")


@TOOLS.tool("code.perform_merge", timeout_s=OPEN_S + 4)
async def perform_merge(
    desktop: Desktop, path1: str, path2: str, base: str, result: str
) -> dict[str, str]:
    """Shows a three-way merge of two files and their common origin in VS Code; the result is
    saved to a fourth."""
    files = [str(paths.regular(desktop, path)) for path in (path1, path2, base)]
    return await _open_window(desktop, "--merge", *files, str(paths.resolve(desktop, result)))


@TOOLS.tool("code.install_extension", timeout_s=COMMAND_S + 5)
async def install_extension(
    desktop: Desktop, extension: str, pre_release: bool = False
) -> dict[str, str]:
    """Installs an extension, by its id (publisher.name) or from a .vsix file."""
    if extension.endswith(".vsix"):
        what = str(paths.regular(desktop, extension))
    else:
        what = _extension(extension)
    more = ["--pre-release"] if pre_release else []
    return await _run_code(desktop, "--install-extension", what, *more)


@TOOLS.tool("code.uninstall_extension", timeout_s=COMMAND_S + 5)
async def uninstall_extension(desktop: Desktop, extension: str) -> dict[str, str]:
    """Removes an extension, by its id."""
    return await _run_code(desktop, "--uninstall-extension", _extension(extension))


@TOOLS.tool("code.list_extensions", timeout_s=COMMAND_S + 5)
async def list_extensions(
    desktop: Desktop, versions: bool = False, category: str | None = None
) -> list[str]:
    """Ids of the installed extensions."""
    more = ["--show-versions"] if versions else []
    more += ["--category", category] if category is not None else []
    return (await _run_code(desktop, "--list-extensions", *more))["output"].split()


@TOOLS.tool("code.update_extensions", timeout_s=COMMAND_S + 5)
async def update_extensions(desktop: Desktop) -> dict[str, str]:
    """Updates the installed extensions."""
    return await _run_code(desktop, "--update-extensions")


@TOOLS.tool("code.disable_extension", timeout_s=OPEN_S + 4)
async def disable_extension(desktop: Desktop, extension: str) -> dict[str, str]:
    """Opens VS Code with an extension switched off."""
    return await _open_window(desktop, "--disable-extension", _extension(extension))


@TOOLS.tool("code.toggle_sync", timeout_s=OPEN_S + 4)
async def toggle_sync(desktop: Desktop, state: Literal["on", "off"]) -> dict[str, str]:
    """Opens VS Code with settings sync on or off."""
    return await _open_window(desktop, "--sync", state)


@TOOLS.tool("code.get_settings")
async def get_settings(desktop: Desktop) -> dict[str, Any]:
    """The user's settings.json."""
    return await on_files(lambda: _read(paths.resolve(desktop, f"{USER}/settings.json"), {}))


@TOOLS.tool("code.set_setting")
async def set_setting(desktop: Desktop, key: str, value: Any) -> dict[str, Any]:
    """Sets one of the user's settings, such as editor.fontSize; null removes it."""
    where = paths.resolve(desktop, f"{USER}/settings.json")

    def work() -> dict[str, Any]:
        settings = _read(where, {})
        if value is None:
            settings.pop(key, None)
        else:
            settings[key] = value
        _write(where, settings)
        return {key: settings.get(key)}

    return await on_files(work)


@TOOLS.tool("code.set_keybinding")
async def set_keybinding(
    desktop: Desktop, key: str, command: str, when: str | None = None
) -> dict[str, int]:
    """Binds keys such as ctrl+j to a command of VS Code; a command with - in front takes its own
    keys away. How many bindings there are."""
    where = paths.resolve(desktop, f"{USER}/keybindings.json")
    binding = {"key": key, "command": command} | ({"when": when} if when else {})

    def work() -> dict[str, int]:
        bindings = [other for other in _read(where, []) if other != binding]
        _write(where, [*bindings, binding])
        return {"bindings": len(bindings) + 1}

    return await on_files(work)


def _program(desktop: Desktop) -> str:
    program = shutil.which("code", path=desktop.environment["PATH"])
    if program is None:
        raise ToolError(
            ActionError.NOT_FOUND,
            "VS Code (the program `code`) is not installed here; use the editor.* tools",
        )
    return program


async def _open_window(desktop: Desktop, *arguments: str) -> dict[str, str]:
    """Starts `code` and waits until one of its windows is in front."""
    before = {window.id: window.title for window in await desktop.windows()}
    await desktop.processes.start([_program(desktop), *arguments])
    window = await showing.until_window(
        desktop, lambda now: now.active and before.get(now.id) != now.title, OPEN_S
    )
    return {"window": window.title if window is not None else ""}


async def _run_code(desktop: Desktop, *arguments: str) -> dict[str, str]:
    done = await desktop.processes.run([_program(desktop), *arguments], COMMAND_S)
    if done.returncode != 0:
        message = (done.stderr or done.stdout).strip() or "no message"
        raise ToolError(ActionError.TOOL_FAILED, f"code {arguments[0]}: {message}"[:400])
    return {"output": done.stdout[:20_000]}


def _extension(name: str) -> str:
    if _EXTENSION.fullmatch(name) is None:
        raise ToolError(ActionError.BAD_VALUE, f"{name[:80]!r} is not an id like publisher.name")
    return name


def _read(where: Path, empty: Any) -> Any:
    """JSON with comments and trailing commas, as VS Code writes it."""
    if not where.exists():
        return empty
    if where.stat().st_size > MAX_FILE:
        raise ToolError(ActionError.BAD_VALUE, f"{where} is over {MAX_FILE} bytes")
    try:
        data = json.loads(plain_json(where.read_text("utf-8")) or "null")
    except ValueError as error:
        raise ToolError(ActionError.BAD_VALUE, f"{where} is not JSON: {error}"[:300]) from error
    if data is None:
        return empty
    if type(data) is not type(empty):
        raise ToolError(ActionError.BAD_VALUE, f"{where} holds no {type(empty).__name__}")
    return data


def plain_json(text: str) -> str:
    """Without comments and trailing commas; texts keep theirs."""
    stripped = _JSON_PARTS.sub(
        lambda part: part[0] if part[0].startswith('"') else "" if part[0][0] == "/" else part[0],
        text,
    )
    return _JSON_PARTS.sub(lambda part: part[0] if part[0] != "," else "", stripped).strip()


def _write(where: Path, content: Any) -> None:
    where.parent.mkdir(parents=True, exist_ok=True)
    replace(where, json.dumps(content, indent=4, ensure_ascii=False).encode() + b"\n")
