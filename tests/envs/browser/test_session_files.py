"""Files of a browser session: given to pages by its agent, downloaded from them, and gone with the
task."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial

import pytest
import pytest_asyncio
from aiohttp import web

from envs.browser import session_files
from envs.browser.chromium import Browsers
from envs.browser.egress import EgressProxy
from envs.browser.session import BrowserSession
from envs.browser.web_browser import WebBrowser
from envs.contract.actions import ActionError
from envs.contract.files import FileInfo, FileRefused, NoSuchFile
from envs.contract.observations import Observe
from envs.contract.secret import Secret
from envs.contract.task import Task
from tests.envs.browser.site import Visitor
from tests.http_server import serving

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]
SITE, EVIL = "127.0.0.2", "127.0.0.3"
PAGE = """<!doctype html><title>Files</title>
<button onclick="one.click()">Attach</button><input type=file id=one hidden>
<label>Many <input type=file id=many multiple></label>
<a href=/report>Report</a> <a href=/report>Report again</a> <a href=/endless>Endless</a>
<a href=/secret>Secret</a> <a href="http://evil.test:EVIL/report">Evil</a>
<a id=made download=table.csv>Table</a><p id=log></p>
<script>
  made.href = URL.createObjectURL(new Blob(['a,b']));
  for (const field of [one, many]) field.onchange = async () => {
    const read = async (file) => file.name + '=' + await file.text();
    const texts = await Promise.all([...field.files].map(read));
    log.textContent = texts.join('; ') + '.'; };
