"""Settings on a real desktop: programs and the screen follow, and a reset undoes them."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest
from PIL import Image

from envs.contract.actions import ActionError, Launch
from envs.contract.observations import Observe, ScreenshotRequest
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
    default_app = await user.tool("settings.default_app", kind="text/plain")
    assert default_app["application"] == "org.xfce.mousepad"
    await user.tool("settings.default_app", kind="text/plain", application="libreoffice-writer")
    (user.home / "a.txt").write_text("hello")
    await user.tool("desktop.open", what="a.txt")
    await user.tool("wait.window", title="a.txt - LibreOffice Writer", timeout_s=20)
    with pytest.raises(ToolFailed, match="mousepad"):
        await user.tool("settings.default_app", kind="text/plain", application="notepad")
