"""OSWorld's interface on real desktops: who may call, what runs once, what is refused and why."""

from __future__ import annotations

import asyncio
import io
import os
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import aiohttp
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from envs.desktop.a11y import Address, Node
from envs.desktop.tree_xml import NAMESPACES, to_xml
from envs.host.osworld import CALLS
from envs.host.osworld_files import MAX_FILE
from tests.envs.desktop_box import Box, desktop_box

desktop = pytest.mark.desktop
SHOWN = frozenset({"showing", "visible"})


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture(scope="module")
def open_box() -> Iterator[Box]:
    """No token, no shell."""
    with desktop_box("--no-token") as started:
        yield started


@pytest.fixture
async def http(box: Box) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {box.token}"}
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(box.url, headers=headers, timeout=timeout) as session:
        yield session


async def post(http: aiohttp.ClientSession, path: str, body: Any) -> tuple[int, Any]:
    async with http.post(path, json=body) as reply:
        content = await reply.read()
        return reply.status, orjson.loads(content) if content[:1] in b"{[" else content.decode()


async def run(http: aiohttp.ClientSession, script: str, **more: Any) -> Any:
    status, reply = await post(http, "/run_bash_script", {"script": script, **more})
    assert status == 200
    return reply


@desktop
async def test_every_call_wants_the_token(box: Box) -> None:
    async with aiohttp.ClientSession(box.url, headers={"Authorization": "Bearer no"}) as http:
        for call in CALLS:
            for path in call.paths:
                async with http.request(call.method, path) as reply:
                    assert reply.status == 401, path


@desktop
async def test_commands_need_a_host_that_allows_a_shell(open_box: Box) -> None:
    shell = [path for call in CALLS if call.shell for path in call.paths]
    assert len(shell) == 7
    async with aiohttp.ClientSession(open_box.url) as http:
        for path in shell:
            status, reply = await post(http, path, {"command": ["touch", "/home/user/ran"]})
            assert status == 403
            assert "--allow-shell" in reply["error"]
        async with http.get("/screenshot") as reply:
            assert reply.status == 200
    assert not (open_box.home / "ran").exists()


@desktop
@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Host": "evil.example"},
                {"Sec-Fetch-Site": "cross-site"}],
)  # fmt: skip
async def test_an_open_host_answers_no_web_page(open_box: Box, headers: dict[str, str]) -> None:
    async with (
        aiohttp.ClientSession(open_box.url) as http,
        http.get("/screenshot", headers=headers) as reply,
    ):
        assert reply.status == 403


@desktop
async def test_a_command_that_fails_is_answered(http: aiohttp.ClientSession) -> None:
    status, reply = await post(http, "/execute", {"command": "echo out; exit 7", "shell": True})
    assert (status, reply["returncode"], reply["output"]) == (200, 7, "out\n")
    for command in (["no-such-program"], "open 'quote", []):
        status, reply = await post(http, "/execute", {"command": command})
        assert (status, reply["status"], reply["returncode"]) == (200, "error", -1)
        assert reply["message"]
    status, reply = await post(http, "/execute", {"shell": True})
    assert status == 400
    assert "command" in reply["message"]


@desktop
async def test_a_script_is_killed_at_its_time(http: aiohttp.ClientSession, box: Box) -> None:
    reply = await run(http, "sleep 543 & echo $! > ~/pid; sleep 543", timeout=0.5)
    assert (reply["status"], reply["returncode"]) == ("error", -1)
    assert "timed out after 0.5" in reply["error"]
    reply = await run(http, "pgrep -fx 'sleep 543' || echo none")
    assert reply["output"] == "none\n"


@desktop
async def test_a_working_folder_that_is_not_there_is_named(http: aiohttp.ClientSession) -> None:
    reply = await run(http, "pwd", working_dir="~/Documents")
    assert reply["output"] == "/home/user/Documents\n"
    reply = await run(http, "pwd", working_dir="/nowhere")
    assert "/nowhere" in reply["error"]


@desktop
async def test_a_call_sent_again_after_its_connection_broke_runs_once(
    http: aiohttp.ClientSession, box: Box
) -> None:
    script = "echo started >> ~/once; until [ -e ~/go ]; do sleep 0.05; done; echo ended"
    body = orjson.dumps({"script": script})
    head = (f"POST /run_bash_script HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
            f"Authorization: Bearer {box.token}\r\n\r\n")  # fmt: skip
    with socket.create_connection(("127.0.0.1", int(box.url.rpartition(":")[2])), 10) as broken:
        broken.sendall(head.encode() + body)
        await until((box.home / "once").exists)
    again = asyncio.create_task(http.post("/run_bash_script", data=body))
    (box.home / "go").touch()
    async with await again as reply:
        assert (await reply.json())["output"] == "ended\n"
    assert (box.home / "once").read_text() == "started\n"
    async with http.post("/run_bash_script", data=body) as reply:
        assert reply.status == 200
    assert (box.home / "once").read_text() == "started\nstarted\n"


