"""Wallpaper, keyboard, time zone, locale and panel of a real desktop."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest
from PIL import Image

from envs.contract.actions import ActionError, Launch, Type
from envs.contract.observations import Observe, ScreenshotRequest
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


async def screen(user: DesktopUser) -> Image.Image:
    observe = Observe(tree=False, screenshot=ScreenshotRequest(format="png"))
    shot = (await user.session.step([], observe)).observation.screenshot
    assert shot is not None
    return Image.open(io.BytesIO(b64decode(shot.data)))


async def test_a_wallpaper_is_on_the_screen_until_the_reset(user: DesktopUser) -> None:
    Image.new("RGB", (64, 36), (200, 30, 40)).save(user.home / "Pictures/red wall.png")
    await user.tool("settings.wallpaper", path="Pictures/red wall.png")
    assert (await screen(user)).getpixel((640, 300)) == (200, 30, 40)
    shown = await user.tool("settings.wallpaper")
    assert shown == {"path": "/home/user/Pictures/red wall.png"}
    uri = await user.tool("settings.get", group="org.gnome.desktop.background", key="picture-uri")
    assert uri == "'file:///home/user/Pictures/red%20wall.png'"
    await user.reset()
    assert (await screen(user)).getpixel((640, 300)) == (0, 0, 0)
    (user.home / "no.png").write_text("no picture")
    with pytest.raises(ToolFailed, match="is not a picture"):
        await user.tool("settings.wallpaper", path="no.png")


async def test_typing_is_right_under_another_keyboard_layout(user: DesktopUser) -> None:
    text = "zy öÄ @{[]} ß <|> ~"
    assert await user.tool("settings.keyboard", layouts=["de"]) == ["de"]
    await user.act(Launch(app="editor"), Type(text=text))
    assert (await user.tool("editor.text"))["text"] == text
    with pytest.raises(ToolFailed, match="no layout"):
        await user.tool("settings.keyboard", layouts=["../x"])
    await user.reset()
    assert await user.tool("settings.keyboard") == ["us"]
    await user.act(Launch(app="editor"), Type(text=text))
    assert (await user.tool("editor.text"))["text"] == text


async def test_the_time_zone_holds_for_new_programs_until_the_reset(user: DesktopUser) -> None:
    assert await user.tool("settings.timezone", zone="Asia/Kolkata") == "Asia/Kolkata"
    shown = await user.tool("shell.run", command="date +%z")
    assert shown["output"] == "+0530\n"
    kept = (user.home / ".config/environment.d/60-user.conf").read_text()
    assert kept == "TZ=Asia/Kolkata\n"
    await user.reset()
    assert (await user.tool("shell.run", command="date +%z"))["output"] != "+0530\n"
    for zone in ("Mars/Base", "../passwd", "Europe"):
        with pytest.raises(ToolFailed, match="no time zone"):
            await user.tool("settings.timezone", zone=zone)


async def test_locale_and_variables(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match=r"C\.utf8"):
        await user.tool("settings.locale", language="xx_XX.UTF-8")
    assert await user.tool("settings.locale", language="POSIX") == "POSIX"
    await user.tool("settings.variable", variable="EDITOR", value="mousepad -w")
    shown = await user.tool("shell.run", command='echo "$LANG $EDITOR"')
    assert shown["output"] == "POSIX mousepad -w\n"
    with pytest.raises(ToolFailed) as refused:
        await user.tool("settings.variable", variable="DISPLAY", value=":9")
    assert refused.value.error is ActionError.NOT_ALLOWED
    await user.reset()
    shown = await user.tool("shell.run", command='echo "$LANG-$EDITOR"')
    assert shown["output"] == "C.UTF-8-\n"


async def test_the_panels_launchers_change_on_the_screen(user: DesktopUser) -> None:
    def panel(picture: Image.Image) -> bytes:
        return picture.crop((0, 692, 400, 720)).tobytes()

    before = panel(await screen(user))
    there = await user.tool("settings.launchers")
    assert "vlc" in there
    left = await user.tool("settings.launchers", remove="vlc")
    assert left == [name for name in there if name != "vlc"]
    await user.tool("shell.run", command="sleep 1")
    assert panel(await screen(user)) != before
    assert (await user.tool("settings.launchers", add="vlc"))[-1] == "vlc"
    with pytest.raises(ToolFailed, match="no application"):
        await user.tool("settings.launchers", add="../evil")


async def test_autostart_entries_are_those_of_installed_applications(user: DesktopUser) -> None:
    assert await user.tool("settings.autostart", application="thunderbird") == ["thunderbird"]
    entry = (user.home / ".config/autostart/thunderbird.desktop").read_text()
    assert "\nExec=" in entry
    assert await user.tool("settings.autostart", application="thunderbird", on=False) == []


async def test_the_screens_size_is_told(user: DesktopUser) -> None:
    picture = await screen(user)
    width, height = picture.size
    assert await user.tool("screen.size") == {"width": width, "height": height}
