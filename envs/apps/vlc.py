"""Tools for VLC: playlist, playing, sound, settings, over its HTTP interface inside the box.

Guarantees: VLC is started when it does not run; a command is done when VLC's own status says so, or
the tool says what VLC's state is instead.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from envs.apps.vlc_client import fetch_page
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop
from envs.io.json_client import CallFailed

TOOLS = Toolset("desktop")


START_S, CALL_S, DONE_S = 20.0, 4.0, 5.0
TOOL_S = 35
POLL_S = 0.05
SNAPSHOT_S = 0.4
FULL_VOLUME = 256
"""VLC's number for 100 %."""
MEDIA = frozenset(
    (
        "aac",
        "avi",
        "flac",
        "flv",
        "m4a",
        "m4v",
        "mkv",
        "mov",
        "mp3",
        "mp4",
        "mpeg",
        "mpg",
        "oga",
        "ogg",
        "ogv",
        "opus",
        "wav",
        "webm",
        "wma",
        "wmv",
    )
)
MAX_FILES = 500
_OPTION = re.compile(r"#?([a-z0-9][a-z0-9-]*)=(.*)")
Status = dict[str, Any]


class _Starting(Exception):
    """VLC listens, and has no pages yet."""


async def _get(path: str, parameters: dict[str, str]) -> Any:
    """Raises CallFailed when VLC does not listen, _Starting while it has no pages."""
    reply = await fetch_page(f"{path}.json", parameters, timeout_s=CALL_S)
    if reply.status == 404:
        raise _Starting
    if reply.status != 200:
        raise ToolError(ActionError.TOOL_FAILED, f"VLC answered {reply.status}")
    # Python's own parser also takes NaN, for a program that writes it.
    return json.loads(reply.content)


async def _ask(desktop: Desktop, path: str = "status", **parameters: str) -> Any:
    """VLC's answer; VLC is started when it does not run."""
    deadline: float | None = None
    clock = asyncio.get_running_loop().time
    while True:
        try:
            return await _get(path, parameters)
        except (CallFailed, _Starting) as error:
            if deadline is None:
                deadline = clock() + START_S
                if not isinstance(error, _Starting):
                    await desktop.launch("vlc")
            elif clock() > deadline:
                message = f"VLC did not answer within {START_S:g} s; a dialog may be open"
                raise ToolError(ActionError.TOOL_FAILED, message) from None
        await asyncio.sleep(POLL_S)


async def _until(
    desktop: Desktop, is_so: Callable[[Status], bool], what: str, command: str | None = None
) -> Status:
    """`command` is said again each time: VLC drops what comes while it opens a file."""
    deadline = asyncio.get_running_loop().time() + DONE_S
    while True:
        status: Status = await (_ask(desktop, command=command) if command else _ask(desktop))
        if is_so(status):
            return status
        if asyncio.get_running_loop().time() > deadline:
            raise ToolError(ActionError.TOOL_FAILED, f"{what}; VLC is {status['state']}")
        await asyncio.sleep(POLL_S)


def _file(desktop: Desktop, path: str) -> str:
    file = desktop.home / Path(path).expanduser()
    if not file.exists():
        raise ToolError(ActionError.NOT_FOUND, f"there is no file {file}")
    return file.resolve().as_uri()


def _entries(node: dict[str, Any]) -> list[dict[str, Any]]:
    if node.get("type") == "leaf":
        return [node]
    return [leaf for child in node.get("children", []) for leaf in _entries(child)]


async def _entries_of(desktop: Desktop) -> list[dict[str, Any]]:
    whole = await _ask(desktop, "playlist")
    lists = [child for child in whole.get("children", []) if child.get("name") == "Playlist"]
    return _entries((lists or whole.get("children") or [whole])[0])


def _plain(status: Status) -> dict[str, Any]:
    information = status.get("information", {}).get("category", {}).get("meta", {})
    return {
        "state": status["state"],
        "title": information.get("title") or information.get("filename"),
        "time_s": status["time"],
        "length_s": status["length"],
        "volume_percent": round(status["volume"] * 100 / FULL_VOLUME),
        "rate": status["rate"],
        "fullscreen": bool(status["fullscreen"]),
        "repeat": "one" if status["repeat"] else "all" if status["loop"] else "off",
        "random": bool(status["random"]),
    }


