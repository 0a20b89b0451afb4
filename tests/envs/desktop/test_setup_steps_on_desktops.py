"""OSWorld's setup steps on a real desktop: tabs, history, wallpaper, and a mirror that only the
host sees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envs.contract.actions import Wait
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from envs.osworld.format.assets import SETTING, asset_path
from tests.envs.desktop_box import NOTHING, Box, DesktopUser, desktop_box, desktop_user

pytestmark = pytest.mark.desktop
URL = "https://nowhere.invalid/a/notes.txt"
PAGES = "/home/user/Documents"
MAKE_PAGES = [
    {"type": "text_file", "parameters": {"path": f"{PAGES}/{name}.html",
                                         "text": f"<title>{name}</title>{name}"}}
    for name in ("one", "two")
]  # fmt: skip


def step(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"type": kind, "parameters": parameters}


def task(*config: dict[str, Any], **more: Any) -> Task:
    return Task(id="t", instruction="x", env="desktop", config=list(config), **more)


async def open_tabs(user: DesktopUser) -> list[str]:
    return sorted(tab["url"] for tab in await user.tool("chromium.tabs"))


async def test_tabs_are_opened_and_closed_as_the_task_says(user: DesktopUser) -> None:
    urls = [f"file://{PAGES}/one.html", f"file://{PAGES}/two.html"]
    chrome = step("launch", command=["google-chrome", "--remote-debugging-port=1337"])
    socat = step("launch", command=["socat", "tcp-listen:9222,fork", "tcp:localhost:1337"])
    opened = (*MAKE_PAGES, chrome, socat, step("chrome_open_tabs", urls_to_open=urls))
    await user.reset(task(*opened))
    assert await open_tabs(user) == urls
    await user.reset(task(*opened, step("chrome_close_tabs", urls_to_close=urls[:1])))
    assert await open_tabs(user) == urls[1:]


async def test_a_page_that_cannot_be_reached_is_a_fault_and_a_tab_that_is_not_open_is_noted(
    user: DesktopUser,
) -> None:
    chrome = step("launch", command=["google-chrome"])
    gone = step("chrome_open_tabs", urls_to_open=["http://127.0.0.1:9/"])
    with pytest.raises(EpisodeFault, match=r"chrome_open_tabs.*127\.0\.0\.1"):
        await user.session.reset(task(chrome, gone), NOTHING)
    closed = step("chrome_close_tabs", urls_to_close=["https://a.example/"])
    reset = await user.session.reset(task(chrome, closed), NOTHING)
    assert "no tab shows https://a.example/" in reset.notes[0]


async def test_a_window_that_is_not_there_is_noted_and_the_trial_has_a_score(
    user: DesktopUser,
) -> None:
    path = "/home/user/Documents/restaurants.txt"
    text = step("text_file", path=path, text="one")
    gedit = step(
        "activate_window", window_name="restaurants.txt (~/Documents) - gedit", strict=True
    )
    gimp = step("activate_window", window_name="GNU Image Manipulation Program")
    mail = step("close_window", window_name="Mail.thunderbird", strict=True, by_class=True)
    typing = step("execute", command=["python3", "-c", "import pyautogui; pyautogui.write('x')"])
    saving = step(
        "execute", command=["python3", "-c", "import pyautogui; pyautogui.hotkey('ctrl', 's')"]
    )
    evaluator = {
        "postconfig": [gimp, typing, saving, step("sleep", seconds=1)],
        "func": "text_is",
        "result": {"type": "vm_file", "path": path},
        "expected": {"type": "rule", "rules": "xone"},
    }
    config = (text, step("open", path=path), gedit, mail)
    reset = await user.session.reset(task(*config, evaluator=evaluator), NOTHING)
    (note,) = reset.notes
    assert note.startswith("setup step 4 (close_window): NoWindow: there is no window 'Mail.thund")
    assert "restaurants.txt - Mousepad" in note
    verdict = await user.session.evaluate()
    assert verdict.score == 1, verdict
    assert verdict.details["notes"][0].startswith("step of the evaluator 1 (activate_window)")


async def test_a_document_is_drawn_when_the_task_begins_and_no_graphics_card_is_tested(
    user: DesktopUser,
) -> None:
    path = f"{PAGES}/prices.xlsx"
    made = step("workbook", path=path, sheets={"S": [["Item", "Price"], ["Pen", 3]]})
    first = await user.reset(task(made, step("open", path=path)))
    later = (await user.session.step([Wait(ms=1000)], NOTHING)).observation
    assert later.hash == first.hash, "the first picture was not whole"
    assert not list(user.home.rglob("GraphicsRenderTests.log"))


async def test_visits_of_the_past_are_in_chromium_s_history(user: DesktopUser) -> None:
    visit = {"url": "https://a.example/b", "title": "A", "visit_time_from_now_in_seconds": 600}
    await user.reset(task(step("update_browse_history", history=[visit])))
    history = user.home / ".config/chromium/Default/History"
    shown = await user.tool("chromium.history")
    assert [(row["title"], row["url"]) for row in shown] == [("A", visit["url"])]
    assert history.is_file()


async def test_the_wallpaper_is_set_as_a_setting(user: DesktopUser) -> None:
    picture = "/home/user/Pictures/a.png"
    made = step("text_file", path=picture, text="a picture")
    await user.reset(task(made, step("change_wallpaper", path=picture)))
    output = await user.tool(
        "shell.run", command="gsettings get org.gnome.desktop.background picture-uri"
    )
    assert picture in output["output"]


@pytest.fixture(scope="module")
def mirrored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Box, Path]]:
    """A box whose host has a mirror with one file."""
    folder = tmp_path_factory.mktemp("mirror")
    asset_path(URL, folder).write_text("from the mirror")
    before = os.environ.get(SETTING)
    os.environ[SETTING] = str(folder)
    try:
        with desktop_box("--allow-shell") as box:
            yield box, folder
    finally:
        os.environ.pop(SETTING)
        if before is not None:
            os.environ[SETTING] = before


async def test_a_download_comes_from_the_mirror_that_no_program_of_the_box_sees(
    mirrored: tuple[Box, Path],
) -> None:
    box, folder = mirrored
    notes = [{"url": URL, "path": "/home/user/Documents/notes.txt"}]
    async with desktop_user(box) as user:
        await user.reset(task(step("download", files=notes)))
        assert (user.home / "Documents" / "notes.txt").read_text() == "from the mirror"
        look = (
            f"ls {folder}; env | grep ASSETS; "
            "for d in /proc/[0-9]*/fd/*; do "
            'ls $d/ 2>/dev/null | sed "s|^|$d $(cat ${d%/fd/*}/comm) |"; done'
        )
        output = await user.tool("shell.run", command=look)
        assert asset_path(URL, folder).name not in output["output"]
