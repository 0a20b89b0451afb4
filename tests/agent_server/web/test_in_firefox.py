"""The console in a real Firefox: as accessible, live and usable by keyboard as in Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import orjson
import pytest

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.store import Store
from envs.contract.outcomes import EndReason, Status
from tests.agent_server.api_process import KEY
from tests.agent_server.web.filled_console import (
    RULES,
    TREES_ARE_THERE,
    FilledConsole,
    fill_console,
    record,
)
from tests.agent_server.web.firefox import BINARY, Firefox, running_firefox

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(BINARY is None, reason="no Firefox: make test installs firefox-esr"),
]
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
PICTURES = os.environ.get("CONSOLE_PICTURES", "")


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FilledConsole]:
    with fill_console(tmp_path_factory.mktemp("run")) as all_values:
        yield all_values


@pytest.fixture(scope="module", params=[(1280, False), (390, True)], ids=["wide", "narrow-dark"])
def firefox(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, console: FilledConsole
) -> Iterator[Firefox]:
    """Signed in, wide and light or narrow and dark: Chromium shows the two others."""
    width, is_dark = request.param
    profile = tmp_path_factory.mktemp("firefox") / "profile"
    with running_firefox(profile, is_dark=is_dark) as browser:
        browser.resize(width, 800)
        browser.open(f"{console.api.url}/console/sign-in#{KEY}")
        browser.wait_for("location.pathname == '/console/tasks'")
        assert browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == is_dark
        yield browser


def list_violations(firefox: Firefox, context: str) -> list[str]:
    """What axe finds in this part of the page."""
    firefox.run(AXE)
    rules = orjson.dumps(RULES).decode()
    violations: list[str] = firefox.evaluate(
        f"axe.run({context}, {rules}).then(all => all.violations.map("
        "rule => rule.id + ': ' + rule.nodes.map(node => node.html).join(' ')))"
    )
    return violations


def test_every_page_is_accessible_and_fits(console: FilledConsole, firefox: Firefox) -> None:
    width = firefox.evaluate("innerWidth")
    for path in console.paths():
        firefox.open(f"{console.api.url}/console/{path}")
        firefox.evaluate(
            "document.querySelectorAll('main details:not(.gym)').forEach(part => part.open = true)"
        )
        firefox.wait_for(TREES_ARE_THERE)
        assert list_violations(firefox, "document") == [], path
        assert firefox.evaluate("document.documentElement.scrollWidth") <= width, path
        if PICTURES:
            name = path.replace("/", "-").partition("?")[0]
            firefox.take_picture(Path(PICTURES) / f"{name}-{width}-firefox.png")
    assert firefox.problems == []


def test_the_page_of_a_task_is_live(console: FilledConsole, firefox: Firefox) -> None:
    task_id = console.start_task("Water the plants")
    firefox.open(f"{console.api.url}/console/tasks/{task_id}")
    record(console.settings, task_id, None)
    firefox.wait_for("document.querySelectorAll('.step').length == 2")
    # htmx follows what it has put into the page a moment later.
    firefox.wait_for("document.querySelector('.step details')['htmx-internal-data']")
    firefox.evaluate("document.querySelector('.step summary').click()")
    firefox.wait_for("document.querySelector('.tree').textContent.includes('Cart')")
    with Store.open(console.settings) as store:
        result = EpisodeResult(Status.UNJUDGED, EndReason.DONE, answer="all watered")
        assert store.episodes.finish(task_id, "test", result)
    firefox.wait_for("document.body.textContent.includes('all watered')")


def test_the_keyboard_leads_everywhere(console: FilledConsole, firefox: Firefox) -> None:
    firefox.open(f"{console.api.url}/console/tasks")
    firefox.press("jj\ue007")
    firefox.wait_for("location.pathname.startsWith('/console/tasks/')")
    firefox.press("gk")
    firefox.wait_for("location.pathname == '/console/keys'")
    firefox.press("?")
    firefox.wait_for("document.querySelector('dialog').open")


def test_an_app_is_played_on_its_own_host(console: FilledConsole, firefox: Firefox) -> None:
    firefox.open(f"{console.api.url}/console/gyms")
    link = firefox.evaluate("document.querySelector('a.row').href")
    firefox.open(link)
    firefox.wait_for("document.querySelector('#score').textContent == '0'")
    assert firefox.evaluate("frames[0].document.body.innerText.length") > 100
    assert list_violations(firefox, "{exclude: [['iframe']]}") == [], "beside the app"
