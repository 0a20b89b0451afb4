"""What the box around a browser shows and hides: files, variables, ports, rights.

The commands here go to the browser itself, past everything that a session refuses.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from envs.browser import box
from envs.browser.chromium import FLAGS, find_binary
from envs.browser.page import Page
from envs.browser.process import BrowserProcess
from envs.io.cdp import CdpConnection

pytestmark = pytest.mark.browser
in_module_loop = pytest.mark.asyncio(loop_scope="module")

SECRET = "a secret of this machine"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def free() -> AsyncIterator[BrowserProcess]:
    browser = await BrowserProcess.start(find_binary(), FLAGS, (), kind="none")
    yield browser
    await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def boxed() -> AsyncIterator[BrowserProcess]:
    browser = await BrowserProcess.start(find_binary(), FLAGS, (), kind="bubblewrap")
    yield browser
    await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def confined() -> AsyncIterator[BrowserProcess]:
    """As in a container: under Landlock, without namespaces."""
    browser = await BrowserProcess.start(find_binary(), FLAGS, (), kind="landlock")
    yield browser
    await browser.close()


async def open_tab(connection: CdpConnection) -> Page:
    created = await connection.call("Target.createBrowserContext", {"disposeOnDetach": True})
    return await Page.open(connection, created["browserContextId"], 800, 600)


async def read(browser: BrowserProcess, url: str) -> str:
    """The text of any address, by the browser's own command: a session's page would leave it."""
    connection = browser.connection
    made = await connection.call("Target.createTarget", {"url": "about:blank"})
    attached = await connection.call("Target.attachToTarget", {**made, "flatten": True})
    session, loaded = attached["sessionId"], asyncio.Event()

    def listen(method: str, params: dict[str, object]) -> None:
        if method == "Page.loadEventFired":
            loaded.set()

    connection.on_events(session, listen)
    await connection.call("Page.enable", session=session)
    opened = await connection.call("Page.navigate", {"url": url}, session)
    if "errorText" in opened:
        return str(opened["errorText"])
    await asyncio.wait_for(loaded.wait(), 30)
    script = "document.documentElement.innerText"
    reply = await connection.call("Runtime.evaluate", {"expression": script}, session)
    await connection.call("Target.closeTarget", made)
    return str(reply["result"]["value"])


@pytest.mark.parametrize("prefix", ["file://", "view-source:file://"])
@in_module_loop
async def test_no_file_of_this_machine_is_shown(
    free: BrowserProcess,
    boxed: BrowserProcess,
    confined: BrowserProcess,
    tmp_path: Path,
    prefix: str,
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    assert SECRET in await read(free, f"{prefix}{secret}")
    assert SECRET not in await read(boxed, f"{prefix}{secret}")
    assert SECRET not in await read(confined, f"{prefix}{secret}")


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/hosts", "/etc/ssh", "/etc/shadow"])
@in_module_loop
async def test_folders_of_this_machine_are_not_there(
    boxed: BrowserProcess, confined: BrowserProcess, path: str
) -> None:
    assert "ERR_FILE_NOT_FOUND" in await read(boxed, f"file://{path}")
    shown = await read(confined, f"file://{path}")
    assert "ERR_ACCESS_DENIED" in shown or not shown, "folders have empty lists"


@in_module_loop
async def test_a_file_cannot_be_handed_to_a_page(
    free: BrowserProcess, boxed: BrowserProcess, confined: BrowserProcess, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    contents = [await chosen_file(browser, secret) for browser in (free, boxed, confined)]
    assert contents[0] == SECRET
    assert SECRET not in contents[1:]


async def chosen_file(browser: BrowserProcess, path: Path) -> str:
    """What a page reads of a file that its file field was given."""
    page = await open_tab(browser.connection)
    await page.run("void (document.body.innerHTML = '<input type=file>')")
    root = await page.call("DOM.getDocument")
    field = await page.call(
        "DOM.querySelector", {"nodeId": root["root"]["nodeId"], "selector": "input"}
    )
    await page.call("DOM.setFileInputFiles", {"files": [str(path)], "nodeId": field["nodeId"]})
    script = "document.querySelector('input').files[0].text().catch((error) => error.name)"
    text: str = await page.run(script)
    await page.close()
    return text


@in_module_loop
async def test_a_download_writes_nothing_on_this_machine(
    free: BrowserProcess, boxed: BrowserProcess, confined: BrowserProcess, tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("free", "boxed", "confined")]
    for folder, browser in zip(folders, (free, boxed, confined), strict=True):
        folder.mkdir()
        await download(browser.connection, folder)
    assert [file.read_text() for file in folders[0].iterdir()] == ["kept"]
    assert not [file for folder in folders[1:] for file in folder.iterdir()]


async def download(connection: CdpConnection, folder: Path) -> None:
    """Has a page download a file, and waits until the browser is done with it."""
    done = asyncio.Event()

    def listen(method: str, params: dict[str, object]) -> None:
        if method == "Browser.downloadProgress" and params["state"] != "inProgress":
            done.set()

    connection.on_events("", listen)
    made = await connection.call("Target.createBrowserContext", {"disposeOnDetach": True})
    allowed = {"behavior": "allow", "downloadPath": str(folder), "eventsEnabled": True}
    await connection.call("Browser.setDownloadBehavior", {**made, **allowed})
    page = await Page.open(connection, made["browserContextId"], 800, 600)
    await page.run(
        "void Object.assign(document.createElement('a'),"
        " {download: 'a.txt', href: URL.createObjectURL(new Blob(['kept']))}).click()"
    )
    await asyncio.wait_for(done.wait(), 30)
    connection.on_events("", None)
    await page.close()


def processes(browser: BrowserProcess) -> list[psutil.Process]:
    assert browser._process is not None
    first = psutil.Process(browser._process.pid)
    return [first, *first.children(recursive=True)]


def status_of(process: psutil.Process) -> dict[str, str]:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


@in_module_loop
async def test_the_browser_listens_on_no_port(
    free: BrowserProcess, boxed: BrowserProcess, confined: BrowserProcess
) -> None:
    for browser in (free, boxed, confined):
        for process in processes(browser):
            assert not [
                connection
                for connection in process.net_connections("tcp")
                if connection.status == psutil.CONN_LISTEN
            ]


@in_module_loop
async def test_what_runs_in_the_box_has_no_rights_and_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DESKHAND_HOST_TOKEN", SECRET)
    browser = await BrowserProcess.start(find_binary(), FLAGS, (), kind="bubblewrap")
    try:
        page = await open_tab(browser.connection)
        monitor, *inside = processes(browser)
        assert any("--type=renderer" in process.cmdline() for process in inside)
        for process in inside:
            folder = Path(f"/proc/{process.pid}")
            assert (folder / "ns/net").stat().st_ino != Path("/proc/self/ns/net").stat().st_ino
            assert status_of(process)["NoNewPrivs"] == "1"
        for process in (monitor, *inside):
            assert SECRET.encode() not in Path(f"/proc/{process.pid}/environ").read_bytes()
        await page.close()
    finally:
        await browser.close()


@in_module_loop
async def test_what_landlock_confines_has_no_rights_and_filtered_calls(
    confined: BrowserProcess,
) -> None:
    page = await open_tab(confined.connection)
    for process in processes(confined):
        status = status_of(process)
        assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    await page.close()


@in_module_loop
async def test_renderers_are_in_chromiums_own_sandbox_too(boxed: BrowserProcess) -> None:
    if not box.can_nest():
        pytest.skip("namespaces cannot be nested here")
    page = await open_tab(boxed.connection)
    renderers = [p for p in processes(boxed) if "--type=renderer" in p.cmdline()]
    assert renderers
    assert {status_of(process)["Seccomp"] for process in renderers} == {"2"}
    await page.close()


def refused(**environ: str) -> str:
    """What a host says that cannot start its browser."""
    script = "from envs.browser.box import *; check_box(chosen_box()); print('started')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_without_a_box_no_browser_starts_unless_told_so() -> None:
    assert "DESKHAND_BROWSER_BOX=none" in refused(PATH="/no/such/folder")
    assert "DESKHAND_BROWSER_BOX=landlock in a container" in refused(PATH="/no/such/folder")
    for kind in ("none", "landlock"):
        assert refused(PATH="/no/such/folder", DESKHAND_BROWSER_BOX=kind) == "started\n"
    refusal = "DESKHAND_BROWSER_BOX='off': Input should be 'bubblewrap', 'landlock' or 'none'"
    assert refusal in refused(DESKHAND_BROWSER_BOX="off")
