"""Waiting for windows and reading what they show, on real programs."""

from __future__ import annotations

import pytest

from envs.contract.actions import Launch, Type
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


async def test_a_program_that_asks_before_it_closes_is_reported(user: DesktopUser) -> None:
    await user.act(Launch(app="editor"), Type(text="unsaved"))
    closed = await user.tool("windows.close", window="Untitled")
    assert closed["closed"] is False
    assert "Save Changes" in closed["active"]


async def test_the_terminals_text_is_read(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match="shows no terminal"):
        await user.tool("terminal.read")
    await user.act(Launch(app="terminal"), Type(text="echo $((6*7))-done", submit=True))
    await user.tool("wait.window", title="lxterminal")
    shown = await user.tool("terminal.read")
    assert "42-done" in shown["text"].splitlines()
    assert (await user.tool("terminal.read", lines=1))["text"].startswith("bash")
