"""Office tools on missing or closed documents, and on an office that hangs, crashes or waits."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest

from envs.contract.actions import Key
from envs.contract.observations import Observe, ScreenshotRequest
from envs.contract.task import Task
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop

BOOK = "/home/user/Documents/book.xlsx"

EMPTY = Task(id="empty", instruction="x", env="desktop")
CALC = Task(
    id="calc",
    instruction="x",
    env="desktop",
    config=[
        {"type": "workbook", "parameters": {"path": BOOK, "sheets": {"Data": [["a", 1]]}}},
        {"type": "open", "parameters": {"path": BOOK}},
    ],
)


async def test_a_tool_without_its_document_says_what_to_do(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match="open one first"):
        await user.tool("calc.set_cell", cell="A1", value=1)
    await user.reset(CALC)
    with pytest.raises(ToolFailed, match=r"no writer document is open; open: book\.xlsx"):
        await user.tool("writer.info")
    with pytest.raises(ToolFailed, match="there is no file"):
        await user.tool("office.open", path="/home/user/nothing.xlsx")
    with pytest.raises(ToolFailed, match="Data"):
        await user.tool("calc.set_cell", cell="Nowhere.A1", value=1)
    await user.tool("calc.set_cell", cell="B2", value=5)


async def test_a_tool_on_a_closed_document_is_told_so(user: DesktopUser) -> None:
    await user.reset(CALC)
    await user.tool("office.close", path=BOOK)
    with pytest.raises(ToolFailed, match=r"no calc document is open|open one first"):
        await user.tool("calc.info")


async def test_an_office_that_hangs_is_an_error_within_ten_seconds(user: DesktopUser) -> None:
    await user.reset(CALC)
    await user.tool("calc.info")
    ran = await user.tool("shell.run", command="pgrep -x soffice.bin")
    words = ran["output"].split()
    await user.tool("shell.run", command=f"kill -STOP {words[0]}")
    started = time.monotonic()
    with pytest.raises(ToolFailed, match="did not answer"):
        await user.tool("calc.info")
    assert time.monotonic() - started < 20
    reply = await user.session.step([], Observe(tree_chars=500, screenshot=ScreenshotRequest()))
    assert reply.observation.screenshot is not None
    await user.tool("shell.run", command=f"kill -CONT {words[0]}")
    await asyncio.sleep(0.5)
    assert (await user.tool("calc.info"))["sheets"]


async def test_an_office_that_crashes_leaves_the_session_usable(user: DesktopUser) -> None:
    await user.reset(CALC)
    await user.tool("calc.info")
    await user.tool("shell.run", command="kill -KILL $(pgrep -x soffice.bin)")
    with pytest.raises(ToolFailed):
        await user.tool("calc.info")
    await user.tool("office.open", path=BOOK)
    assert (await user.tool("calc.read_range", range="A1:B1")) is not None


async def test_the_python_inside_the_office_takes_no_modules_from_the_home_folder(
    user: DesktopUser,
) -> None:
    lie = "open('/home/user/ran', 'w').close()"
    site = "$HOME/.local/lib/$(ls /usr/lib | grep -x 'python3\\.[0-9]*')/site-packages"
    paths = f'"{site}/usercustomize.py" "{site}/envs.py" $HOME/envs.py $HOME/Documents/json.py'
    command = f'mkdir -p "{site}"; for path in {paths}; do echo "{lie}" > "$path"; done; ls {paths}'
    await user.reset(EMPTY)
    await user.tool("shell.run", command=command)
    await user.tool("office.new", kind="calc", path="made.xlsx")
    await user.tool("calc.set_cell", cell="A1", value=1)
    listed = await user.tool("shell.run", command="ls /home/user")
    assert "made.xlsx" in listed["output"].split()
    assert "ran" not in listed["output"].split()


@pytest.mark.parametrize("variable", ["PYTHONPATH", "PYTHONHOME"])
async def test_tools_work_in_an_office_that_a_program_with_its_own_python_started(
    user: DesktopUser, variable: str
) -> None:
    await user.reset(EMPTY)
    command = f"""mkdir own; echo 'raise ImportError("of another")' > own/unohelper.py
    {variable}=$HOME/own setsid localc >/dev/null 2>&1 &
    until pgrep -x soffice.bin; do sleep 0.1; done"""
    await user.tool("shell.run", command=command)
    async with asyncio.timeout(30):
        while not await user.tool("office.list_documents"):
            await asyncio.sleep(0.1)
    assert (await user.tool("calc.info"))["sheets"]


async def test_tools_work_while_a_modal_dialog_is_open(user: DesktopUser) -> None:
    await user.reset(CALC)
    await user.see(Key(keys=("ctrl", "shift", "s")))
    with contextlib.suppress(ToolFailed):
        await user.tool("calc.info")
    assert "window" in await user.see(Key(keys=("escape",)))
    await user.tool("calc.set_cell", cell="B2", value=5)
