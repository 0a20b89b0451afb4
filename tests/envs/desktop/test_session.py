"""The session's contract on a real desktop."""

from __future__ import annotations

import pytest

from envs.actions import Key, Launch, Type
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop


async def test_typed_text_of_any_script_arrives(user: DesktopUser) -> None:
    text = "Hällo €5 <b> 日本語 🙂 ~^`"
    assert (await user.act(Launch(app="editor"))).ok
    tree = await user.see(Type(text=text))
    assert text in tree
    await user.act(Key(keys=("ctrl", "a")), Key(keys=("ctrl", "c")))


async def test_a_reset_leaves_no_file_and_no_window(user: DesktopUser) -> None:
    await user.act(Launch(app="editor"))
    (user.home / "Documents" / "left.txt").write_text("x")
    assert "Mousepad" in await user.see()
    await user.reset()
    assert await user.see() == ""
    assert not (user.home / "Documents" / "left.txt").exists()
