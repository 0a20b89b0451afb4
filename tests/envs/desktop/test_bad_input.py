"""What goes wrong is an error the policy can read, and the session goes on."""

from __future__ import annotations

import asyncio
import contextlib
import time

import aiohttp
import pytest
from pydantic import ValidationError

from envs.actions import ActionError, Click, Drag, Key, Launch, Target, Tool, Type, Window
from envs.observations import Observe, ScreenshotRequest
from envs.outcomes import EpisodeFault
from envs.tasks import Task
from tests.envs.desktop_box import NOTHING, Box, DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop
BOOK = "/home/user/Documents/book.xlsx"
CALC = Task(
    id="calc",
    instruction="x",
    env="desktop",
    config=[
        {"type": "workbook", "parameters": {"path": BOOK, "sheets": {"Data": [["a", 1]]}}},
        {"type": "open", "parameters": {"path": BOOK}},
    ],
)


async def test_absurd_coordinates_are_refused_with_the_screen_s_size(user: DesktopUser) -> None:
    result = await user.act(Click(target=Target(x=1e9, y=-5)))
    assert result.error is ActionError.BAD_VALUE
    assert "1280 x 720" in result.message
    path = (Target(x=1, y=1), Target(x=99_999, y=1))
    assert (await user.act(Drag(path=path))).error is ActionError.BAD_VALUE


def test_a_megabyte_of_text_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ValidationError, match="at most 20000"):
        Type(text="x" * 1_000_000)


async def test_a_megabyte_of_text_is_refused_by_the_host(user: DesktopUser) -> None:
    body = {"actions": [{"type": "type", "text": "x" * 1_000_000}]}
    url = f"{user.box.url}{user.session.path}/step"
    headers = {"Authorization": f"Bearer {user.box.token}"}
    async with aiohttp.ClientSession() as http, http.post(url, json=body, headers=headers) as reply:
        assert reply.status == 422
        assert "20000" in (await reply.json())["detail"]


@pytest.mark.parametrize("token", ["", "Bearer wrong"])
async def test_a_wrong_or_missing_token_is_refused(box: Box, token: str) -> None:
    async with aiohttp.ClientSession() as http:
        for path in ("/v1/sessions", "/v1/tools", "/v1/schema"):
            method = "POST" if path.endswith("sessions") else "GET"
            async with http.request(
                method, box.url + path, headers={"Authorization": token}
            ) as reply:
                assert reply.status == 401


async def test_unknown_keys_windows_tools_and_applications_are_named(user: DesktopUser) -> None:
    assert "no key 'hyper'" in (await user.act(Key(keys=("hyper",)))).message
    assert "no window 'Nope'" in (await user.act(Window(op="focus", window="Nope"))).message
    assert (await user.act(Tool(name="calc.fly"))).error is ActionError.UNKNOWN_TOOL
    assert "there are: calc" in (await user.act(Launch(app="minesweeper"))).message


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
    found = ran["output"].split()
    await user.tool("shell.run", command=f"kill -STOP {found[0]}")
    started = time.monotonic()
    with pytest.raises(ToolFailed, match="did not answer"):
        await user.tool("calc.info")
    assert time.monotonic() - started < 20
    reply = await user.session.step([], Observe(tree_chars=500, screenshot=ScreenshotRequest()))
    assert reply.observation.screenshot is not None
    await user.tool("shell.run", command=f"kill -CONT {found[0]}")
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


async def test_tools_work_while_a_modal_dialog_is_open(user: DesktopUser) -> None:
    await user.reset(CALC)
    await user.see(Key(keys=("ctrl", "shift", "s")))
    with contextlib.suppress(ToolFailed):
        await user.tool("calc.info")
    assert "window" in await user.see(Key(keys=("escape",)))
    await user.tool("calc.set_cell", cell="B2", value=5)


async def test_a_setup_step_that_fails_is_a_fault_that_names_it(user: DesktopUser) -> None:
    bad = Task(
        id="bad", instruction="x", env="desktop",
        config=[{"type": "open", "parameters": {"path": "/home/user/missing.odt"}}],
    )  # fmt: skip
    with pytest.raises(EpisodeFault, match=r"setup step 1 \(open\): .*missing\.odt"):
        await user.session.reset(bad, NOTHING)
    await user.reset()


async def test_a_second_session_waits_for_the_first(user: DesktopUser) -> None:
    headers = {"Authorization": f"Bearer {user.box.token}"}
    url = f"{user.box.url}/v1/sessions"
    async with aiohttp.ClientSession() as http, http.post(url, json={}, headers=headers) as reply:
        assert reply.status == 503
        assert reply.headers["Retry-After"]
