"""What a task needs beyond a bare desktop, each with the JSON path that says so, and what of it an
installation lacks. Pure: the task is read, nothing is asked.

Needs are read off the steps, getters, commands and fields of the task. A page that an instruction
only describes is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from envs.tasks import Task
from envs.verify.assets import asset_path
from envs.verify.parts import assets, commands, getters, metrics, steps
from envs.verify.shell_words import programs

Kind = Literal[
    "account", "application", "asset", "fixed address", "gnome", "network", "program", "proxy",
    "root", "screen", "systemd", "window manager",
]  # fmt: skip
LIVE = "the page that the browser shows"
SCREEN = (1920, 1080)
"""The size that OSWorld's pixels are meant for."""

_OWN_PAGE = "chrome://"
_URL = re.compile(r"https?://[^\s'\"<>)\\]+")
_PIXELS = re.compile(r"\b(?:click|doubleClick|rightClick|moveTo|dragTo)\(\s*(?:x=)?\d+\s*,")
_ACCOUNT_STEPS = frozenset({"googledrive", "login"})
_PAGE_STEPS = {"chrome_open_tabs": "urls_to_open"}
_LIVE_GETTERS = frozenset(
    {"active_tab_html_parse", "active_tab_info", "active_tab_url_parse",
     "active_url_from_accessTree", "gotoRecreationPage_and_get_html_content", "info_from_website",
     "macys_product_url_parse", "number_of_search_results", "open_tabs_info", "page_info",
     "pdf_from_url", "url_dashPart", "url_path_parse"}
)  # fmt: skip
_INSTALLERS = frozenset({"apt", "apt-get", "pip", "pip3", "snap", "npm", "wget"})
_SYSTEMD = frozenset({"loginctl", "systemctl", "timedatectl"})
_WINDOW_TOOLS = frozenset({"wmctrl", "xdotool"})
_GNOME = frozenset({"dconf", "gnome-extensions", "gsettings"})
_APPLICATIONS = {
    "chrome": "chromium", "browser": "chromium", "google-chrome": "chromium",
    "chromium": "chromium", "gimp": "gimp", "vlc": "vlc", "thunderbird": "thunderbird",
    "libreoffice": "libreoffice", "soffice": "libreoffice", "calc": "libreoffice",
    "writer": "libreoffice", "libreoffice_calc": "libreoffice", "libreoffice calc": "libreoffice",
    "libreoffice_writer": "libreoffice", "libreoffice_impress": "libreoffice", "code": "vscode",
    "vscode": "vscode", "vs_code": "vscode", "nautilus": "files", "gnome-terminal": "terminal",
    "terminal": "terminal", "lxterminal": "terminal", "gedit": "editor", "mousepad": "editor",
    "pcmanfm": "files", "ubuntu_media_player": "totem",
}  # fmt: skip
"""Names in task files, and what they stand for. Some there name no application: os, pdf, image."""
_NO_APPLICATION = frozenset({"os", "pdf", "image"})
_PLAIN = frozenset(
    {"[", "[[", "awk", "bash", "cat", "cd", "chmod", "chown", "cp", "cut", "date", "diff", "done",
     "echo", "egrep", "exit", "export", "false", "fi", "find", "for", "grep", "head", "history",
     "killall", "ln", "ls", "mkdir", "mv", "pkill", "printf", "ps", "pwd", "python", "python3",
     "read", "rm", "sed", "sh", "sleep", "socat", "sort", "source", "stat", "su", "sync", "tail",
     "tar", "tee", "test", "timeout", "touch", "tr", "true", "type", "uniq", "wc", "which",
     "xargs", "xdg-open", "}"}
)  # fmt: skip
"""What every desktop here has, or does itself (socat), and words of the shell."""


@dataclass(frozen=True, slots=True)
class Need:
    """`what`: host, application, program, address of a file, or a word; `where`: JSON path."""

    kind: Kind
    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Here:
    """What an installation has. `network`: pages of the internet; `assets`: folder of a mirror;
    `programs`: what else commands may run; `screen`: width and height."""

    applications: frozenset[str]
    programs: frozenset[str] = frozenset()
    network: bool = False
    accounts: bool = False
    gnome: bool = False
    systemd: bool = False
    root: bool = False
    screen: tuple[int, int] = SCREEN
    assets: Path | None = None


DESKTOP_IMAGE = Here(
    applications=frozenset(
        {"chromium", "editor", "files", "gimp", "libreoffice", "terminal", "thunderbird", "vlc"}
    ),
    programs=frozenset(
        {"bc", "feh", "ffmpeg", "gio", "git", "jq", "soffice", "unzip", "update-desktop-database",
         "wmctrl", "xclip", "xdg-mime", "xsel", "zip"}
    ),
    screen=(1280, 720),
)  # fmt: skip
"""Our desktop image: no internet, no accounts, no GNOME, no root."""


def needs(task: Task) -> list[Need]:
    """Each once, in the order of the file."""
    found = [*_fields(task), *_steps(task), *_commands(task), *_evaluator(task)]
    found += [Need("asset", asset.text, asset.where) for asset in assets(task)]
    return list(dict.fromkeys(found))


