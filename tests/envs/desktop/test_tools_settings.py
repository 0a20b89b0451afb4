"""Settings on a real desktop: programs and the screen follow, and a reset takes them back."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest
from PIL import Image

from envs.actions import ActionError, Launch, Type
from envs.observations import Observe, ScreenshotRequest
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop
INTERFACE = "org.gnome.desktop.interface"


async def screen(user: DesktopUser) -> Image.Image:
    observe = Observe(tree=False, screenshot=ScreenshotRequest(format="png"))
    shot = (await user.session.step([], observe)).observation.screenshot
    assert shot is not None
    return Image.open(io.BytesIO(b64decode(shot.data)))


async def test_a_setting_is_set_read_and_reset(user: DesktopUser) -> None:
    assert await user.tool("settings.get", group=INTERFACE, key="clock-show-date") == "true"
    for value in ("false", "true"):
        there = await user.tool("settings.set", group=INTERFACE, key="clock-format", value="12h")
        assert there == "'12h'"
        there = await user.tool(
            "settings.set", group=INTERFACE, key="show-battery-percentage", value=value
        )
        assert there == value
    assert await user.tool("settings.reset", group=INTERFACE, key="clock-format") == "'24h'"
    shown = await user.tool("settings.list", group=INTERFACE)
    assert f"{INTERFACE} show-battery-percentage true" in shown
    assert INTERFACE in await user.tool("settings.list")


async def test_what_would_blind_or_lock_the_desktop_is_refused(user: DesktopUser) -> None:
    for schema, key in (
        (INTERFACE, "toolkit-accessibility"),
        ("org.gnome.desktop.lockdown", "disable-command-line"),
        ("org.gnome.system.proxy", "mode"),
        ("--version", "x"),
    ):
        with pytest.raises(ToolFailed) as refused:
            await user.tool("settings.set", group=schema, key=key, value="true")
        assert refused.value.error is ActionError.NOT_ALLOWED
    with pytest.raises(ToolFailed, match="No such key") as refused:
        await user.tool("settings.set", group=INTERFACE, key="no-such-key", value="1")
    assert refused.value.error is ActionError.BAD_VALUE


async def test_larger_text_makes_a_programs_menu_taller(user: DesktopUser) -> None:
    async def menu_height() -> int:
        await user.act(Launch(app="editor"))
        picture = (await screen(user)).convert("L")
        await user.tool("processes.kill", program="mousepad")
        column = [picture.getpixel((1000, y)) for y in range(20, 200)]
        return column.index(255)

    normal = await menu_height()
    assert await user.tool("settings.text_scaling", factor=2) == {"factor": 2.0}
    assert await menu_height() > 1.3 * normal
    shown = await user.tool("settings.get", group=INTERFACE, key="text-scaling-factor")
    assert shown == "2.0"


async def test_the_default_application_is_what_opens_a_file(user: DesktopUser) -> None:
    found = await user.tool("settings.default_app", kind="text/plain")
    assert found["application"] == "org.xfce.mousepad"
    await user.tool("settings.default_app", kind="text/plain", application="libreoffice-writer")
    (user.home / "a.txt").write_text("hello")
    await user.tool("desktop.open", what="a.txt")
    await user.tool("wait.window", title="a.txt - LibreOffice Writer", timeout_s=20)
    with pytest.raises(ToolFailed, match="mousepad"):
        await user.tool("settings.default_app", kind="text/plain", application="notepad")


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
    with pytest.raises(ToolFailed, match="is no picture"):
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
