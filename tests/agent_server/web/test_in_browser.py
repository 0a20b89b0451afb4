"""The console in a real Chromium: accessible, nothing that overflows, live, and by keyboard."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.store import Store
from envs.browser.chromium import find_binary
from envs.contract.outcomes import EndReason, Status
from tests.agent_server.api_process import KEY, Api
from tests.agent_server.web.evaluation_trials import end_trials
from tests.agent_server.web.filled_console import (
    RULES,
    FilledConsole,
    fill_console,
    record,
)
from tests.agent_server.web.training_run import RUN

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
LOOKS = [(1280, "dark"), (390, "light")]
"""Firefox opens every page in the two others: together they cost half of all in both."""
PICTURES = os.environ.get("CONSOLE_PICTURES", "")
"""A folder to write a picture of each page to, for people to look at."""


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FilledConsole]:
    with fill_console(tmp_path_factory.mktemp("run")) as all_values:
        yield all_values


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_binary(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def open_console(chromium: Browser, api: Api, width: int, scheme: str) -> Page:
    """Signed in as `deskhand open` does it."""
    page = chromium.new_page(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page.goto(f"{api.url}/console/sign-in#{KEY}")
    page.wait_for_url("**/console/tasks")
    return page


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_page_is_accessible_and_fits(
    console: FilledConsole, chromium: Browser, width: int, scheme: str
) -> None:
    api = console.api
    page = open_console(chromium, api, width, scheme)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    for path in console.paths():
        page.goto(f"{api.url}/console/{path}")
        page.evaluate(
            "document.querySelectorAll('main details:not(.gym)').forEach(part => part.open = true)"
        )
        # Not by a function in words, which the pages' policy lets nobody run.
        expect(page.get_by_text("reading ...")).to_have_count(0)
        if path == f"runs/{RUN}":
            for image in page.locator(".plots img").all():
                # Of its own size only once it has loaded: the policy lets a picture have a style.
                expect(image).to_have_js_property("complete", True)
                assert image.evaluate("image => image.naturalWidth") > 100
        results = Axe().run(page, options=RULES)
        assert results.violations_count == 0, f"{path}: {results.generate_report()}"
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{path} is {overflow} pixels too wide"
        if PICTURES:
            name = path.replace("/", "-").partition("?")[0]
            page.screenshot(path=f"{PICTURES}/{name}-{width}-{scheme}.png", full_page=True)
    (problem,) = problems
    assert "404 (Not Found)" in problem, "the page of a task that is not there"
    page.close()


def test_steps_appear_while_the_page_is_open_and_stay_as_they_are(
    console: FilledConsole, chromium: Browser
) -> None:
    api, settings, ids = console.api, console.settings, console.ids
    page = open_console(chromium, api, 1280, "light")
    page.goto(f"{api.url}/console/tasks/{ids[2]}")
    expect(page.get_by_text("no worker is alive")).to_be_visible()
    record(settings, ids[2], None)
    expect(page.locator(".step")).to_have_count(2, timeout=60_000)
    page.locator(".step").first.evaluate("step => { step.dataset.mark = 'seen'; }")
    with Store.open(settings) as store:
        result = EpisodeResult(Status.UNJUDGED, EndReason.DONE, answer="all done")
        assert store.episodes.finish(ids[2], "test", result)
    expect(page.get_by_text("all done")).to_be_visible(timeout=60_000)
    expect(page.locator(".step")).to_have_count(2)
    expect(page.locator(".step").first).to_have_attribute("data-mark", "seen")
    page.close()


def test_partial_results_of_an_evaluation_appear_while_its_page_is_open(
    console: FilledConsole, chromium: Browser
) -> None:
    api, settings, ids = console.api, console.settings, console.ids
    page = open_console(chromium, api, 1280, "light")
    page.keyboard.press("g")
    page.keyboard.press("e")
    page.wait_for_url("**/console/evaluations")
    page.locator("a.row").first.click()
    page.wait_for_url(f"**/console/evaluations/{ids[4]}")
    expect(page.get_by_role("status")).to_contain_text("1 of 2 trials have ended")
    end_trials(settings, ids[4], [True])
    expect(page.get_by_role("status")).to_contain_text("2 of 2 trials", timeout=60_000)
    expect(page.get_by_text("50.0%")).to_be_visible()
    page.close()


def test_the_keyboard_leads_everywhere(console: FilledConsole, chromium: Browser) -> None:
    api = console.api
    page = open_console(chromium, api, 1280, "light")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/tasks/*")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_url("**/console/new")
    page.keyboard.type("no shortcut while typing: gt")
    assert page.url.endswith("/console/new")
    page.close()


def test_a_click_on_the_picture_is_handed_in_at_its_place(
    console: FilledConsole, chromium: Browser
) -> None:
    page = open_console(chromium, console.api, 1280, "light")
    page.goto(f"{console.api.url}/console/{console.questions[1]}")
    picture = page.get_by_alt_text("The screen of the task")
    expect(picture).to_have_js_property("naturalWidth", 640)
    picture.click(position={"x": 320, "y": 120})
    page.get_by_label("Text").fill("Oslo")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="enter").click()
    expect(page.get_by_text("0 of 3 inputs carried out")).to_be_visible(timeout=60_000)
    approval_id = console.questions[1].rpartition("/")[2]
    with Store.open(console.settings) as store:
        click, typed, key = store.approvals.look(approval_id).inputs
    assert abs(click["target"]["x"] - 0.5) < 0.01
    assert abs(click["target"]["y"] - 0.25) < 0.01
    assert (typed["text"], key["keys"]) == ("Oslo", ["enter"])
    page.close()
