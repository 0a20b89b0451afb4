"""File tools on a real desktop: what they do to files, and what they refuse."""

from __future__ import annotations

import base64
import hashlib
import os
import stat

import pytest

from envs.contract.actions import ActionError
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


async def test_a_file_is_written_read_in_parts_and_appended_to(user: DesktopUser) -> None:
    await user.tool("files.write", path="Documents/new/a.txt", text="one\ntwo\nthree\n")
    assert (user.home / "Documents/new/a.txt").read_text() == "one\ntwo\nthree\n"
    part = await user.tool("files.read", path="~/Documents/new/a.txt", first_line=2, lines=1)
    assert part == {"text": "two\n", "lines": 3}
    await user.tool("files.append", path="/home/user/Documents/new/a.txt", text="four")
    whole = await user.tool("files.read", path="file:///home/user/Documents/new/a.txt")
    assert whole["text"] == "one\ntwo\nthree\nfour"


async def test_a_long_file_is_read_piece_by_piece(user: DesktopUser) -> None:
    text = "".join(f"line {number}\n" for number in range(5000))
    (user.home / "long.txt").write_text(text)
    read, line = "", 1
    while line:
        part = await user.tool("files.read", path="long.txt", first_line=line)
        assert len(part["text"]) <= 20_000
        read += part["text"]
        line = part.get("next_line", 0)
    assert read == text


async def test_bytes_come_back_as_base64_and_go_in_as_base64(user: DesktopUser) -> None:
    data = bytes(range(256))
    encoded = base64.b64encode(data).decode()
    await user.tool("files.write", path="raw.bin", text=encoded, encoding="base64")
    assert (user.home / "raw.bin").read_bytes() == data
    part = await user.tool("files.read_bytes", path="raw.bin", offset=10, length=5)
    assert base64.b64decode(part["base64"]) == data[10:15]
    assert part["size"] == 256
    with pytest.raises(ToolFailed, match=r"files\.read_bytes") as refused:
        await user.tool("files.read", path="raw.bin")
    assert refused.value.error is ActionError.BAD_VALUE


async def test_an_edit_needs_a_text_that_occurs_once(user: DesktopUser) -> None:
    (user.home / "a.txt").write_text("x = 1\nx = 2\ny = 3\n")
    with pytest.raises(ToolFailed, match="occurs 2 times"):
        await user.tool("files.edit", path="a.txt", old="x =", new="z =")
    assert await user.tool("files.edit", path="a.txt", old="y = 3", new="y = 4") == {"replaced": 1}
    await user.tool("files.edit", path="a.txt", old="x =", new="z =", every=True)
    assert (user.home / "a.txt").read_text() == "z = 1\nz = 2\ny = 4\n"
    with pytest.raises(ToolFailed) as missing:
        await user.tool("files.edit", path="a.txt", old="nowhere", new="")
    assert missing.value.error is ActionError.NOT_FOUND


async def test_copies_and_moves(user: DesktopUser) -> None:
    (user.home / "Documents/a.txt").write_text("a")
    (user.home / "Documents/b.txt").write_text("b")
    moved = await user.tool("files.move", source="Documents/a.txt", destination="Downloads")
    assert moved == {"path": "/home/user/Downloads/a.txt"}
    with pytest.raises(ToolFailed, match="exists already"):
        await user.tool("files.copy", source="Documents/b.txt", destination="Downloads/a.txt")
    await user.tool(
        "files.copy", source="Documents/b.txt", destination="Downloads/a.txt", overwrite=True
    )
    assert (user.home / "Downloads/a.txt").read_text() == "b"
    await user.tool("files.copy", source="Downloads", destination="Documents")
    assert (user.home / "Documents/Downloads/a.txt").read_text() == "b"
    with pytest.raises(ToolFailed, match="inside it"):
        await user.tool("files.move", source="Documents", destination="Documents/Downloads")


async def test_deleting_a_link_leaves_what_it_leads_to(user: DesktopUser) -> None:
    (user.home / "Documents/kept.txt").write_text("kept")
    (user.home / "link").symlink_to("Documents/kept.txt")
    await user.tool("files.delete", path="link", for_good=True)
    assert not os.path.lexists(user.home / "link")
    assert (user.home / "Documents/kept.txt").read_text() == "kept"


async def test_rights_are_set_for_files_only(user: DesktopUser) -> None:
    folder = user.home / "Documents/deep/er"
    folder.mkdir(parents=True)
    (folder / "a.txt").touch(mode=0o600)
    changed = await user.tool(
        "files.chmod", path="Documents", mode="644", recursive=True, only="files"
    )
    assert changed == {"changed": 1}
    assert stat.S_IMODE((folder / "a.txt").stat().st_mode) == 0o644
    assert (await user.tool("files.info", path="Documents/deep/er/a.txt"))["mode"] == "0644"
    with pytest.raises(ToolFailed, match="octal"):
        await user.tool("files.chmod", path="Documents", mode="u+x")


async def test_a_folder_of_many_files_is_listed_in_parts(user: DesktopUser) -> None:
    for number in range(620):
        (user.home / "Downloads" / f"{number:04}.txt").touch()
    first = await user.tool("files.list", path="Downloads")
    assert (len(first["entries"]), first["total"]) == (500, 620)
    rest = await user.tool("files.list", path="Downloads", offset=500)
    assert [item["name"] for item in rest["entries"]][-1] == "0619.txt"


async def test_too_much_text_is_refused_and_nothing_is_written(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match="over the limit"):
        await user.tool("files.write", path="big.txt", text="x" * (1024 * 1024 + 1))
    assert not (user.home / "big.txt").exists()


async def test_the_checksum_is_that_of_the_file(user: DesktopUser) -> None:
    (user.home / "a").write_bytes(b"abc")
    assert await user.tool("files.hash", path="a") == hashlib.sha256(b"abc").hexdigest()