@TOOLS.tool("vlc.status", timeout_s=TOOL_S)
async def status(desktop: Desktop) -> dict[str, Any]:
    """What VLC plays: state, title, time_s, length_s, volume_percent, rate, fullscreen, repeat."""
    return _plain(await _ask(desktop))


@TOOLS.tool("vlc.get_playlist", timeout_s=TOOL_S)
async def get_playlist(desktop: Desktop) -> list[dict[str, Any]]:
    """The playlist in order: id, name, duration_s, uri, current."""
    return [
        {
            "id": int(entry["id"]),
            "name": entry["name"],
            "duration_s": entry["duration"],
            "uri": entry["uri"],
            "current": "current" in entry,
        }
        for entry in await _entries_of(desktop)
    ]


@TOOLS.tool("vlc.open", timeout_s=TOOL_S)
async def open_media(desktop: Desktop, path: str) -> dict[str, Any]:
    """Puts a media file into the playlist and plays it."""
    uri = _file(desktop, path)
    await _ask(desktop, command="in_play", input=uri)

    def plays(status: Status) -> bool:
        return bool(status["state"] == "playing" and status["length"] != -1)

    return _plain(await _until(desktop, plays, f"{path} is not playing"))


@TOOLS.tool("vlc.add_to_playlist", timeout_s=TOOL_S)
async def add_to_playlist(desktop: Desktop, path: str) -> list[dict[str, Any]]:
    """Puts a media file at the end of the playlist, without playing it."""
    uri = _file(desktop, path)
    before = len(await _entries_of(desktop))
    await _ask(desktop, command="in_enqueue", input=uri)
    deadline = asyncio.get_running_loop().time() + DONE_S
    while len(await _entries_of(desktop)) <= before:
        if asyncio.get_running_loop().time() > deadline:
            raise ToolError(ActionError.TOOL_FAILED, f"VLC did not take {path}")
        await asyncio.sleep(POLL_S)
    rows: list[dict[str, Any]] = await get_playlist(desktop)
    return rows


@TOOLS.tool("vlc.remove_from_playlist", timeout_s=TOOL_S)
async def remove_from_playlist(desktop: Desktop, entry: int | None = None) -> str:
    """Removes an entry by its id; without one, empties the playlist."""
    if entry is None:
        await _ask(desktop, command="pl_empty")
        return "the playlist is empty"
    await _check_entry(desktop, entry)
    await _ask(desktop, command="pl_delete", id=str(entry))
    return f"removed {entry}"


async def _check_entry(desktop: Desktop, entry: int) -> None:
    known = [int(row["id"]) for row in await _entries_of(desktop)]
    if entry not in known:
        raise ToolError(ActionError.NOT_FOUND, f"no playlist entry {entry}; there are: {known}")


@TOOLS.tool("vlc.play", timeout_s=TOOL_S)
async def play(desktop: Desktop, entry: int | None = None) -> dict[str, Any]:
    """Plays, or goes on playing; an entry of the playlist by its id."""
    if entry is not None:
        await _check_entry(desktop, entry)
        await _ask(desktop, command="pl_play", id=str(entry))
    elif (await _ask(desktop))["state"] == "paused":
        await _ask(desktop, command="pl_forceresume")
    else:
        if not await _entries_of(desktop):
            raise ToolError(ActionError.NOT_FOUND, "the playlist is empty; use vlc.open")
        await _ask(desktop, command="pl_play")
    return _plain(await _until(desktop, lambda s: s["state"] == "playing", "it does not play"))


@TOOLS.tool("vlc.pause", timeout_s=TOOL_S)
async def pause(desktop: Desktop) -> dict[str, Any]:
    """Pauses."""
    return _plain(
        await _until(
            desktop, lambda s: s["state"] != "playing", "it does not pause", "pl_forcepause"
        )
    )


@TOOLS.tool("vlc.stop", timeout_s=TOOL_S)
async def stop(desktop: Desktop) -> dict[str, Any]:
    """Stops."""
    await _ask(desktop, command="pl_stop")
    return _plain(await _until(desktop, lambda s: s["state"] == "stopped", "it does not stop"))


