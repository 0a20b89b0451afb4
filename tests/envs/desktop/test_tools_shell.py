"""Commands and processes on a real desktop."""

from __future__ import annotations

import pytest

from envs.actions import ActionError, Launch
from tests.envs.desktop_box import DesktopUser, ToolFailed, desktop_box, desktop_user

pytestmark = pytest.mark.desktop


async def test_a_command_gives_exit_code_and_output(user: DesktopUser) -> None:
    (user.home / "Documents/x").touch()
    done = await user.tool("shell.run", command="ls; echo oops >&2; exit 3", cwd="Documents")
    assert done == {"exit_code": 3, "output": "x\noops\n"}


async def test_python_runs_in_its_own_process(user: DesktopUser) -> None:
    done = await user.tool("python.run", code="import sys; print(6 * 7); sys.exit(2)")
    assert done == {"exit_code": 2, "output": "42\n"}


async def test_a_command_is_killed_with_its_children_at_the_timeout(user: DesktopUser) -> None:
    command = "echo begun; setsid sleep 3210 & sleep 3211"
    done = await user.tool("shell.run", command=command, timeout_s=0.5)
    assert done == {"exit_code": None, "output": "begun\n", "timed_out": True}
    assert await user.tool("processes.list", containing="sleep 321") == []


async def test_output_is_bounded(user: DesktopUser) -> None:
    done = await user.tool("shell.run", command="yes | head -c 3000000")
    assert done["cut"]
    assert len(done["output"]) == 20_000
    assert done["exit_code"] == 0


async def test_output_comes_although_a_background_program_goes_on(user: DesktopUser) -> None:
    done = await user.tool("shell.run", command="sleep 3212 & echo here")
    assert done == {"exit_code": 0, "output": "here\n"}
    (left,) = await user.tool("processes.list", containing="sleep 3212")
    await user.tool("processes.signal", pid=left["pid"], sign="KILL")
    await user.tool("shell.run", command=f"while kill -0 {left['pid']}; do sleep 0.02; done")
    assert await user.tool("processes.list", containing="sleep 3212") == []


async def test_a_program_goes_on_by_itself_until_it_is_killed(user: DesktopUser) -> None:
    started = await user.tool("processes.start", command=["sleep", "3213"])
    listed = await user.tool("processes.list", containing="sleep 3213")
    assert [item["pid"] for item in listed] == [started["pid"]]
    assert await user.tool("processes.kill", program="sleep") == {"killed": 1}
    with pytest.raises(ToolFailed, match="cannot be started"):
        await user.tool("processes.start", command=["no-such-program"])


async def test_the_desktops_own_processes_are_out_of_reach(user: DesktopUser) -> None:
    found = await user.tool("shell.run", command="pgrep -x openbox")
    assert found["output"].strip().isdecimal()
    with pytest.raises(ToolFailed) as refused:
        await user.tool("processes.signal", pid=int(found["output"]), sign="KILL")
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


async def test_commands_are_refused_where_the_host_does_not_allow_them() -> None:
    with desktop_box() as closed:
        async with desktop_user(closed) as user:
            for name, arguments in (
                ("shell.run", {"command": "id"}),
                ("python.run", {"code": "1"}),
                ("processes.start", {"command": ["id"]}),
            ):
                with pytest.raises(ToolFailed, match="--allow-shell") as refused:
                    await user.tool(name, **arguments)
                assert refused.value.error is ActionError.NOT_ALLOWED
