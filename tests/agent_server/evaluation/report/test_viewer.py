"""The trajectory viewer in a real browser: keys step, actions are drawn, rows open trials."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from agent_server.evaluation.figures.summary import summarize
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from agent_server.evaluation.report.html_report import write_report
from envs.browser.chromium import find_binary
from envs.contract.actions import Wait
from envs.contract.outcomes import EndReason
from tests.agent_server.evaluation.recorded_evaluation import CLICK, End, record, task

pytestmark = pytest.mark.browser
TASKS = [("mail", task("m1")), ("mail", task("m2"))]
ENDS = {
    ("oracle", "m1", 0): End(pictures=True, actions=(CLICK, Wait(ms=1))),
    ("oracle", "m2", 0): End(score=0, reason=EndReason.LOOP, actions=(CLICK,)),
}


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Page]:
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), TASKS, ENDS)
    trials = read_trials(tmp_path / "run", evaluation)
    report = tmp_path / "report.html"
    write_report(report, tmp_path / "run", summarize(evaluation, trials), trials)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(find_binary(None)))
        opened = await browser.new_page()
        broken: list[str] = []
        opened.on("pageerror", lambda error: broken.append(str(error)))
        await opened.goto(report.as_uri())
        yield opened
        assert not broken
        await browser.close()


async def text(page: Page, element: str) -> str:
    return await page.locator(f"#v-{element}").inner_text()


async def test_keys_step_through_steps_and_trials(page: Page) -> None:
    assert await text(page, "task") == "Do <b>m2</b>.", "failures come first"
    assert await text(page, "place") == "step 1 of 2"
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    assert await text(page, "place") == "step 2 of 2", "there is no third"
    await page.keyboard.press("ArrowDown")
    assert await text(page, "task") == "Do <b>m1</b>."
    assert await text(page, "place") == "step 1 of 3"
    assert "policy 100.0 ms" in await text(page, "facts")


async def test_the_action_is_drawn_where_it_happened(page: Page) -> None:
    await page.keyboard.press("ArrowDown")
    ring = page.locator("#v-frame svg circle").first
    assert [await ring.get_attribute(name) for name in ("cx", "cy")] == ["30", "20"]
    assert await page.locator("#v-frame svg").get_attribute("viewBox") == "0 0 64 48"
    await page.keyboard.press("ArrowRight")
    await page.locator("#v-frame svg").wait_for(state="attached")
    assert await page.locator("#v-frame svg circle").count() == 0, "a wait has no place"


async def test_trials_are_found_by_words_and_outcome_and_opened_from_the_failures(
    page: Page,
) -> None:
    await page.locator("#v-search").fill("m1")
    assert await page.locator("#v-list button").count() == 1
    await page.locator("#v-search").fill("")
    await page.locator("#v-kind").select_option("failed")
    assert "m2" in await text(page, "list")
    assert "m1" not in await text(page, "list")
    await page.keyboard.press("Escape")
    await page.locator("summary", has_text="repeated the same").click()
    await page.locator("tr[data-open]").click()
    assert await text(page, "task") == "Do <b>m2</b>."
