"""What a tab's events say of it, in the order in which Chromium sends them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envs.browser.page_events import MAX_CONSOLE, WORLD, PageEvents, may_show
from envs.contract.outcomes import EpisodeFault

MAIN = {"frameId": "main"}


def new_events(left: list[str] | None = None) -> PageEvents:
    left = [] if left is None else left
    return PageEvents("main", lambda text: text.replace("hush", "***"), lambda: left.append("left"))


def world_of(frame: str, number: int) -> dict[str, Any]:
    return {"context": {"id": number, "name": WORLD, "auxData": {"frameId": frame}}}


async def test_a_navigation_ends_with_the_walkers_world_in_the_main_frame() -> None:
    events = new_events()
    events.hear("Page.frameRequestedNavigation", {**MAIN, "disposition": "currentTab"})
    assert (events.is_requested, events.is_moving) == (True, True)
    events.hear("Page.frameStartedLoading", MAIN)
    assert (events.is_requested, events.is_loading) == (False, True)
    events.hear("Runtime.executionContextCreated", world_of("inner", 6))
    assert events.is_moving
    events.hear("Runtime.executionContextCreated", world_of("main", 7))
    assert (events.is_moving, events.context) == (False, 7)
    events.hear("Runtime.executionContextDestroyed", {"executionContextId": 6})
    assert events.context == 7
    events.hear("Runtime.executionContextsCleared", {})
    assert events.context is None


async def test_a_move_within_the_document_and_a_frames_load_are_no_navigation() -> None:
    events = new_events()
    events.hear("Page.frameStartedNavigating", {**MAIN, "navigationType": "sameDocument"})
    events.hear("Page.frameStartedLoading", {"frameId": "inner"})
    assert not events.is_moving


async def test_requests_are_under_way_until_they_end_and_endless_ones_never() -> None:
    events = new_events()
    events.hear("Network.requestWillBeSent", {"requestId": "1", "type": "Fetch"})
    events.hear("Network.requestWillBeSent", {"requestId": "2", "type": "EventSource"})
    assert events.requests == {"1"}
    events.hear("Network.loadingFinished", {"requestId": "2"})
    assert events.answered == 0
    events.hear("Network.loadingFailed", {"requestId": "1"})
    assert (events.requests, events.answered) == (set(), 1)


async def test_a_picture_that_the_page_holds_itself_is_no_request() -> None:
    events = new_events()
    for number, url in enumerate(("data:image/svg+xml,<svg/>", "http://127.0.0.1:1/a.png")):
        picture = {"requestId": str(number), "type": "Image", "request": {"url": url}}
        events.hear("Network.requestWillBeSent", picture)
    assert events.requests == {"1"}
    events.hear("Network.loadingFinished", {"requestId": "0"})
    assert (events.requests, events.answered) == ({"1"}, 0)


async def test_a_dialog_and_a_crash_end_what_waits_for_the_page() -> None:
    events = new_events()
    waiting = events.blocked
    events.hear("Page.javascriptDialogOpening", {"type": "alert", "message": "hush!"})
    assert waiting.done()
    assert events.dialog == "alert: ***!"
    events.hear("Page.javascriptDialogClosed", {})
    assert events.dialog is None
    assert not events.blocked.done()
    events.hear("Inspector.targetCrashed", {})
    with pytest.raises(EpisodeFault, match="crashed"):
        events.check_crash()


async def test_whoever_waits_hears_of_the_next_change() -> None:
    events = new_events()
    events.hear("Page.frameStartedLoading", MAIN)
    waiter = asyncio.create_task(events.wait_for_change())
    await asyncio.sleep(0)
    assert not waiter.done()
    events.hear("Page.frameStoppedLoading", MAIN)
    await asyncio.wait_for(waiter, 5)


async def test_the_console_keeps_the_last_lines_without_secrets() -> None:
    events = new_events()
    for number in range(MAX_CONSOLE + 5):
        args = [{"value": number}, {"description": "hush"}]
        line = {"type": "log", "args": args, "executionContextId": 1}
        events.hear("Runtime.consoleAPICalled", line)
    assert len(events.console) == MAX_CONSOLE
    assert events.console[-1] == f"log: {MAX_CONSOLE + 4} ***"


async def test_what_is_no_web_page_is_left() -> None:
    left: list[str] = []
    events = new_events(left)
    made_up = {"id": "main", "loaderId": "L", "url": "blob:http://a.test/1"}
    events.hear("Page.frameNavigated", {"frame": {**made_up, "id": "inner"}})
    assert left == []
    events.hear("Page.frameNavigated", {"frame": made_up})
    assert left == ["left"]
    assert "only web pages" in events.console[0]
    assert [may_show(url) for url in ("", "http://a.test/", "chrome-error://x/", "file:///a")] == [
        True, True, True, False,
    ]  # fmt: skip


async def test_a_press_that_went_astray_is_told_by_the_walker_s_console_alone() -> None:
    events = new_events()
    events.hear("Runtime.executionContextCreated", world_of("main", 7))
    args = [{"value": "__dhMissed"}, {"value": "button hush"}]
    line = {"type": "debug", "args": args, "executionContextId": 3}
    events.hear("Runtime.consoleAPICalled", line)
    assert (events.missed, events.console) == ("", ["debug: __dhMissed button ***"])
    events.hear("Runtime.consoleAPICalled", {**line, "executionContextId": 7})
    assert (events.missed, len(events.console)) == ("button ***", 1)
