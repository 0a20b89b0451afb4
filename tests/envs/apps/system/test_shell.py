"""Commands on a real desktop."""

from __future__ import annotations

import pytest

from envs.contract.actions import ActionError
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
