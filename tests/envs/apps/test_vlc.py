"""VLC's tools on a real VLC with media that ffmpeg makes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from envs.contract.actions import ActionError, Wait
from envs.contract.observations import Observe
from envs.desktop.session import SETTLE_S
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


@pytest.fixture(scope="session")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("media")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=25:duration=60",
         "-f", "lavfi", "-i", "sine=duration=60", "-shortest", "-c:v", "mpeg4", "film.mp4",
         "-f", "lavfi", "-i", "sine=frequency=300:duration=40", "-map", "2", "song.wav"],
        cwd=folder, check=True, timeout=60,
    )  # fmt: skip
    return folder


@pytest.fixture
def videos(user: DesktopUser, media: Path) -> Path:
    folder = user.home / "Videos"
    for file in media.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


async def test_a_film_plays_pauses_seeks_and_stops(user: DesktopUser, videos: Path) -> None:
    assert (await user.tool("vlc.status"))["state"] == "stopped"
    playing = await user.tool("vlc.open", path="Videos/film.mp4")
    assert (playing["state"], playing["length_s"]) == ("playing", 60)
    assert (await user.tool("vlc.pause"))["state"] == "paused"
    assert abs((await user.tool("vlc.seek", seconds=30))["time_s"] - 30) <= 2
    assert abs(await user.tool("vlc.get_current_time") - 30) <= 2
    assert await user.tool("vlc.get_media_duration") == 60
    assert (await user.tool("vlc.play"))["state"] == "playing"
    assert (await user.tool("vlc.stop"))["state"] == "stopped"
    with pytest.raises(ToolFailed, match="nothing is playing"):
        await user.tool("vlc.seek", seconds=3)


async def test_the_playlist_grows_is_walked_and_emptied(user: DesktopUser, videos: Path) -> None:
    await user.tool("vlc.open", path="Videos/film.mp4")
    listed = await user.tool("vlc.add_to_playlist", path="Videos/song.wav")
    assert [(row["name"], row["current"]) for row in listed] == [
        ("film.mp4", True), ("song.wav", False),
    ]  # fmt: skip
    assert (await user.tool("vlc.next"))["title"] == "song.wav"
    assert (await user.tool("vlc.previous"))["title"] == "film.mp4"
    assert (await user.tool("vlc.play", entry=listed[1]["id"]))["state"] == "playing"
    with pytest.raises(ToolFailed) as unknown:
        await user.tool("vlc.play", entry=999)
    assert unknown.value.error == ActionError.NOT_FOUND
    await user.tool("vlc.remove_from_playlist")
    assert await user.tool("vlc.get_playlist") == []


async def test_sound_rate_repeat_and_full_screen(user: DesktopUser, videos: Path) -> None:
    await user.tool("vlc.open", path="Videos/film.mp4")
    assert (await user.tool("vlc.volume", percent=50))["volume_percent"] == 50
    assert (await user.tool("vlc.rate", rate=1.5))["rate"] == pytest.approx(1.5, abs=0.01)
    assert (await user.tool("vlc.repeat", mode="all"))["repeat"] == "all"
    assert (await user.tool("vlc.repeat", mode="off", random=True))["random"] is True
    assert (await user.tool("vlc.toggle_fullscreen"))["fullscreen"] is True
    assert (await user.tool("vlc.toggle_fullscreen", fullscreen=False))["fullscreen"] is False
    with pytest.raises(ToolFailed, match="0 to 200"):
        await user.tool("vlc.volume", percent=300)


async def test_a_snapshot_is_a_picture_of_the_film(user: DesktopUser, videos: Path) -> None:
    await user.tool("vlc.open", path="Videos/film.mp4")
    path = Path(await user.tool("vlc.snapshot"))
    assert (user.home / path.relative_to("/home/user")).read_bytes().startswith(b"\x89PNG")


async def test_media_files_are_found(user: DesktopUser, videos: Path) -> None:
    (videos / "notes.txt").write_text("x")
    media_files = await user.tool("vlc.get_media_files", folder="~/Videos")
    assert media_files == ["/home/user/Videos/film.mp4", "/home/user/Videos/song.wav"]
    with pytest.raises(ToolFailed, match="no file"):
        await user.tool("vlc.open", path="Videos/none.mp4")


async def test_settings_are_kept_in_vlcrc(user: DesktopUser, videos: Path) -> None:
    await user.tool("vlc.open", path="Videos/film.mp4")
    await user.tool("vlc.set_settings", settings={"one-instance": "1", "qt-max-volume": "200"})
    assert (await user.tool("vlc.get_settings", text="one-"))["one-instance"] == "1"
    assert (await user.tool("vlc.status"))["state"] == "stopped"
    lines = (user.home / ".config/vlc/vlcrc").read_text().splitlines()
    assert lines.count("one-instance=1") == 1
    with pytest.raises(ToolFailed, match="not a setting"):
        await user.tool("vlc.set_settings", settings={"http-password": "x"})


async def test_a_window_that_answers_no_ping_is_not_waited_for_each_time(
    user: DesktopUser, videos: Path
) -> None:
    await user.tool("vlc.open", path="Videos/song.wav")
    await user.tool("vlc.stop")
    seen = Observe(tree=False, text=True)
    spent = [(await user.session.step([Wait(ms=0)], seen)).timings_ms["settle"] for _ in range(4)]
    assert min(spent) < 900 * SETTLE_S, spent
