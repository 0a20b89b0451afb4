"""Paths of file tools on a real desktop: what is outside, missing or the desktop's own."""

from __future__ import annotations

import os

import pytest

from envs.contract.actions import ActionError
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../../etc/passwd", "~/../../etc/passwd", "/home/user/../../etc/passwd",
     "out/passwd", "Documents/../out/passwd", "/proc/self/environ", "/run/deskhand/host.sock"],
)  # fmt: skip
async def test_what_lies_outside_is_refused_with_the_reason(user: DesktopUser, path: str) -> None:
    (user.home / "out").symlink_to("/etc")
    for name, more in (
        ("files.read", {}),
        ("files.write", {"text": "x"}),
        ("files.delete", {"for_good": True}),
        ("files.copy", {"destination": "Documents"}),
        ("files.chmod", {"mode": "777"}),
    ):
        with pytest.raises(ToolFailed, match="outside of /home/user and /tmp") as refused:
            await user.tool(name, path=path, **more) if name != "files.copy" else await user.tool(
                name, source=path, **more
            )
        assert refused.value.error is ActionError.NOT_ALLOWED


async def test_a_link_to_outside_is_not_written_through(user: DesktopUser) -> None:
    (user.home / "innocent.txt").symlink_to("/var/cracked")
    with pytest.raises(ToolFailed) as refused:
        await user.tool("files.write", path="innocent.txt", text="x")
    assert refused.value.error is ActionError.NOT_ALLOWED
    with pytest.raises(ToolFailed) as refused:
        await user.tool("files.link", path="second", target="/etc/passwd")
    assert refused.value.error is ActionError.NOT_ALLOWED


async def test_what_keeps_the_desktop_running_cannot_be_touched(user: DesktopUser) -> None:
    runtime = (await user.tool("shell.run", command="echo $XDG_RUNTIME_DIR"))["output"].strip()
    assert runtime.startswith("/tmp/")
    with pytest.raises(ToolFailed, match="belongs to the desktop"):
        await user.tool("files.delete", path=f"{runtime}/bus", for_good=True)
    with pytest.raises(ToolFailed, match="can't be changed"):
        await user.tool("files.delete", path="~", for_good=True)


async def test_what_is_missing_is_named_with_what_is_there(user: DesktopUser) -> None:
    (user.home / "Documents/report.odt").touch()
    with pytest.raises(ToolFailed, match=r"report\.odt") as missing:
        await user.tool("files.read", path="Documents/rapport.odt")
    assert missing.value.error is ActionError.NOT_FOUND


async def test_a_pipe_is_refused_and_does_not_block(user: DesktopUser) -> None:
    os.mkfifo(user.home / "pipe")
    with pytest.raises(ToolFailed, match="not a regular file"):
        await user.tool("files.read", path="pipe")
