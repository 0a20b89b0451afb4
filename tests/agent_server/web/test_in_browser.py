"""The console in a real Chromium: accessible, nothing that overflows, live, and by keyboard."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from agent_server.api.evaluation_models import EvaluationRequest
from agent_server.api.models import TaskRequest
from agent_server.client.client import Client
from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from envs.browser.chromium import find_binary
from envs.contract.actions import ActionError, ActionResult, Navigate
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EndReason, Status
from tests.agent_server.api_process import KEY, Api, running_api
from tests.agent_server.toy_env import toy_task
from tests.agent_server.web.evaluation_trials import end_trials
from tests.agent_server.web.training_run import RUN, end_training, start_training

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}}
LOOKS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
PICTURES = os.environ.get("CONSOLE_PICTURES", "")
"""A folder to write a picture of each page to, for people to look at."""


def make_picture() -> Screenshot:
    file = io.BytesIO()
    Image.new("RGB", (640, 480), "#dde3ee").save(file, "JPEG")
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format="jpeg", width=640, height=480, data=data)


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Api, Settings, list[str]]]:
    """An API with a finished task, a failed one and one that waits, an evaluation that has
    ended and one that runs, a training run; the ids of the former."""
    settings = Settings(run_dir=tmp_path_factory.mktemp("run"), api_key=KEY)
    with running_api(settings) as api, Client(api.url, KEY) as client:
        ids = []
        for words in ("Find the cheapest blue shirt", "Cancel the order", "Wait for a worker"):
            request = TaskRequest(instruction=words, start_url="http://127.0.0.1:9/")
            ids.append(client.create_task(request).id)
        record(settings, ids[0], EpisodeResult(Status.UNJUDGED, EndReason.DONE, answer="$12.50"))
        failure = EpisodeResult(Status.UNJUDGED, EndReason.STEP_LIMIT)
        record(settings, ids[1], failure)
        for targets, solved in (((1, 2, 3), [True, False, True]), ((1, 2), [False])):
            tasks = [toy_task(target) for target in targets]
            evaluation = client.create_evaluation(EvaluationRequest(tasks=tasks, policy="live"))
            end_trials(settings, evaluation.id, solved)
            ids.append(evaluation.id)
        start_training(settings)
        end_training(settings)
        yield api, settings, ids


def record(settings: Settings, task_id: str, result: EpisodeResult | None) -> None:
    """Two steps of a task, and its end."""
    with Store.open(settings) as store:
        assert store.episodes.lease(task_id, "test") is not None
        with Recorder(Artifacts(settings.artifacts), task_id) as recorder:
            for index in range(2):
                refused = ActionResult.failure(ActionError.NOT_FOUND, "there is no Cart")
                step = Step(
                    index=index,
                    prompt="",
                    completion=Completion(text="x"),
                    thought="The cheapest one is at the top of the list.",
                    action=Navigate(url="http://shop.test/a/long/address/that/has/no/place?q=1"),
                    result=refused if index else ActionResult.success(),
                    refused_hosts=("tracker.test",) if index else (),
                    url="http://shop.test/",
                    screenshot=recorder.save_screenshot(index, make_picture()),
                    timings_ms={"policy": 1200.0, "env": 300.0},
                )
                recorder.record_step(step)
            if result is not None:
                recorder.finish(result, {})
        if result is not None:
            assert store.episodes.finish(task_id, "test", result)


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
    console: tuple[Api, Settings, list[str]], chromium: Browser, width: int, scheme: str
) -> None:
    api, _, ids = console
    page = open_console(chromium, api, width, scheme)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    paths = ["tasks", f"tasks/{ids[0]}", f"tasks/{ids[1]}", "wall", "new", "runs", "system"]
    paths += ["evaluations", "evaluations/new", f"evaluations/{ids[3]}", f"evaluations/{ids[4]}"]
    paths += [f"evaluations/{ids[3]}/tasks", f"evaluations/compare?first={ids[3]}&second={ids[4]}"]
    for path in (*paths, f"runs/{RUN}", "sign-in"):
        page.goto(f"{api.url}/console/{path}")
        if path == f"evaluations/{ids[3]}":
            page.get_by_text("ran out of steps").click()
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
    assert problems == []
    page.close()


def test_steps_appear_while_the_page_is_open_and_stay_as_they_are(
    console: tuple[Api, Settings, list[str]], chromium: Browser
) -> None:
    api, settings, ids = console
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
    console: tuple[Api, Settings, list[str]], chromium: Browser
) -> None:
    api, settings, ids = console
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


def test_the_keyboard_leads_everywhere(
    console: tuple[Api, Settings, list[str]], chromium: Browser
) -> None:
    api, _, _ = console
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
