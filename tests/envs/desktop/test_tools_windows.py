"""Windows, clipboard, terminal and editor tools on real programs."""

from __future__ import annotations

import pytest
from PIL import Image

from envs.actions import ActionError, Key, Launch, Type
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


async def test_a_program_that_asks_before_it_closes_is_reported(user: DesktopUser) -> None:
    await user.act(Launch(app="editor"), Type(text="unsaved"))
    closed = await user.tool("windows.close", window="Untitled")
    assert closed["closed"] is False
    assert "Save Changes" in closed["active"]


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


async def test_the_terminals_text_is_read(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match="shows no terminal"):
        await user.tool("terminal.read")
    await user.act(Launch(app="terminal"), Type(text="echo $((6*7))-done", submit=True))
    await user.tool("wait.window", title="lxterminal")
    shown = await user.tool("terminal.read")
    assert "42-done" in shown["text"].splitlines()
    assert (await user.tool("terminal.read", lines=1))["text"].startswith("bash")


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


async def test_the_editor_opens_a_file_at_a_line(user: DesktopUser) -> None:
    (user.home / "a.txt").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    assert (await user.tool("editor.open", path="a.txt", line=42))["line"] == 42
    assert await user.tool("editor.goto", line=7) == {"line": 7}
    await user.act(Type(text="HERE "))
    assert "\nHERE line 7\n" in (await user.tool("editor.text"))["text"]
    with pytest.raises(ToolFailed, match="there are 101"):
        await user.tool("editor.goto", line=500)


async def test_the_editor_replaces_undoes_and_saves(user: DesktopUser) -> None:
    file = user.home / "a.txt"
    file.write_text("red, green, red\n")
    await user.tool("editor.open", path="a.txt")
    assert await user.tool("editor.replace", old="red", new="blue") == {"replaced": 2}
    assert (await user.tool("editor.text"))["text"] == "blue, green, blue\n"
    assert file.read_text() == "red, green, red\n"
    await user.act(Key(keys=("ctrl", "z"), repeat=2))
    assert (await user.tool("editor.text"))["text"] == "red, green, red\n"
    await user.act(Key(keys=("ctrl", "y"), repeat=2))
    await user.tool("editor.save")
    assert file.read_text() == "blue, green, blue\n"
    with pytest.raises(ToolFailed, match="does not contain"):
        await user.tool("editor.replace", old="red", new="blue")


async def test_a_new_text_is_saved_under_a_path(user: DesktopUser) -> None:
    await user.act(Launch(app="editor"))
    await user.tool("editor.set_text", text="Grüße\n")
    with pytest.raises(ToolFailed, match="no file yet"):
        await user.tool("editor.save")
    await user.tool("editor.save", path="Documents/new file.txt")
    assert (user.home / "Documents/new file.txt").read_text() == "Grüße\n"
    with pytest.raises(ToolFailed, match="exists already"):
        await user.tool("editor.save", path="Documents/new file.txt")