def unsupported(task: Task, here: Here) -> list[str]:
    """Why the task cannot run here, one sentence a reason; empty when it can. A proxy or a fixed
    address is asked for by sites, so it is no reason of its own."""
    reasons: dict[str, None] = {}
    missing: list[Need] = []
    for need in needs(task):
        if need.kind == "asset":
            if not _had(need.what, here):
                missing.append(need)
        elif not _met(need, here):
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


def _had(url: str, here: Here) -> bool:
    return here.network or (here.assets is not None and asset_path(url, here.assets).is_file())


def _met(need: Need, here: Here) -> bool:
    match need.kind:
        case "account":
            return here.accounts
        case "application":
            return need.what in here.applications
        case "program" | "window manager":
            return need.what in here.programs
        case "network":
            return here.network
        case "gnome":
            return here.gnome
        case "systemd":
            return here.systemd
        case "root":
            return here.root
        case "screen":
            return here.screen == SCREEN
        case _:
            return True


def _fields(task: Task) -> Iterator[Need]:
    extra = task.model_extra or {}
    apps = extra.get("related_apps")
    for index, app in enumerate(apps if isinstance(apps, list) else ()):
        name = str(app).lower()
        if name not in _NO_APPLICATION:
            yield Need("application", _APPLICATIONS.get(name, name), f"related_apps[{index}]")
    if extra.get("proxy"):
        yield Need("proxy", "sites that refuse data centres", "proxy")
    if extra.get("fixed_ip"):
        yield Need("fixed address", "the same address in every trial", "fixed_ip")
    yield from _hosts("instruction", task.instruction)


def _steps(task: Task) -> Iterator[Need]:
    for step in steps(task):
        if step.kind in _ACCOUNT_STEPS:
            yield Need("account", "Google", step.where)
        elif step.kind == "proxy":
            yield Need("proxy", "a proxy on the machine", step.where)
        elif step.kind in _PAGE_STEPS:
            key = _PAGE_STEPS[step.kind]
            for index, url in enumerate(step.given.get(key, ())):
                yield from _hosts(f"{step.where}.parameters.{key}[{index}]", str(url))
        elif step.kind == "change_wallpaper":
            yield Need("gnome", "the wallpaper", step.where)


def _commands(task: Task) -> Iterator[Need]:
    for command, words in commands(task):
        yield from _hosts(command.where, command.text)
        if _PIXELS.search(command.text):
            yield Need("screen", _PIXELS.findall(command.text)[0] + " ...", command.where)
        if "{CLIENT_PASSWORD}" in command.text:
            yield Need("root", "the user's password", command.where)
        for name in sorted(programs(words, shell=False)):
            yield from _program(command.where, name, words)


def _program(where: str, name: str, words: Sequence[str]) -> Iterator[Need]:
    line = " ".join(words)
    if name in _APPLICATIONS:
        yield Need("application", _APPLICATIONS[name], where)
        if name == "code" and "--install-extension" in line and ".vsix" not in line:
            yield Need("network", "marketplace.visualstudio.com", where)
    elif name == "sudo":
        yield Need("root", "sudo", where)
    elif name in _INSTALLERS:
        if " install " in f"{line} " or name == "wget":
            yield Need("network", f"packages ({name})", where)
    elif name in _GNOME:
        yield Need("gnome", name, where)
    elif name in _SYSTEMD:
        yield Need("systemd", name, where)
    elif name in _WINDOW_TOOLS:
        yield Need("window manager", name, where)
    elif name not in _PLAIN and re.fullmatch(r"[a-z][\w.+-]*", name) and "." not in name:
        yield Need("program", name, where)


def _evaluator(task: Task) -> Iterator[Need]:
    for getter in getters(task):
        if getter.kind == "googledrive_file":
            yield Need("account", "Google", getter.where)
        elif getter.kind in _LIVE_GETTERS:
            if not _own_page(task, getter.where):
                yield Need("network", LIVE, getter.where)
            for key in ("url", "path"):
                value = getter.given.get(key)
                yield from _hosts(f"{getter.where}.{key}", value if isinstance(value, str) else "")
        elif getter.kind == "vscode_config":
            yield Need("application", "vscode", getter.where)
        elif getter.kind == "vm_wallpaper":
            yield Need("gnome", "the wallpaper", getter.where)
    for metric in metrics(task):
        if metric.text == "check_gnome_favorite_apps":
            yield Need("gnome", "the dock", metric.where)


def _own_page(task: Task, result: str) -> bool:
    """Whether what is expected of this result is a page of the browser's own."""
    where = result.replace(".result", ".expected")
    return any(one.where == where and _OWN_PAGE in str(one.given) for one in getters(task))


def _hosts(where: str, text: str) -> Iterator[Need]:
    for url in _URL.findall(text):
        try:
            host = urlsplit(url).hostname
        except ValueError:
            continue
        if host and host not in ("127.0.0.1", "localhost"):
            yield Need("network", host, where)
