"""A desktop session is fresh after a reset."""

from __future__ import annotations

import pytest

from envs.contract.actions import Launch
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop


async def test_a_reset_leaves_no_file_and_no_window(user: DesktopUser) -> None:
    await user.act(Launch(app="editor"))
    (user.home / "Documents" / "left.txt").write_text("x")
    assert "Mousepad" in await user.see()
    await user.reset()
    assert await user.see() == ""
    assert not (user.home / "Documents" / "left.txt").exists()
