"""The trash of a real desktop: what is deleted can come back."""

from __future__ import annotations

import pytest

from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop


async def test_the_trash_keeps_what_is_deleted_and_gives_it_back(user: DesktopUser) -> None:
    poster = user.home / "Pictures" / "poster 1.webp"
    for content in ("first", "second"):
        poster.write_text(content)
        await user.tool("files.delete", path="Pictures/poster 1.webp")
    assert not poster.exists()
    names = [item["name"] for item in await user.tool("files.trash")]
    assert names == ["poster 1.2.webp", "poster 1.webp"]
    note = (user.home / ".local/share/Trash/info/poster 1.webp.trashinfo").read_text()
    assert "Path=/home/user/Pictures/poster%201.webp\n" in note
    await user.tool("files.restore", item="poster 1.2.webp")
    assert poster.read_text() == "second"
    assert await user.tool("files.empty_trash") == {"deleted": 1}
    assert await user.tool("files.trash") == []


async def test_what_a_program_put_into_the_trash_comes_back(user: DesktopUser) -> None:
    file = user.home / "Documents/für später.txt"
    file.write_text("kept")
    await user.tool("shell.run", command="gio trash 'Documents/für später.txt'")
    assert not file.exists()
    (item,) = await user.tool("files.trash")
    assert item["from"] == "/home/user/Documents/für später.txt"
    await user.tool("files.restore", item=item["name"])
    assert file.read_text() == "kept"