async def until(ready: Any) -> None:
    async with asyncio.timeout(20):
        while not ready():
            await asyncio.sleep(0.02)


@desktop
async def test_the_same_call_twice_runs_twice(http: aiohttp.ClientSession, box: Box) -> None:
    body = {"command": "echo x >> ~/twice", "shell": True}
    await asyncio.gather(*(post(http, "/execute", body) for _ in range(3)))
    assert (box.home / "twice").read_text() == "x\nx\nx\n"


@desktop
async def test_verification_waits_for_what_must_come_true(http: aiohttp.ClientSession) -> None:
    body: dict[str, Any] = {
        "command": "rm -f ~/late; (sleep 0.3; touch ~/late) >/dev/null 2>&1 &",
        "shell": True,
        "verification": {"command_success": "test -e ~/late"},
        "check_interval": 0.1,
    }
    status, reply = await post(http, "/setup/execute_with_verification", body)
    assert (status, reply["status"], reply["verification"]) == (200, "success", "passed")
    body |= {"verification": {"window_exists": "No such window"}, "max_wait_time": 0.3}
    status, reply = await post(http, "/execute_with_verification", body)
    assert (status, reply["status"]) == (200, "verification_failed")


@desktop
async def test_pictures_for_many_at_once_show_the_pointer(http: aiohttp.ClientSession) -> None:
    async def picture() -> Image.Image:
        async with http.get("/screenshot") as reply:
            assert reply.content_type == "image/png"
            return Image.open(io.BytesIO(await reply.read())).convert("RGB")

    pictures = []
    for x, y in ((200, 200), (900, 500)):
        move = f"import pyautogui; pyautogui.moveTo({x}, {y})"
        await post(http, "/execute", {"command": ["python", "-c", move]})
        async with http.get("/cursor_position") as reply:
            assert await reply.json() == [x, y]
        pictures.append((await asyncio.gather(*(picture() for _ in range(4))))[0])
    left, top, right, bottom = ImageChops.difference(*pictures).getbbox() or (0, 0, 0, 0)
    assert abs(left - 200) < 20
    assert abs(top - 200) < 20
    assert abs(right - 900) < 40
    assert abs(bottom - 500) < 40


async def upload(http: aiohttp.ClientSession, path: str, data: Any) -> tuple[int, str]:
    form = aiohttp.FormData()
    form.add_field("file_path", path)
    form.add_field("file_data", data, filename="data")
    async with http.post("/setup/upload", data=form) as reply:
        return reply.status, await reply.text()


@desktop
async def test_an_upload_lands_whole(http: aiohttp.ClientSession, box: Box) -> None:
    content = os.urandom(3_000_000)
    assert (await upload(http, "~/new/folder/file.bin", io.BytesIO(content)))[0] == 200
    assert (box.home / "new/folder/file.bin").read_bytes() == content
    async with http.post("/file", data={"file_path": "/home/user/new/folder/file.bin"}) as reply:
        assert await reply.read() == content
    assert [file.name for file in (box.home / "new/folder").iterdir()] == ["file.bin"]


@desktop
async def test_an_upload_over_the_limit_is_refused(
    http: aiohttp.ClientSession, box: Box, tmp_path: Path
) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MAX_FILE + 200_000)
    with large.open("rb") as file:
        status, said = await upload(http, "~/large", file)
    assert status == 413
    assert str(MAX_FILE) in said
    assert not (box.home / "large").exists()


@desktop
async def test_files_outside_the_named_folders_are_refused(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "way-out").symlink_to("/var")
    (box.home / "Documents" / "secret").symlink_to("/proc/self/environ")
    for path in ("/etc/new", "/run/deskhand/x", "~/../../var/x", "~/way-out/x", "../../dev/shm/x"):
        status, said = await upload(http, path, b"x")
        assert (status, "outside" in said) == (403, True), path
    for path in ("/proc/self/environ", "/run/deskhand/host.sock", "~/Documents/secret"):
        async with http.post("/file", data={"file_path": path}) as reply:
            assert reply.status == 403, path
    status, _ = await post(http, "/list_directory", {"path": "/proc"})
    assert status == 403


