"""What a task requires beyond a bare desktop, each with its JSON path, and what an installation
lacks of it. Pure functions.

Requirements follow from the steps, getters, commands and fields of the task. A web page that only
the instruction describes is not noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from envs.contract.task import Task
from envs.osworld.format.assets import asset_path
from envs.osworld.format.shell_words import programs
from envs.osworld.format.task_parts import assets, commands, getters, metrics, steps

Kind = Literal[
    "account",
    "application",
    "asset",
    "fixed address",
    "gnome",
    "network",
    "program",
    "proxy",
    "root",
    "screen",
    "systemd",
    "window manager",
]
LIVE = "the page that the browser shows"
SCREEN = (1920, 1080)
"""The size that OSWorld's pixels are meant for."""

_OWN_PAGE = "chrome://"
_URL = re.compile(r"https?://[^\s'\"<>)\\]+")
_PIXELS = re.compile(r"\b(?:click|doubleClick|rightClick|moveTo|dragTo)\(\s*(?:x=)?\d+\s*,")
_ACCOUNT_STEPS = frozenset({"googledrive", "login"})
_PAGE_STEPS = {"chrome_open_tabs": "urls_to_open"}
_LIVE_GETTERS = frozenset(
    {
        "active_tab_html_parse",
        "active_tab_info",
        "active_tab_url_parse",
        "active_url_from_accessTree",
        "gotoRecreationPage_and_get_html_content",
        "info_from_website",
        "macys_product_url_parse",
        "number_of_search_results",
        "open_tabs_info",
        "page_info",
        "pdf_from_url",
        "url_dashPart",
        "url_path_parse",
    }
)
_INSTALLERS = frozenset({"apt", "apt-get", "pip", "pip3", "snap", "npm", "wget"})
_SYSTEMD = frozenset({"loginctl", "systemctl", "timedatectl"})
_WINDOW_TOOLS = frozenset({"wmctrl", "xdotool"})
_GNOME = frozenset({"dconf", "gnome-extensions", "gsettings"})
_APPLICATIONS = {
    "chrome": "chromium",
    "browser": "chromium",
    "google-chrome": "chromium",
    "chromium": "chromium",
    "gimp": "gimp",
    "vlc": "vlc",
    "thunderbird": "thunderbird",
    "libreoffice": "libreoffice",
    "soffice": "libreoffice",
    "calc": "libreoffice",
    "writer": "libreoffice",
    "libreoffice_calc": "libreoffice",
    "libreoffice calc": "libreoffice",
    "libreoffice_writer": "libreoffice",
    "libreoffice_impress": "libreoffice",
    "code": "vscode",
    "vscode": "vscode",
    "vs_code": "vscode",
    "nautilus": "files",
    "gnome-terminal": "terminal",
    "terminal": "terminal",
    "lxterminal": "terminal",
    "gedit": "editor",
    "mousepad": "editor",
    "pcmanfm": "files",
    "ubuntu_media_player": "totem",
}
"""Names in task files, and what they stand for. Some there name no application: os, pdf, image."""
_NO_APPLICATION = frozenset({"os", "pdf", "image"})
_PLAIN = frozenset(
    {
        "[",
        "[[",
        "awk",
        "bash",
        "cat",
        "cd",
        "chmod",
        "chown",
        "cp",
        "cut",
        "date",
        "diff",
        "done",
        "echo",
        "egrep",
        "exit",
        "export",
        "false",
        "fi",
        "find",
        "for",
        "grep",
        "head",
        "history",
        "killall",
        "ln",
        "ls",
        "mkdir",
        "mv",
        "pkill",
        "printf",
        "ps",
        "pwd",
        "python",
        "python3",
        "read",
        "rm",
        "sed",
        "sh",
        "sleep",
        "socat",
        "sort",
        "source",
        "stat",
        "su",
        "sync",
        "tail",
        "tar",
        "tee",
        "test",
        "timeout",
        "touch",
        "tr",
        "true",
        "type",
        "uniq",
        "wc",
        "which",
        "xargs",
        "xdg-open",
        "}",
    }
)
"""What every desktop here has, or does itself (socat), and words of the shell."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """`what`: host, application, program, URL of a file, or a word for the kind; `where`: JSON
    path."""

    kind: Kind
    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Installation:
    """What an installation offers. `network`: it reaches the internet; `assets`: folder of a
    mirror; `programs`: what commands may run besides the usual ones; `screen`: width and height in
    pixels."""

    applications: frozenset[str]
    programs: frozenset[str] = frozenset()
    network: bool = False
    accounts: bool = False
    gnome: bool = False
    systemd: bool = False
    root: bool = False
    screen: tuple[int, int] = SCREEN
    assets: Path | None = None


DESKTOP_IMAGE = Installation(
    applications=frozenset(
        {"chromium", "editor", "files", "gimp", "libreoffice", "terminal", "thunderbird", "vlc"}
    ),
    programs=frozenset(
        {
            "bc",
            "feh",
            "ffmpeg",
            "gio",
            "git",
            "jq",
            "soffice",
            "unzip",
            "update-desktop-database",
            "wmctrl",
            "xclip",
            "xdg-mime",
            "xsel",
            "zip",
        }
    ),
    screen=(1280, 720),
)
"""Our desktop image: no internet, no accounts, no GNOME, no root."""


def task_requirements(task: Task) -> list[Requirement]:
    """Each requirement once, in the order of the file."""
    requirements = [*_fields(task), *_steps(task), *_commands(task), *_evaluator(task)]
    requirements += [Requirement("asset", asset.text, asset.where) for asset in assets(task)]
    return list(dict.fromkeys(requirements))


def unsupported_reasons(task: Task, installation: Installation) -> list[str]:
    """Why the task cannot run on this installation, a sentence a reason; empty when it can. A proxy
    or a fixed address is no reason: sites ask for them, the task runs without."""
    reasons: dict[str, None] = {}
    missing: list[Requirement] = []
    for need in task_requirements(task):
        if need.kind == "asset":
            if not _has_asset(need.what, installation):
                missing.append(need)
        elif not _is_met(need, installation):
            reasons[f"{_REASONS[need.kind].format(need.what)} ({need.where})"] = None
    if missing:
        first = missing[0]
        reasons[f"{len(missing)} assets are not here, first {first.what} ({first.where})"] = None
    return list(reasons)


_REASONS: dict[Kind, str] = {
    "account": "needs an account: {}",
    "application": "needs {}",
    "gnome": "needs GNOME: {}",
    "network": "needs the internet: {}",
    "program": "needs the program {}",
    "root": "needs root: {}",
    "screen": "clicks fixed pixels of a 1920 x 1080 screen: {}",
    "systemd": "needs systemd: {}",
    "window manager": "needs the program {}",
}


def _has_asset(url: str, installation: Installation) -> bool:
    return installation.network or (
        installation.assets is not None and asset_path(url, installation.assets).is_file()
    )


def _is_met(need: Requirement, installation: Installation) -> bool:
    match need.kind:
        case "account":
            return installation.accounts
        case "application":
            return need.what in installation.applications
        case "program" | "window manager":
            return need.what in installation.programs
        case "network":
            return installation.network
        case "gnome":
            return installation.gnome
        case "systemd":
            return installation.systemd
        case "root":
            return installation.root
        case "screen":
            return installation.screen == SCREEN
        case _:
            return True


def _fields(task: Task) -> Iterator[Requirement]:
    extra = task.model_extra or {}
    apps = extra.get("related_apps")
    for index, app in enumerate(apps if isinstance(apps, list) else ()):
        name = str(app).lower()
        if name not in _NO_APPLICATION:
            yield Requirement(
                "application", _APPLICATIONS.get(name, name), f"related_apps[{index}]"
            )
    if extra.get("proxy"):
        yield Requirement("proxy", "sites that refuse data centres", "proxy")
    if extra.get("fixed_ip"):
        yield Requirement("fixed address", "the same address in every trial", "fixed_ip")
    yield from _hosts("instruction", task.instruction)


def _steps(task: Task) -> Iterator[Requirement]:
    for step in steps(task):
        if step.kind in _ACCOUNT_STEPS:
            yield Requirement("account", "Google", step.where)
        elif step.kind == "proxy":
            yield Requirement("proxy", "a proxy on the machine", step.where)
        elif step.kind in _PAGE_STEPS:
            key = _PAGE_STEPS[step.kind]
            for index, url in enumerate(step.parameters.get(key, ())):
                yield from _hosts(f"{step.where}.parameters.{key}[{index}]", str(url))
        elif step.kind == "change_wallpaper":
            yield Requirement("gnome", "the wallpaper", step.where)


def _commands(task: Task) -> Iterator[Requirement]:
    for command, words in commands(task):
        yield from _hosts(command.where, command.text)
        if _PIXELS.search(command.text):
            yield Requirement("screen", _PIXELS.findall(command.text)[0] + " ...", command.where)
        if "{CLIENT_PASSWORD}" in command.text:
            yield Requirement("root", "the user's password", command.where)
        for name in sorted(programs(words, shell=False)):
            yield from _program(command.where, name, words)


def _program(where: str, name: str, words: Sequence[str]) -> Iterator[Requirement]:
    line = " ".join(words)
    if name in _APPLICATIONS:
        yield Requirement("application", _APPLICATIONS[name], where)
        if name == "code" and "--install-extension" in line and ".vsix" not in line:
            yield Requirement("network", "marketplace.visualstudio.com", where)
    elif name == "sudo":
        yield Requirement("root", "sudo", where)
    elif name in _INSTALLERS:
        if " install " in f"{line} " or name == "wget":
            yield Requirement("network", f"packages ({name})", where)
    elif name in _GNOME:
        yield Requirement("gnome", name, where)
    elif name in _SYSTEMD:
        yield Requirement("systemd", name, where)
    elif name in _WINDOW_TOOLS:
        yield Requirement("window manager", name, where)
    elif name not in _PLAIN and re.fullmatch(r"[a-z][\w.+-]*", name) and "." not in name:
        yield Requirement("program", name, where)


def _evaluator(task: Task) -> Iterator[Requirement]:
    for getter in getters(task):
        if getter.kind == "googledrive_file":
            yield Requirement("account", "Google", getter.where)
        elif getter.kind in _LIVE_GETTERS:
            if not _expects_browser_page(task, getter.where):
                yield Requirement("network", LIVE, getter.where)
            for key in ("url", "path"):
                value = getter.parameters.get(key)
                yield from _hosts(f"{getter.where}.{key}", value if isinstance(value, str) else "")
        elif getter.kind == "vscode_config":
            yield Requirement("application", "vscode", getter.where)
        elif getter.kind == "vm_wallpaper":
            yield Requirement("gnome", "the wallpaper", getter.where)
    for metric in metrics(task):
        if metric.text == "check_gnome_favorite_apps":
            yield Requirement("gnome", "the dock", metric.where)


def _expects_browser_page(task: Task, result: str) -> bool:
    """Whether the expected value of this result is an internal page of the browser."""
    where = result.replace(".result", ".expected")
    return any(
        getter.where == where and _OWN_PAGE in str(getter.parameters) for getter in getters(task)
    )


def _hosts(where: str, text: str) -> Iterator[Requirement]:
    for url in _URL.findall(text):
        try:
            host = urlsplit(url).hostname
        except ValueError:
            continue
        if host and host not in ("127.0.0.1", "localhost"):
            yield Requirement("network", host, where)
