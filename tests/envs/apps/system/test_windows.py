"""Windows, clipboard and default applications on real programs."""

from __future__ import annotations

import pytest
from PIL import Image

from envs.contract.actions import ActionError, Key, Launch, Type
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


async def titles(user: DesktopUser) -> list[str]:
    return [window["title"] for window in await user.tool("windows.list")]


async def test_windows_are_focused_sized_hidden_and_closed(user: DesktopUser) -> None:
    (user.home / "a.txt").write_text("a")
    await user.tool("editor.open", path="a.txt")
    assert (await user.act(Launch(app="terminal"))).ok
    assert [window["application"] for window in await user.tool("windows.list")] == [
        "Mousepad",
        "Lxterminal",
    ]
    assert (await user.tool("windows.focus", window="a.txt"))["active"]
    assert (await user.tool("windows.maximize", window="lxterminal"))["width"] == 1280
    placed = await user.tool(
        "windows.place", window="lxterminal", x=100, y=80, width=600, height=400
    )
    assert abs(placed["width"] - 600) < 40
    assert (await user.tool("windows.minimize", window="lxterminal"))["minimized"]
    assert not (await user.tool("windows.restore", window="lxterminal"))["minimized"]
    assert await user.tool("windows.close", window="a.txt") == {"closed": True}
    assert all("a.txt" not in title for title in await titles(user))
    with pytest.raises(ToolFailed, match="LXTerminal") as missing:
        await user.tool("windows.focus", window="a.txt")
    assert missing.value.error is ActionError.NOT_FOUND


async def test_a_picture_of_one_window_has_its_size(user: DesktopUser) -> None:
    await user.act(Launch(app="terminal"))
    (window,) = await user.tool("windows.list")
    saved = await user.tool("screen.save", path="Pictures/t.png", window="lxterminal")
    with Image.open(user.home / "Pictures/t.png") as picture:
        assert picture.format == "PNG"
        assert picture.size == (saved["width"], saved["height"])
        assert picture.size == (window["width"], window["height"])
        assert len(picture.getcolors(1 << 20) or []) > 10
    with pytest.raises(ToolFailed, match=r"\.png"):
        await user.tool("screen.save", path="Pictures/t.txt")


async def test_the_clipboard_is_shared_with_programs(user: DesktopUser) -> None:
    await user.tool("clipboard.write", text="vom Tool 🙂")
    await user.act(Launch(app="editor"), Key(keys=("ctrl", "v")))
    assert (await user.tool("editor.text"))["text"] == "vom Tool 🙂"
    await user.act(Type(text="!"), Key(keys=("ctrl", "a")), Key(keys=("ctrl", "c")))
    assert await user.tool("clipboard.read") == "vom Tool 🙂!"


async def test_a_file_opens_with_its_default_application(user: DesktopUser) -> None:
    (user.home / "notes.txt").write_text("x")
    opened = await user.tool("desktop.open", what="notes.txt")
    assert opened == {"window": "~/notes.txt - Mousepad", "application": "Mousepad"}
    folder = await user.tool("desktop.open", what="Documents")
    assert folder["application"] == "Pcmanfm"
    with pytest.raises(ToolFailed) as refused:
        await user.tool("desktop.open", what="ssh://host/")
    assert refused.value.error is ActionError.NOT_ALLOWED
    with pytest.raises(ToolFailed) as refused:
        await user.tool("desktop.open", what="/etc/passwd")
    assert refused.value.error is ActionError.NOT_ALLOWED
