"""Log-in state read from a context and put into another one, in a real browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from aiohttp import web

from envs.browser.chromium import Browsers
from envs.browser.session import BrowserSession
from envs.contract.browser_state import BrowserState
from envs.contract.observations import Observation, Observe
from envs.contract.task import Task
from tests.http_server import serving

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
PAGE = """<!doctype html><title>Account</title><p id=who></p><script>
  who.textContent = 'SERVER ' + (localStorage.getItem('theme') || 'no theme');
  if (location.search === '?in') localStorage.setItem('theme', '"dark"\\u2028</script>');
</script>"""


class Site:
    """Signs in at /?in; tells at / who comes. `requests`: how many it got."""

    def __init__(self) -> None:
        self.requests = 0

    async def show(self, request: web.Request) -> web.Response:
        self.requests += 1
        who = "anna is back," if request.cookies.get("sid") == "42" else "a stranger,"
        text = PAGE.replace("SERVER", who).replace("</script>');", "');")
        answer = web.Response(text=text, content_type="text/html")
        if request.query_string == "in":
            answer.set_cookie("sid", "42", httponly=True, max_age=3600, samesite="Lax")
        return answer

    def make_app(self, stopped: asyncio.Event) -> web.Application:
        app = web.Application()
        app.router.add_get("/", self.show)
        return app


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[Site, str]]:
    made = Site()
    with serving(made.make_app) as url:
        yield made, url


async def open_page(session: BrowserSession, url: str) -> Observation:
    task = Task(id="p", instruction="x", start_url=url)
    return (await session.reset(task, Observe())).observation


async def test_a_log_in_outlives_its_browser(site: tuple[Site, str]) -> None:
    made, url = site
    browsers = Browsers(sites=(url,))
    session = BrowserSession(browsers, None)
    try:
        seen = await open_page(session, f"{url}/?in")
        assert "a stranger, no theme" in (seen.tree.text if seen.tree else "")
        requests = made.requests
        state = await session.read_state()
        assert made.requests == requests
        (cookie,), (origin,) = state.cookies, state.origins
        assert (cookie.name, cookie.value, cookie.httpOnly, cookie.sameSite) == (
            ("sid", "42", True, "Lax")
        )
        assert (origin.origin, origin.localStorage[0].value[:6]) == (url, '"dark"')
        # The next task has nothing of it, unless that is lent.
        seen = await open_page(session, url)
        assert "a stranger, no theme" in (seen.tree.text if seen.tree else "")
    finally:
        await session.close()
        await browsers.close()
    browsers = Browsers(sites=(url,))
    session = BrowserSession(browsers, None)
    try:
        stored = BrowserState.model_validate_json(state.model_dump_json())
        await session.lend_state(stored)
        seen = await open_page(session, url)
        assert 'anna is back, "dark"' in (seen.tree.text if seen.tree else "")
        assert await session.read_state() == state
        seen = await open_page(session, url)
        assert "a stranger, no theme" in (seen.tree.text if seen.tree else "")
    finally:
        await session.close()
        await browsers.close()


async def test_state_of_another_site_is_not_put_in(site: tuple[Site, str]) -> None:
    _, url = site
    browsers = Browsers(sites=(url,))
    session = BrowserSession(browsers, None)
    other = {
        "cookies": [{"name": "sid", "value": "1", "domain": "bank.example"}],
        "origins": [
            {"origin": "https://bank.example", "localStorage": [{"name": "a", "value": "b"}]}
        ],
    }
    try:
        await session.lend_state(BrowserState.model_validate(other))
        await open_page(session, url)
        reply = await session._chromium.connection.call(
            "Storage.getCookies", {"browserContextId": session._tabs.context}
        )
        assert reply["cookies"] == []
        assert session._state == BrowserState()
    finally:
        await session.close()
        await browsers.close()