</script>"""


class Sites:
    """One that tasks may reach, and one that they may not."""

    def __init__(self) -> None:
        self.port = self.evil_port = 0
        self.evil_heard = 0

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        return [SITE if host.endswith("shop.test") else EVIL]

    async def show(self, request: web.Request) -> web.Response:
        return web.Response(
            text=PAGE.replace("EVIL", str(self.evil_port)), content_type="text/html"
        )

    async def report(self, request: web.Request) -> web.Response:
        self.evil_heard += request.host.startswith("evil")
        shown = {"Content-Disposition": 'attachment; filename="../../report.txt"'}
        return web.Response(body=b"figures", headers=shown)

    async def secret(self, request: web.Request) -> web.Response:
        shown = {"Content-Disposition": 'attachment; filename="login.txt"'}
        return web.Response(body="user, Correct-Horse-9".encode("utf-16-le"), headers=shown)

    async def endless(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Disposition": "attachment; filename=big"})
        await answer.prepare(request)
        with_room = bytes(2**16)
        while True:
            await answer.write(with_room)
            await asyncio.sleep(0.001)

    def make_app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/", self.show)
        app.router.add_get("/report", self.report)
        app.router.add_get("/secret", self.secret)
        app.router.add_get("/endless", self.endless)
        return app

    def make_task(self) -> Task:
        domain = f"shop.test:{self.port}"
        start = f"http://{domain}/"
        return Task(id="f", instruction="x", start_url=start, allow=(domain,), keep_files=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sites() -> AsyncIterator[Sites]:
    made, runners = Sites(), []
    for address in (SITE, EVIL):
        runner = web.AppRunner(made.make_app(), shutdown_timeout=0.5)
        await runner.setup()
        await web.TCPSite(runner, address, 0).start()
        runners.append(runner)
    made.port, made.evil_port = (runner.addresses[0][1] for runner in runners)
    yield made
    for runner in runners:
        await runner.cleanup()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def visitor(sites: Sites) -> AsyncIterator[Visitor]:
    browsers = Browsers()
    proxy = EgressProxy(sites.resolve, lambda address: address in (SITE, EVIL))
    session = BrowserSession(browsers, None, partial(WebBrowser.open, proxy=proxy))
    yield Visitor(session, "")
    await session.close()
    await browsers.close()


async def begin(visitor: Visitor, sites: Sites) -> None:
    visitor.observation = (await visitor.session.reset(sites.make_task(), Observe())).observation


async def names_of(visitor: Visitor, count: int = 0) -> dict[str, bool]:
    """The files, once there are `count`: a download arrives in its own time."""
    async with asyncio.timeout(20):
        while len((await visitor.session.list_files()).files) < count:
            await asyncio.sleep(0.05)
    listed = await visitor.session.list_files()
    return {file.name: file.is_input for file in listed.files}


async def await_text(visitor: Visitor, text: str) -> None:
    """A page reads a file in its own time."""
    async with asyncio.timeout(20):
        while text not in visitor.tree:
            await visitor.do(type="wait", ms=50)


async def test_an_upload_control_takes_a_file_of_the_task(visitor: Visitor, sites: Sites) -> None:
    await begin(visitor, sites)
    put = await visitor.session.put_file("cv.txt", b"I can code")
    assert put == FileInfo(name="cv.txt", size=10, is_input=True)
    assert (await visitor.do(type="click", target=visitor.ref("Attach"))).ok
    assert "answer with its name" in (visitor.observation.dialog or "")
    wrong = await visitor.do(type="dialog", accept=True, text="other.txt")
    assert (wrong.error, "cv.txt" in wrong.message) == (ActionError.BAD_VALUE, True)
    assert (await visitor.do(type="dialog", accept=True, text="cv.txt")).ok
    await await_text(visitor, "cv.txt=I can code.")


async def test_a_name_may_be_typed_and_a_field_set_with_several(
    visitor: Visitor, sites: Sites
) -> None:
    await begin(visitor, sites)
    await visitor.session.put_file("a.txt", b"1")
    await visitor.session.put_file("b.txt", b"2")
    await visitor.do(type="click", target=visitor.ref("Attach"))
    assert (await visitor.do(type="type", text="b.txt")).ok
    await await_text(visitor, "b.txt=2.")
    both = await visitor.do(type="set_value", target={"selector": "#many"}, value="a.txt\nb.txt")
    assert both.ok, both
    await await_text(visitor, "a.txt=1; b.txt=2.")
    refused = await visitor.do(type="set_value", target={"selector": "#many"}, value="/etc/passwd")
    assert refused.error is ActionError.BAD_VALUE
    assert (await visitor.do(type="dialog", accept=False)).ok


async def test_downloads_are_kept_under_clean_names_and_told(
    visitor: Visitor, sites: Sites
) -> None:
    await begin(visitor, sites)
    results = []
    for count, name in enumerate(("Table", "Report", "Report again"), 1):
        results.append(await visitor.do(type="click", target=visitor.ref(name)))
        await names_of(visitor, count)
    listed = await names_of(visitor)
    first, second = (name for name in listed if "report" in name)
    assert listed == {"table.csv": False, first: False, second: False}
    assert first.endswith("report.txt")
    assert "(2)" in second
    assert await visitor.session.read_file("table.csv") == b"a,b"
    assert await visitor.session.read_file(first) == b"figures"
    results.append(await visitor.do(type="wait", ms=50))
    assert "downloaded table.csv (3 bytes)" in "; ".join(str(result.value) for result in results)


async def test_a_download_of_a_host_that_is_not_allowed_never_arrives(
    visitor: Visitor, sites: Sites
) -> None:
    await begin(visitor, sites)
    await visitor.do(type="click", target=visitor.ref("Evil"))
    await visitor.do(type="wait", ms=300)
    assert await names_of(visitor) == {}
    assert sites.evil_heard == 0


async def test_what_is_too_large_is_broken_off(
    visitor: Visitor, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_files, "MAX_FILE_BYTES", 2**20)
    await begin(visitor, sites)
    await visitor.do(type="click", target=visitor.ref("Endless"))
    async with asyncio.timeout(20):
        while not (await visitor.session.list_files()).notes:
            await asyncio.sleep(0.1)
    listed = await visitor.session.list_files()
    assert (listed.files, listed.notes) == ((), ("big: more bytes than are kept",))


async def test_a_download_that_shows_a_secret_is_not_kept(visitor: Visitor, sites: Sites) -> None:
    secret = Secret.model_validate({"value": "Correct-Horse-9", "allow": ["shop.test"]})
    await visitor.session.lend_secrets({"password": secret})
    await begin(visitor, sites)
    await visitor.do(type="click", target=visitor.ref("Secret"))
    async with asyncio.timeout(20):
        while not (listed := await visitor.session.list_files()).notes:
            await asyncio.sleep(0.05)
    assert (listed.files, listed.notes) == ((), ("login.txt shows a secret",))
    with pytest.raises(NoSuchFile, match="secret"):
        await visitor.session.read_file("login.txt")


async def test_the_next_task_has_no_file_of_the_one_before(visitor: Visitor, sites: Sites) -> None:
    await begin(visitor, sites)
    await visitor.session.put_file("cv.txt", b"x")
    await visitor.do(type="click", target=visitor.ref("Table"))
    assert len(await names_of(visitor, 2)) == 2
    await begin(visitor, sites)
    assert await names_of(visitor) == {}
    with pytest.raises(NoSuchFile):
        await visitor.session.read_file("cv.txt")


async def test_names_that_lead_elsewhere_and_too_many_are_refused(
    visitor: Visitor, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(visitor, sites)
    with pytest.raises(FileRefused, match="no file name"):
        await visitor.session.put_file("../x", b"")
    monkeypatch.setattr(session_files, "MAX_FILES", 1)
    await visitor.session.put_file("a", b"1")
    await visitor.session.put_file("a", b"22")
    with pytest.raises(FileRefused, match="takes 1 files"):
        await visitor.session.put_file("b", b"")
    assert await visitor.session.read_file("a") == b"22"


async def test_sessions_of_one_browser_see_their_own_downloads(sites: Sites) -> None:
    with serving(lambda _: sites.make_app()) as url:
        browsers = Browsers(sites=(url,))
        visitors = [Visitor(BrowserSession(browsers, None), "") for _ in range(2)]
        try:
            for number, visitor in enumerate(visitors):
                task = Task(id="f", instruction="x", start_url=f"{url}/", keep_files=True)
                reply = await visitor.session.reset(task, Observe())
                visitor.observation = reply.observation
                await visitor.session.put_file(f"{number}.txt", b"")
            for _ in range(2):
                for visitor in visitors:
                    arrived = len(await names_of(visitor))
                    await visitor.do(type="click", target=visitor.ref("Table"))
                    await names_of(visitor, arrived + 1)
            for number, visitor in enumerate(visitors):
                listed = await visitor.session.list_files()
                assert [file.name for file in listed.files] == [
                    f"{number}.txt",
                    "table.csv",
                    "table (2).csv",
                ]
                assert listed.notes == ()
                assert await visitor.session.read_file("table (2).csv") == b"a,b"
        finally:
            for visitor in visitors:
                await visitor.session.close()
            await browsers.close()