@desktop
async def test_only_files_are_sent(http: aiohttp.ClientSession, box: Box) -> None:
    os.mkfifo(box.home / "pipe")
    for path in ("/home/user/pipe", "/home/user", "/home/user/none", "/dev/null", ""):
        async with http.post("/file", data={"file_path": path}) as reply:
            assert reply.status in (403, 404), path
            assert (await reply.json())["error"]


@desktop
async def test_downloads_come_from_the_network_of_the_box(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "Public" / "data.txt").write_text("payload")
    await run(http, "cd ~/Public && nohup python -m http.server 8765 >/dev/null 2>&1 &")
    source = "http://127.0.0.1:8765"
    await run(http, f"until curl -s {source} > /dev/null; do sleep 0.1; done", timeout=20)
    body = {"url": f"{source}/data.txt", "path": "/home/user/Downloads/data.txt"}
    assert (await post(http, "/setup/download_file", body))[0] == 200
    assert (box.home / "Downloads" / "data.txt").read_text() == "payload"
    for url, expected in ((f"{source}/none", 502), ("file:///etc/passwd", 400)):
        status, _ = await post(http, "/setup/download_file", {**body, "url": url})
        assert status == expected
    assert [file.name for file in (box.home / "Downloads").iterdir()] == ["data.txt"]


@desktop
async def test_windows_that_do_not_do_as_asked_are_failures(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "Documents" / "plan.txt").write_text("plan")
    for body, expected in (({"path": "~/Documents/plan.txt"}, 200), ({"path": "~/none"}, 404)):
        assert (await post(http, "/setup/open_file", body))[0] == expected
    for call in ("activate_window", "close_window"):
        status, reply = await post(http, f"/setup/{call}", {"window_name": "Gimp"})
        assert status == 404
        assert "plan.txt" in reply["message"]
    window = {"window_name": "mousepad.Mousepad", "strict": True, "by_class": True}
    assert (await post(http, "/setup/activate_window", window))[0] == 200
    typing = "import pyautogui; pyautogui.write('more')"
    await post(http, "/execute", {"command": ["python", "-c", typing]})
    status, reply = await post(http, "/setup/close_window", window)
    assert status == 500
    assert "still open" in reply["message"]
    leaving = "import pyautogui; pyautogui.press('esc'); pyautogui.hotkey('ctrl', 's')"
    await post(http, "/execute", {"command": ["python", "-c", leaving]})
    assert (await post(http, "/setup/close_window", window))[0] == 200


@desktop
async def test_the_tree_names_cells_and_menus_of_a_sheet(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "Documents" / "sums.csv").write_text("name,amount\nAda,12\n")
    await post(http, "/setup/launch", {"command": ["localc", "~/Documents/sums.csv"]})
    tree = ElementTree.Element("none")
    async with asyncio.timeout(60):
        while not tree.findall(".//table-cell"):
            await post(http, "/execute", {"command": ["python", "-c", PRESS_ENTER]})
            async with http.get("/accessibility") as reply:
                tree = ElementTree.fromstring((await reply.json())["AT"])
    assert tree.tag == "desktop-frame"
    cells = {cell.get("name"): cell.text for cell in tree.iter("table-cell")}
    assert (cells["A2"], cells["B2"]) == ("Ada", "12")
    (frame,) = tree.findall("application[@name='soffice']/frame[@st:active='true']", NAMESPACES)
    menus = frame.findall(".//menu-bar/menu[@name='File'][@st:showing='true']", NAMESPACES)
    assert {menu.get(f"{{{NAMESPACES['cp']}}}size", "")[:1] for menu in menus} == {"("}


PRESS_ENTER = (
    "import pyautogui, subprocess as s\n"
    "if 'Text Import' in s.run(['wmctrl', '-l'], capture_output=True, text=True).stdout:\n"
    "    pyautogui.press('enter')"
)


@desktop
async def test_a_film_without_a_beginning_is_an_error(http: aiohttp.ClientSession) -> None:
    status, reply = await post(http, "/end_recording", {})
    assert (status, reply["message"]) == (400, "nothing is being recorded")


@given(name=st.text(), text=st.text(), role=st.text())
def test_the_xml_is_well_formed_whatever_programs_say(name: str, text: str, role: str) -> None:
    node = Node(Address(":1.1", "/x"), role, SHOWN, name, text)
    root = ElementTree.fromstring(ElementTree.tostring(to_xml(node, {})))
    assert root.get(f"{{{NAMESPACES['st']}}}showing") == "true"
