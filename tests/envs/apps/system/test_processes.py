"""Processes of a real desktop: listed, started, ended; its own are out of reach."""

from __future__ import annotations

import pytest

from envs.contract.actions import ActionError, Launch
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


async def test_a_program_goes_on_by_itself_until_it_is_killed(user: DesktopUser) -> None:
    started = await user.tool("processes.start", command=["sleep", "3213"])
    listed = await user.tool("processes.list", containing="sleep 3213")
    assert [item["pid"] for item in listed] == [started["pid"]]
    assert await user.tool("processes.kill", program="sleep") == {"killed": 1}
    with pytest.raises(ToolFailed, match="cannot be started"):
        await user.tool("processes.start", command=["no-such-program"])


async def test_the_desktops_own_processes_are_out_of_reach(user: DesktopUser) -> None:
    process_ids = await user.tool("shell.run", command="pgrep -x openbox")
    assert process_ids["output"].strip().isdecimal()
    with pytest.raises(ToolFailed) as refused:
        await user.tool("processes.signal", pid=int(process_ids["output"]), sign="KILL")
    assert refused.value.error is ActionError.NOT_FOUND
    with pytest.raises(ToolFailed):
        await user.tool("processes.kill", program="openbox")


async def test_waits_end_when_what_they_wait_for_comes(user: DesktopUser) -> None:
    await user.tool(
        "processes.start",
        command=["bash", "-c", "sleep 0.3; echo x > /home/user/late; python3 -m http.server 8765"],
    )
    await user.tool("wait.file", path="late")
    await user.tool("wait.port", port=8765)
    with pytest.raises(ToolFailed, match="nothing listens"):
        await user.tool("wait.port", port=8766, timeout_s=0.2)
    assert (await user.act(Launch(app="terminal"))).ok
    await user.tool("wait.window", title="lxterminal")
    with pytest.raises(ToolFailed, match="still there"):
        await user.tool("wait.window", title="lxterminal", gone=True, timeout_s=0.2)
