"""The text editor's tools on a real editor."""

from __future__ import annotations

import pytest

from envs.contract.actions import Key, Launch, Type
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


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
