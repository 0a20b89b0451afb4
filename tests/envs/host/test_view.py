"""The live view of a real desktop: tokens, view-only, take-over and what is told of it, films."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest
from playwright.async_api import async_playwright

from envs.contract.actions import Click, Key, Launch, Target, Type
from envs.contract.session import HumanTakeover
from envs.desktop import takeover
from envs.desktop.takeover import Takeover
from tests.envs.desktop_box import NOTHING, Box, DesktopUser, desktop_box, desktop_user
from tests.envs.host.rfb_client import CONTROL, ENTER, viewer

desktop = pytest.mark.desktop


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture
async def user(box: Box) -> AsyncIterator[DesktopUser]:
    async with desktop_user(box) as desktop_of_box:
        yield desktop_of_box


@pytest.fixture
async def http(box: Box) -> AsyncIterator[aiohttp.ClientSession]:
    """A person's browser: it has no host token."""
    async with aiohttp.ClientSession(box.url, timeout=aiohttp.ClientTimeout(total=60)) as session:
        yield session


async def token(user: DesktopUser, http: aiohttp.ClientSession, control: bool) -> str:
    headers = {"Authorization": f"Bearer {user.box.token}"}
    body = {"control": control}
    async with http.post(f"{user.session.path}/view", json=body, headers=headers) as reply:
        granted = await reply.json()
    assert granted["url_path"].endswith(granted["token"])
    return str(granted["token"])


async def hold(http: aiohttp.ClientSession, token_text: str, held: bool) -> int:
    async with http.post(f"/view/control?token={token_text}", json={"held": held}) as reply:
        return reply.status


async def in_box(box: Box, http: aiohttp.ClientSession, command: str) -> str:
    headers = {"Authorization": f"Bearer {box.token}"}
    async with http.post("/run_bash_script", json={"script": command}, headers=headers) as reply:
        return str((await reply.json())["output"])


async def saved(user: DesktopUser, expected: str) -> str:
    """What the editor holds; saving takes it a moment."""
    await user.act(Key(keys=("ctrl", "s")))
    for _ in range(200):
        if (user.home / "note.txt").read_text() == expected:
            break
        await asyncio.sleep(0.05)
    return (user.home / "note.txt").read_text()


async def edit(user: DesktopUser) -> None:
    (user.home / "note.txt").write_text("")
    assert (await user.act(Launch(app="editor", args=("/home/user/note.txt",)))).ok


@desktop
async def test_without_a_token_there_is_nothing_to_see(
    user: DesktopUser, http: aiohttp.ClientSession
) -> None:
    async with http.post(f"{user.session.path}/view") as reply:
        assert reply.status == 401
    for token_text in ("", "wrong", user.box.token):
        for path in ("/view/", "/view/control"):
            async with http.get(path, params={"token": token_text}) as reply:
                assert reply.status == 401
        assert await hold(http, token_text, True) == 401
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await http.ws_connect("/view/ws", params={"token": token_text})
        assert refused.value.status == 403


@desktop
async def test_the_page_comes_with_all_it_needs(
    user: DesktopUser, http: aiohttp.ClientSession
) -> None:
    token_text = await token(user, http, False)
    for path in (f"/view/?token={token_text}", "/view/static/view.js", "/view/static/view.css",
                 "/view/novnc/core/rfb.js", f"/view/control?token={token_text}"):  # fmt: skip
        async with http.get(path) as reply:
            assert reply.status == 200, path
    async with http.get("/view/novnc/../../../etc/passwd") as reply:
        assert reply.status == 404


@desktop
@pytest.mark.parametrize("control", [False, True])
async def test_who_has_not_taken_over_changes_nothing(
    user: DesktopUser, http: aiohttp.ClientSession, control: bool
) -> None:
    await edit(user)
    token_text = await token(user, http, control)
    headers = {"Authorization": f"Bearer {user.box.token}"}
    async with http.get("/cursor_position", headers=headers) as reply:
        before = await reply.json()
    async with viewer(http, token_text) as person:
        if not control:
            assert await hold(http, token_text, True) == 403
        await person.click(300, 300)
        await person.type("not me")
        await person.cut_text("nor this")
        await person.pixels()
        async with http.get("/cursor_position", headers=headers) as reply:
            assert await reply.json() == before
    await user.act(Type(text="agent"))
    assert await saved(user, "agent") == "agent"


@desktop
async def test_what_a_person_did_is_done_and_told(
    user: DesktopUser, http: aiohttp.ClientSession
) -> None:
    await edit(user)
    token_text = await token(user, http, True)
    assert await hold(http, token_text, True) == 409
    async with viewer(http, token_text) as person:
        assert await hold(http, token_text, True) == 200
        other = await token(user, http, True)
        async with viewer(http, other):
            assert await hold(http, other, True) == 409
        await person.click(300, 300)
        await person.type("Typed here")
        await person.key(ENTER)
        await person.pixels()
        assert await hold(http, token_text, False) == 200
    reply = await user.session.step([Type(text="agent")], NOTHING)
    assert reply.person == (
        Click(target=Target(x=300, y=300)),
        Type(text="Typed here"),
        Key(keys=("enter",)),
    )
    assert reply.timings_ms["held"] > 0
    assert await saved(user, "Typed here\nagent") == "Typed here\nagent"
    assert (await user.session.step([Type(text=".")], NOTHING)).person == ()