async def _other(desktop: Desktop, command: str) -> dict[str, Any]:
    entries = await _entries_of(desktop)
    if len(entries) < 2:
        raise ToolError(ActionError.NOT_FOUND, f"the playlist has {len(entries)} entries")
    before = (await _ask(desktop))["currentplid"]
    await _ask(desktop, command=command)
    return _plain(await _until(desktop, lambda s: s["currentplid"] != before, "it stays"))


@TOOLS.tool("vlc.next", timeout_s=TOOL_S)
async def next_entry(desktop: Desktop) -> dict[str, Any]:
    """Plays the next entry of the playlist."""
    return await _other(desktop, "pl_next")


@TOOLS.tool("vlc.previous", timeout_s=TOOL_S)
async def previous_entry(desktop: Desktop) -> dict[str, Any]:
    """Plays the entry before in the playlist."""
    return await _other(desktop, "pl_previous")


@TOOLS.tool("vlc.get_current_time", timeout_s=TOOL_S)
async def get_current_time(desktop: Desktop) -> int:
    """Seconds since the beginning of what plays."""
    return int((await _ask(desktop))["time"])


@TOOLS.tool("vlc.get_media_duration", timeout_s=TOOL_S)
async def get_media_duration(desktop: Desktop) -> int:
    """Length in seconds of what plays."""
    return int((await _ask(desktop))["length"])


@TOOLS.tool("vlc.seek", timeout_s=TOOL_S)
async def seek(desktop: Desktop, seconds: int) -> dict[str, Any]:
    """Goes to a second of what plays or is paused."""
    now = await _ask(desktop)
    if now["state"] == "stopped":
        raise ToolError(ActionError.NOT_FOUND, "nothing is playing")
    if not 0 <= seconds <= now["length"]:
        raise ToolError(ActionError.BAD_VALUE, f"it is {now['length']} s long")
    await _ask(desktop, command="seek", val=str(seconds))
    return _plain(
        await _until(desktop, lambda s: abs(s["time"] - seconds) <= 2, "it did not go there")
    )


@TOOLS.tool("vlc.volume", timeout_s=TOOL_S)
async def volume(desktop: Desktop, percent: int) -> dict[str, Any]:
    """Sets the volume, 0 to 200 percent."""
    if not 0 <= percent <= 200:
        raise ToolError(ActionError.BAD_VALUE, "the volume is 0 to 200 percent")
    value = round(percent * FULL_VOLUME / 100)
    await _ask(desktop, command="volume", val=str(value))
    return _plain(
        await _until(desktop, lambda s: abs(s["volume"] - value) <= 2, "the volume stays")
    )


@TOOLS.tool("vlc.rate", timeout_s=TOOL_S)
async def rate(desktop: Desktop, rate: float) -> dict[str, Any]:
    """Sets how fast it plays; 1 is normal."""
    if not 0.1 <= rate <= 10:
        raise ToolError(ActionError.BAD_VALUE, "the rate is 0.1 to 10")
    await _ask(desktop, command="rate", val=f"{rate:g}")
    return _plain(await _until(desktop, lambda s: abs(s["rate"] - rate) < 0.01, "the rate stays"))


@TOOLS.tool("vlc.repeat", timeout_s=TOOL_S)
async def repeat(
    desktop: Desktop, mode: Literal["off", "one", "all"], random: bool | None = None
) -> dict[str, Any]:
    """Repeats one entry, the whole playlist, or nothing; plays in random order or not."""
    for key, command, state in (
        ("repeat", "pl_repeat", mode == "one"),
        ("loop", "pl_loop", mode == "all"),
        ("random", "pl_random", random),
    ):
        if state is not None and bool((await _ask(desktop))[key]) != state:
            await _ask(desktop, command=command)
    return _plain(
        await _until(
            desktop,
            lambda s: (bool(s["repeat"]), bool(s["loop"])) == (mode == "one", mode == "all"),
            "the mode stays",
        )
    )


