"""OSWorld's file calls on a real desktop."""

from __future__ import annotations

import io
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
from PIL import Image

from envs.host.osworld_files import MAX_FILE
from tests.envs.desktop_box import Box, desktop_box

desktop = pytest.mark.desktop


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
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
async def test_a_file_is_sent_for_either_kind_of_form(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "Documents" / "form.txt").write_text("content")
    with aiohttp.MultipartWriter("form-data") as form:
        part = form.append("/home/user/Documents/form.txt")
        part.set_content_disposition("form-data", name="file_path")
    for data in ({"file_path": "/home/user/Documents/form.txt"}, form):
        async with http.post("/file", data=data) as reply:
            assert (reply.status, await reply.read()) == (200, b"content")
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    async with http.post("/file", data=b"no form", headers=broken) as reply:
        assert reply.status in (400, 403, 404)


@desktop
async def test_before_a_wallpaper_is_set_it_is_what_the_screen_shows(
    http: aiohttp.ClientSession,
) -> None:
    await run(http, "gsettings reset org.gnome.desktop.background picture-uri")
    async with http.post("/wallpaper") as reply:
        assert reply.status == 200
        assert Image.open(io.BytesIO(await reply.read())).size == (1280, 720)


@desktop
async def test_an_upload_over_the_limit_is_refused(
    http: aiohttp.ClientSession, box: Box, tmp_path: Path
) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MAX_FILE + 200_000)
    with large.open("rb") as file:
        status, message = await upload(http, "~/large", file)
    assert status == 413
    assert str(MAX_FILE) in message
    assert not (box.home / "large").exists()


@desktop
async def test_files_outside_the_named_folders_are_refused(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "way-out").symlink_to("/var")
    (box.home / "Documents" / "secret").symlink_to("/proc/self/environ")
    for path in ("/etc/new", "/run/deskhand/x", "~/../../var/x", "~/way-out/x", "../../dev/shm/x"):
        status, message = await upload(http, path, b"x")
        assert (status, "outside" in message) == (403, True), path
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
