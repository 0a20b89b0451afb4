"""Search for files by name, age and text, on a real desktop."""

from __future__ import annotations

import os

import pytest

from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop


async def test_files_are_found_by_name_age_and_text(user: DesktopUser) -> None:
    old, new = user.home / "Documents/old.LOG", user.home / "Documents/new.log"
    old.write_text("Error: disk\nfine\nerror again, error\n")
    new.write_text("all well\n")
    os.utime(old, (1_000_000, 1_000_000))
    files = await user.tool("files.find", pattern="*.log", older_than_days=30)
    assert [item["path"] for item in files["found"]] == ["/home/user/Documents/old.LOG"]
    hits = await user.tool("files.search", text="error", pattern="*.log")
    assert [(item["line"], item["text"]) for item in hits["found"]] == [
        (1, "Error: disk"),
        (3, "error again, error"),
    ]
    assert hits["count"] == 3


async def test_a_name_that_is_no_text_is_shown_all_the_same(user: DesktopUser) -> None:
    (user.home / "Downloads" / os.fsdecode(b"caf\xe9.txt")).write_text("latin")
    (entry,) = (await user.tool("files.list", path="Downloads"))["entries"]
    assert entry["name"] == "caf\ufffd.txt"
    hits = await user.tool("files.search", text="latin")
    assert hits["found"][0]["path"] == "/home/user/Downloads/caf\ufffd.txt"
