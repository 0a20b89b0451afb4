"""Getters of programs' settings, and of what VLC plays."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from envs.apps.vlc_client import fetch_page
from envs.desktop import windows
from envs.desktop.profiles.pristine import VLC_PASSWORD
from envs.io.json_client import CallFailed
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.format.placeholders import PASSWORD
from envs.osworld.inside.getters.key_presses import press_keys
from envs.osworld.inside.machine import BOX_HOME, Machine, local_path, require_regular_file

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

VLC_S = 5.0
QUERY_S = 20.0
CODE_S = 5.0
LOOK_AGAIN_S = 0.05
_VIDEO_TYPES = (
    "3gp",
    "3gpp",
    "3gpp2",
    "avi",
    "divx",
    "dv",
    "fli",
    "flv",
    "mp2t",
    "mp4",
    "mp4v-es",
    "mpeg",
    "msvideo",
    "ogg",
    "quicktime",
    "vnd.divx",
    "vnd.mpegurl",
    "vnd.rn-realvideo",
    "webm",
    "x-anim",
    "x-avi",
    "x-flc",
    "x-fli",
    "x-flv",
    "x-m4v",
    "x-matroska",
    "x-mpeg",
    "x-mpeg2",
    "x-ms-asf",
    "x-ms-wm",
    "x-ms-wmv",
    "x-ms-wvx",
    "x-msvideo",
    "x-nsv",
    "x-ogm",
    "x-ogm+ogg",
    "x-theora",
    "x-theora+ogg",
)
_ASK_EACH = 'for kind in "$@"; do xdg-mime query default "video/$kind"; done'


async def vlc_config(machine: Machine, ending: Ending, parameters: Parameters) -> Path:
    """VLC's settings file vlcrc. Raises FileNotFoundError."""
    return require_regular_file(local_path(machine, f"{BOX_HOME}/.config/vlc/vlcrc"))


async def vlc_playing_info(machine: Machine, ending: Ending, parameters: Parameters) -> Path:
    """VLC's status over HTTP, as an XML file. Raises FileNotFoundError when VLC does not answer."""
    file = ending.make_path(parameters.get("dest", "status.xml"))
    file.write_bytes(await _fetch_vlc_status())
    return file


async def default_video_player(machine: Machine, ending: Ending, parameters: Parameters) -> str:
    """The desktop file that opens most kinds of video; "unknown" if none opens any."""
    output = await machine.processes.run(
        ["/bin/bash", "-c", _ASK_EACH, "bash", *_VIDEO_TYPES], QUERY_S
    )
    players = Counter(line.strip() for line in output.stdout.splitlines() if line.strip())
    return players.most_common(1)[0][0] if players else "unknown"


async def gimp_config_file(machine: Machine, ending: Ending, parameters: Parameters) -> Path:
    """A file of GIMP's settings, from the newest version that has it. Raises FileNotFoundError."""
    name = parameters["file_name"]
    settings = local_path(machine, f"{BOX_HOME}/.config/GIMP")
    folders = settings.iterdir() if settings.is_dir() else ()
    versions = [folder for folder in folders if re.fullmatch(r"\d+\.\d+", folder.name)]
    for folder in sorted(versions, key=_version, reverse=True):
        if (folder / name).is_file():
            return require_regular_file(folder / name)
    raise FileNotFoundError(f"GIMP has written no {name}")


async def vscode_config(desktop: Desktop, ending: Ending, parameters: Parameters) -> Path:
    """The file `path` that an extension's command writes when it is chosen from the command list. A
    file from before does not count. Raises FileNotFoundError, also when VS Code has no window."""
    editors = [window for window in await desktop.windows() if window.application.lower() == "code"]
    if not editors:
        raise FileNotFoundError("VS Code has no window")
    await desktop.x.run(lambda: windows.focus(desktop.x11, editors[-1].id))
    since = time.time_ns()
    await press_keys(
        desktop,
        [
            {"type": "hotkey", "param": ["ctrl", "shift", "p"]},
            {"type": "typewrite", "param": parameters["vscode_extension_command"]},
            {"type": "press", "param": "enter"},
        ],
    )
    file = local_path(desktop, parameters["path"])
    deadline = asyncio.get_running_loop().time() + CODE_S
    while not (file.is_file() and file.stat().st_mtime_ns >= since):
        if asyncio.get_running_loop().time() > deadline:
            raise FileNotFoundError(f"the extension has not written {parameters['path']}")
        await asyncio.sleep(LOOK_AGAIN_S)
    return require_regular_file(file)


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.name.split("."))


async def _fetch_vlc_status() -> bytes:
    """Tries our password and that of OSWorld's machines, which a task that starts VLC may use.
    Raises FileNotFoundError."""
    for password in (VLC_PASSWORD, PASSWORD):
        try:
            reply = await fetch_page("status.xml", timeout_s=VLC_S, password=password)
        except CallFailed as error:
            raise FileNotFoundError(f"VLC does not answer: {error}") from error
        if reply.status == HTTPStatus.OK:
            return reply.content
    raise FileNotFoundError(f"VLC answers {reply.status}")