@TOOLS.tool("vlc.toggle_fullscreen", timeout_s=TOOL_S)
async def toggle_fullscreen(desktop: Desktop, fullscreen: bool | None = None) -> dict[str, Any]:
    """Switches full screen on or off; `fullscreen` says which."""
    before = bool((await _ask(desktop))["fullscreen"])
    state = not before if fullscreen is None else fullscreen
    if state != before:
        await _ask(desktop, command="fullscreen")
    return _plain(
        await _until(desktop, lambda s: bool(s["fullscreen"]) == state, "no video to show")
    )


@TOOLS.tool("vlc.snapshot", timeout_s=TOOL_S)
async def snapshot(desktop: Desktop) -> str:
    """Saves the picture of the video that plays as a PNG file in Pictures; answers its path."""
    folder = desktop.home / "Pictures"
    before = set(folder.iterdir())
    deadline = asyncio.get_running_loop().time() + DONE_S
    while not (new := set(folder.iterdir()) - before):
        if asyncio.get_running_loop().time() > deadline:
            raise ToolError(ActionError.TOOL_FAILED, "VLC saved no picture; is a video playing?")
        # Nothing is saved before the film's first picture is on the screen.
        await _ask(desktop, command="snapshot")
        await asyncio.sleep(SNAPSHOT_S)
    return str(min(new))


@TOOLS.tool("vlc.get_media_files", timeout_s=TOOL_S)
async def get_media_files(desktop: Desktop, folder: str = "~") -> list[str]:
    """Media files below a folder, by their names' endings."""
    top = desktop.home / folder.removeprefix("~").lstrip("/") if folder[:1] == "~" else Path(folder)
    top = desktop.home / top
    if not top.is_dir():
        raise ToolError(ActionError.NOT_FOUND, f"there is no folder {top}")
    paths = await asyncio.to_thread(lambda: sorted(top.rglob("*")))
    return [str(f) for f in paths if f.suffix[1:].lower() in MEDIA and f.is_file()][:MAX_FILES]


@TOOLS.tool("vlc.get_settings")
async def get_settings(desktop: Desktop, text: str = "") -> dict[str, str]:
    """Settings in vlcrc that differ from VLC's own, whose names contain a text."""
    options = await asyncio.to_thread(_options, desktop.home / ".config/vlc/vlcrc")
    return {key: value for key, value in options.items() if text in key and "password" not in key}


@TOOLS.tool("vlc.set_settings", timeout_s=TOOL_S)
async def set_settings(desktop: Desktop, settings: dict[str, str]) -> str:
    """Sets options of vlcrc, such as {"one-instance": "1", "play-and-exit": "1"}. VLC reads them
    when it starts: an open VLC is ended first, and is not started again."""
    for key, value in settings.items():
        if _OPTION.fullmatch(f"{key}=") is None or "\n" in value or "password" in key:
            raise ToolError(ActionError.BAD_VALUE, f"{key[:60]!r} is not a setting to change here")
    running = [process for process in desktop.processes.strays() if process.name() == "vlc"]
    for process in running:
        process.terminate()
    deadline = asyncio.get_running_loop().time() + DONE_S
    while any(process.is_running() and process.status() != "zombie" for process in running):
        if asyncio.get_running_loop().time() > deadline:
            raise ToolError(ActionError.TOOL_FAILED, "VLC does not end")
        await asyncio.sleep(POLL_S)
    await asyncio.to_thread(_write_options, desktop.home / ".config/vlc/vlcrc", settings)
    return f"{len(settings)} settings written" + (", VLC was ended" if running else "")


def _options(file: Path) -> dict[str, str]:
    lines = file.read_text(errors="replace").splitlines() if file.exists() else []
    matches = (_OPTION.fullmatch(line) for line in lines if not line.startswith("#"))
    return {match[1]: match[2] for match in matches if match}


def _write_options(file: Path, settings: dict[str, str]) -> None:
    """In place, keeping sections and comments; a new option goes to the end of [core]."""
    lines = file.read_text(errors="replace").splitlines() if file.exists() else ["[core]"]
    left = dict(settings)
    for index, line in enumerate(lines):
        match = _OPTION.fullmatch(line)
        if match is not None and match[1] in left:
            lines[index] = f"{match[1]}={left.pop(match[1])}"
    place = lines.index("[core]") + 1 if "[core]" in lines else len(lines)
    lines[place:place] = [f"{key}={value}" for key, value in left.items()]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n")
