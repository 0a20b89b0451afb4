"""Getters of programs' settings, and of what VLC plays."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp

from envs.desktop import windows
from envs.desktop.pristine import VLC_PASSWORD
from envs.desktop.wrappers import VLC_PORT
from envs.verify.getters import scratch
from envs.verify.getters.keys import replayed
from envs.verify.machine import BOX_HOME, Machine, located, regular
from envs.verify.placeholders import PASSWORD
from envs.verify.registry import Ending, getter

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

VLC_S = 5.0
QUERY_S = 20.0
CODE_S = 5.0
LOOK_AGAIN_S = 0.05
_VLC_STATUS = f"http://127.0.0.1:{VLC_PORT}/requests/status.xml"
_VIDEO_TYPES = (
    "3gp", "3gpp", "3gpp2", "avi", "divx", "dv", "fli", "flv", "mp2t", "mp4", "mp4v-es", "mpeg",
    "msvideo", "ogg", "quicktime", "vnd.divx", "vnd.mpegurl", "vnd.rn-realvideo", "webm", "x-anim",
    "x-avi", "x-flc", "x-fli", "x-flv", "x-m4v", "x-matroska", "x-mpeg", "x-mpeg2", "x-ms-asf",
    "x-ms-wm", "x-ms-wmv", "x-ms-wvx", "x-msvideo", "x-nsv", "x-ogm", "x-ogm+ogg", "x-theora",
    "x-theora+ogg",
)  # fmt: skip
_ASK_EACH = 'for kind in "$@"; do xdg-mime query default "video/$kind"; done'


@getter("vlc_config")
async def vlc_config(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Path:
    """VLC's vlcrc. Raises FileNotFoundError."""
    return regular(located(machine, f"{BOX_HOME}/.config/vlc/vlcrc"))


@getter("vlc_playing_info")
async def vlc_playing_info(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Path:
    """The status that VLC tells over HTTP, as an XML file. Raises FileNotFoundError when VLC does
    not answer."""
    status = await _vlc_status(_VLC_STATUS)
    place = scratch.place(ending, given.get("dest", "status.xml"))
    place.write_bytes(status)
    return place


@getter("default_video_player")
async def default_video_player(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """The desktop file that opens most kinds of video; "unknown" where nothing opens any."""
    asked = await machine.processes.run(
        ["/bin/bash", "-c", _ASK_EACH, "bash", *_VIDEO_TYPES], QUERY_S
    )
    found = Counter(line.strip() for line in asked.stdout.splitlines() if line.strip())
    return found.most_common(1)[0][0] if found else "unknown"


@getter("gimp_config_file")
async def gimp_config_file(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Path:
    """A file of GIMP's settings, of its newest version that has it. Raises FileNotFoundError."""
    name = given["file_name"]
    settings = located(machine, f"{BOX_HOME}/.config/GIMP")
    folders = settings.iterdir() if settings.is_dir() else ()
    versions = [folder for folder in folders if re.fullmatch(r"\d+\.\d+", folder.name)]
    for folder in sorted(versions, key=_version, reverse=True):
        if (folder / name).is_file():
            return regular(folder / name)
    raise FileNotFoundError(f"GIMP has written no {name}")


@getter("vscode_config")
async def vscode_config(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> Path:
    """The file `path` that an extension's command writes when it is chosen from the command list.
    One that was there before is no answer. Raises FileNotFoundError, also when VS Code has no
    window."""
    shown = [one for one in await desktop.windows() if one.application.lower() == "code"]
    if not shown:
        raise FileNotFoundError("VS Code has no window")
    await desktop.x.run(lambda: windows.focus(desktop.x11, shown[-1].id))
    since = time.time_ns()
    await replayed(
        desktop,
        [
            {"type": "hotkey", "param": ["ctrl", "shift", "p"]},
            {"type": "typewrite", "param": given["vscode_extension_command"]},
            {"type": "press", "param": "enter"},
        ],
    )
    file = located(desktop, given["path"])
    deadline = asyncio.get_running_loop().time() + CODE_S
    while not (file.is_file() and file.stat().st_mtime_ns >= since):
        if asyncio.get_running_loop().time() > deadline:
            raise FileNotFoundError(f"the extension has not written {given['path']}")
        await asyncio.sleep(LOOK_AGAIN_S)
    return regular(file)


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.name.split("."))


async def _vlc_status(address: str) -> bytes:
    """A task that starts VLC itself may name the password of OSWorld's machines."""
    limit = aiohttp.ClientTimeout(VLC_S)
    try:
        async with aiohttp.ClientSession(timeout=limit) as http:
            for password in (VLC_PASSWORD, PASSWORD):
                login = aiohttp.BasicAuth("", password)
                async with http.get(address, auth=login) as reply:
                    if reply.status == 200:
                        return await reply.read()
    except (aiohttp.ClientError, TimeoutError) as error:
        raise FileNotFoundError(f"VLC does not answer: {error}") from error
    raise FileNotFoundError(f"VLC answers {reply.status}")