@desktop
async def test_a_step_waits_until_the_person_hands_back(
    user: DesktopUser, http: aiohttp.ClientSession
) -> None:
    await edit(user)
    token_text = await token(user, http, True)
    async with viewer(http, token_text) as person:
        assert await hold(http, token_text, True) == 200
        step = asyncio.create_task(user.session.step([Type(text="agent")], NOTHING))
        await asyncio.sleep(21)  # longer than the host lets one request wait
        assert not step.done()
        await person.type("person ")
        await person.pixels()
        assert await hold(http, token_text, False) == 200
        assert (await step).person == (Type(text="person "),)
    assert await saved(user, "person agent") == "person agent"


@desktop
async def test_a_person_who_leaves_hands_back_and_lets_go(
    user: DesktopUser, http: aiohttp.ClientSession
) -> None:
    await edit(user)
    token_text = await token(user, http, True)
    async with viewer(http, token_text) as person:
        assert await hold(http, token_text, True) == 200
        await person.key(CONTROL, True)
        await person.pixels()
    await user.act(Type(text="plain"))
    assert await saved(user, "plain") == "plain"
    async with http.get(f"/view/control?token={token_text}") as reply:
        assert (await reply.json())["held"] is False


@desktop
async def test_a_view_lives_through_resets_and_ends_with_its_session(
    box: Box, http: aiohttp.ClientSession
) -> None:
    async with desktop_user(box) as user:
        token_text = await token(user, http, True)
        async with viewer(http, token_text) as person:
            await person.pixels()
            await user.reset()
            await user.act(Launch(app="editor"))
            await person.pixels()
            assert (await in_box(box, http, "pgrep -cx x11vnc")).strip() == "1"
            await user.session.close()
            message = await person.socket.receive(timeout=20)
            while message.type is aiohttp.WSMsgType.BINARY:
                message = await person.socket.receive(timeout=20)
            assert message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
    async with http.get(f"/view/?token={token_text}") as reply:
        assert reply.status == 401
    assert (await in_box(box, http, "pgrep -cx x11vnc")).strip() == "0"


@desktop
async def test_the_page_works_in_a_browser(user: DesktopUser, http: aiohttp.ClientSession) -> None:
    await edit(user)
    token_text = await token(user, http, True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        await page.goto(f"{user.box.url}/view/?token={token_text}")
        await page.get_by_text("Watching.", exact=True).wait_for()
        await page.get_by_role("button", name="Take over").click()
        await page.get_by_role("button", name="Hand back").wait_for()
        await page.mouse.click(640, 400)
        await page.keyboard.type("By hand")
        await wait_for_text(user, http, "By hand")
        await page.get_by_role("button", name="Hand back").click()
        await page.get_by_role("button", name="Take over").wait_for()
        reply = await user.session.step([Type(text=", by agent")], NOTHING)
        assert await saved(user, "By hand, by agent") == "By hand, by agent"
        await user.session.close()
        await page.get_by_text("This view has ended.", exact=True).wait_for()
        await browser.close()
    assert [type(action) for action in reply.person] == [Click, Type]


async def wait_for_text(user: DesktopUser, http: aiohttp.ClientSession, text: str) -> None:
    headers = {"Authorization": f"Bearer {user.box.token}"}
    async with asyncio.timeout(30):
        while True:
            async with http.get("/accessibility", headers=headers) as reply:
                if text in await reply.text():
                    return


@desktop
async def test_what_is_not_rfb_is_disconnected(
    user: DesktopUser, http: aiohttp.ClientSession
) -> None:
    token_text = await token(user, http, False)
    async with viewer(http, token_text) as person:
        await person.socket.send_bytes(b"\x07file transfer")
        message = await person.socket.receive(timeout=20)
        assert message.type is aiohttp.WSMsgType.CLOSE
        assert "message 7" in str(message.extra)


@desktop
async def test_a_film_of_a_session(
    user: DesktopUser, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    headers = {"Authorization": f"Bearer {user.box.token}"}
    path = f"{user.session.path}/recording"
    async with http.post(f"{path}/start") as reply:
        assert reply.status == 401
    async with http.post(f"{path}/stop", headers=headers) as reply:
        assert reply.status == 409
    async with http.post(f"{path}/start", headers=headers) as reply:
        assert reply.status == 200
    await user.reset()
    await user.act(Launch(app="editor"))
    async with http.post(f"{path}/stop", headers=headers) as reply:
        assert reply.content_type == "video/mp4"
        (tmp_path / "film.mp4").write_bytes(await reply.read())
    probe = [
        *("ffprobe", "-v", "error", "-count_frames", "-of", "json"),
        *("-show_entries", "stream=codec_name,nb_read_frames", str(tmp_path / "film.mp4")),
    ]
    output = await asyncio.to_thread(subprocess.check_output, probe, timeout=30)
    (stream,) = json.loads(output)["streams"]
    assert stream["codec_name"] == "h264"
    assert int(stream["nb_read_frames"]) > 1


async def test_a_takeover_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takeover, "MAX_HOLD_S", 0.3)
    held, person = Takeover(), object()
    assert held.take(person)
    assert not held.take(object())
    with pytest.raises(HumanTakeover):
        await held.wait(0.01)
    await held.wait(20)
    assert not held.held_by(person)
    assert held.take_record()[1] > 0
