"""Getters of programs' settings, and of what VLC plays."""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import BasicAuth, web

from envs.apps.vlc_client import fetch_page
from envs.desktop.processes import Processes
from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import GETTERS, programs
from envs.osworld.outside.metric_modules import load_metric

PR_SET_CHILD_SUBREAPER = 36
STATUS = b"""<?xml version="1.0" encoding="utf-8" standalone="yes" ?>
<root><fullscreen>false</fullscreen><state>playing</state><information><category name="meta">
<info name='filename'>song.mp4</info></category></information></root>"""
VLCRC = """[qt]
# Maximum Volume displayed (integer)
qt-max-volume=200
[core]
#play-and-exit=0
"""
GIMPRC = """# GIMP gimprc
(theme "Light")
(undo-levels 100)
"""


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Any]:
    home, programs_folder = tmp_path / "home", tmp_path / "bin"
    home.mkdir()
    programs_folder.mkdir()
    environment = {"PATH": f"{programs_folder}:/usr/bin:/bin", "HOME": str(home)}
    yield SimpleNamespace(home=home, processes=Processes(environment, home), bin=programs_folder)
    # This process is to be no desktop's host for the tests that follow.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)


@pytest.fixture
def ending(tmp_path: Path) -> Ending:
    (tmp_path / "scratch").mkdir()
    return Ending(None, False, scratch=tmp_path / "scratch")


def got(machine: Any, ending: Ending, kind: str, **options: Any) -> Any:
    return asyncio.run(GETTERS[kind](machine, ending, options))


def write_file(machine: Any, path: str, text: str) -> None:
    file = machine.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_vlc_s_settings(machine: Any, ending: Ending) -> None:
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "vlc_config", dest="vlcrc")
    write_file(machine, ".config/vlc/vlcrc", VLCRC)
    value = got(machine, ending, "vlc_config", dest="vlcrc")
    assert load_metric("check_qt_max_volume")(value, {"expected_qt_max_volume": 200}) == 1
    assert load_metric("check_play_and_exit")(value, {"expected_play_and_exit": 0}) == 1


def test_gimp_s_settings_are_those_of_its_newest_version(machine: Any, ending: Ending) -> None:
    options = {"file_name": "gimprc", "dest": "gimprc"}
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "gimp_config_file", **options)
    write_file(machine, ".config/GIMP/2.9/gimprc", '(theme "Dark")\n')
    write_file(machine, ".config/GIMP/2.10/gimprc", GIMPRC)
    write_file(machine, ".config/GIMP/3.0/sessionrc", "(hide-docks no)\n")
    value = got(machine, ending, "gimp_config_file", **options)
    assert load_metric("check_config_status")(value, {"key": "theme", "value": '"Light"'}) == 1
    assert load_metric("check_config_status")(value, {"key": "undo-levels", "value": "99"}) == 0


@pytest.mark.parametrize("password", ["deskhand", "password"])
async def test_what_vlc_plays(
    machine: Any, ending: Ending, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    async def status(request: web.Request) -> web.Response:
        allowed = request.headers.get("Authorization") == BasicAuth("", password).encode()
        return web.Response(body=STATUS) if allowed else web.Response(status=401)

    app = web.Application()
    app.router.add_get("/requests/status.xml", status)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    base_url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    monkeypatch.setattr(programs, "fetch_page", partial(fetch_page, base_url=base_url))
    try:
        value = await programs.vlc_playing_info(machine, ending, {"dest": "status.xml"})
    finally:
        await runner.cleanup()
    rule = {"type": "file_name", "file_name": "song.mp4"}
    assert load_metric("is_vlc_playing")(value, rule) == 1
    with pytest.raises(FileNotFoundError, match="VLC does not answer"):
        await programs.vlc_playing_info(machine, ending, {"dest": "status.xml"})


def test_the_player_of_most_kinds_of_video(machine: Any, ending: Ending) -> None:
    ask = machine.bin / "xdg-mime"
    ask.write_text(
        '#!/bin/sh\ncase "$3" in video/mp4) echo totem.desktop;; video/x-*) echo vlc.desktop;; esac'
    )
    ask.chmod(0o755)
    assert got(machine, ending, "default_video_player") == "vlc.desktop"
    ask.write_text("#!/bin/sh\n")
    assert got(machine, ending, "default_video_player") == "unknown"
