"""OSWorld's getters on a real desktop, each through a metric of a task that uses it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop
PAGE = "/home/user/Documents/page.html"
SHOWN_S = 10.0
ASKS_S = 2.5
HTML = """<!doctype html><title>A page</title>
<div class="date">Tue, Jan 05, 2027</div><div class="route"> SEA <i>to</i> NYC </div>
<ul class="crumbs"><li class="catAllProducts"><span>Toys</span></li></ul>
<div class="info"><h3> Apply </h3></div><div class="info"><p>x</p><h3>10:15 AM</h3></div>
<div class="chip">Black</div><div class="chip">On sale</div>
<label>Your mail</label><input id="mail" value=" a@b.example "><a href="next.html">next</a>
<script>if (location.search === "?ask") setTimeout(() => alert("Sure?"), 1500)</script>"""
EDITOR = """
import pathlib, tkinter
root = tkinter.Tk(className="code")
box = tkinter.Entry(root)
box.pack()
def chosen(event):
    if box.get() == "OpenProject":
        pathlib.Path("/home/user/OpenProject.txt").write_text("project")
root.bind("<Control-Shift-P>", lambda event: box.focus_set())
box.bind("<Return>", chosen)
root.mainloop()
"""


def step(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"type": kind, "parameters": parameters}


def rule(expected: Any) -> dict[str, Any]:
    return {"type": "rule", "rules": {"expected": expected}}


def task(
    func: str, result: dict[str, Any], expected: dict[str, Any], *config: dict[str, Any]
) -> Task:
    evaluator = {"func": func, "result": result, "expected": expected}
    return Task(id="t", instruction="x", env="desktop", config=list(config), evaluator=evaluator)


def on_page(result: dict[str, Any], expected: dict[str, Any], url: str = f"file://{PAGE}") -> Task:
    return task(
        "check_direct_json_object", result, expected,
        step("text_file", path=PAGE, text=HTML),
        step("launch", command=["google-chrome", "--remote-debugging-port=1337"]),
        step("chrome_open_tabs", urls_to_open=["chrome://version", url]),
    )  # fmt: skip


async def score(user: DesktopUser, scored_task: Task) -> float:
    await user.reset(scored_task)
    return (await user.session.evaluate(None)).score


async def test_texts_of_the_page_in_front(user: DesktopUser) -> None:
    by_class = {
        "type": "active_tab_html_parse", "category": "class",
        "class_singleObject": {"date": "time", "none": "missing"},
        "class_multiObject_child": {"route": {"0": "start", "1": "end"}},
        "class_multiObject_only_child": {"info": {"0": "content", "1": "at"}},
        "class_multiObject": {"chip": {"1": "second"}},
        "class_multiObject_search_exist": {"chip": ["Black", "Red", "is_other_exist"]},
    }  # fmt: skip
    shown = {
        "time": "Tue, Jan 05, 2027", "missing": "", "start": "SEA", "end": "NYC",
        "content": "Apply", "at": "10:15 AM", "second": "On sale", "Black": True, "Red": False,
        "is_other_exist": True,
    }  # fmt: skip
    assert await score(user, on_page(by_class, rule(shown))) == 1


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ({"category": "xpath", "xpathObject": {"//div[@class='info']//h3": "first", "//b": "no"}},
         {"first": "Apply", "no": ""}),
        ({"category": "input", "inputObject": {"//input[1]": "mail"}}, {"mail": "a@b.example"}),
        ({"category": "label", "labelObject": {"your mail": "label"}}, {"label": "Your mail"}),
        ({"category": "class&url", "class_multiObject_li": {"crumbs": ["Toys", "Kids"]},
          "url_include_expected_multichoice": {"none": "Page", "page": "Page", "S=4": "Price"}},
         {"toys": True, "page": True, "price": True, "is_other_exist": False}),
    ],
)  # fmt: skip
async def test_other_ways_to_look_at_a_page(
    user: DesktopUser, look: dict[str, Any], expected: dict[str, Any]
) -> None:
    judged_task = on_page(
        {"type": "active_tab_html_parse", **look}, rule(expected), f"file://{PAGE}?s=4"
    )
    assert await score(user, judged_task) == 1


async def test_tabs_and_addresses(user: DesktopUser) -> None:
    url = f"file://{PAGE}?a=b#c"
    active = {"type": "active_url_from_accessTree", "goto_prefix": "https://"}
    url_rule = {"type": "rule", "rules": {"type": "url", "url": url}}
    both = {"type": "rule", "rules": {"type": "url", "urls": ["chrome://version/", url]}}
    evaluator = {
        "func": ["is_expected_active_tab", "is_expected_active_tab", "is_expected_tabs"],
        "result": [active, {"type": "active_tab_info"}, {"type": "open_tabs_info"}],
        "expected": [url_rule, url_rule, both],
    }
    judged_task = on_page({}, rule({}), url).model_copy(update={"evaluator": evaluator})
    await user.reset(judged_task)
    verdict = await user.session.evaluate(None)
    assert verdict.score == 1, verdict
    parsed = {"type": "active_tab_url_parse", "parse_keys": ["a"]}
    assert await score(user, on_page(parsed, rule({"a": "b"}), url)) == 1


async def test_a_dialog_that_was_left_open_hides_the_page_but_not_its_address(
    user: DesktopUser,
) -> None:
    url = f"file://{PAGE}?ask"
    look = {"type": "active_tab_html_parse", "category": "xpath", "xpathObject": {"//h3": "a"}}
    address = {"type": "active_url_from_accessTree"}
    url_rule = {"type": "rule", "rules": {"type": "url", "url": url}}
    judged_task = on_page({}, rule({}), url)
    evaluator = {
        "func": ["is_expected_active_tab", "check_direct_json_object"],
        "result": [address, look],
        "expected": [url_rule, rule({"a": "Apply"})],
    }
    await user.reset(judged_task.model_copy(update={"evaluator": evaluator}))
    await asyncio.sleep(ASKS_S)
    verdict = await user.session.evaluate(None)
    expected = {"is_expected_active_tab": 1, "check_direct_json_object": 0}
    assert verdict.details["scores"] == expected


async def test_no_browser_scores_0(user: DesktopUser) -> None:
    parsed = {"type": "active_tab_url_parse", "parse_keys": ["a"]}
    assert await score(user, task("check_direct_json_object", parsed, rule({"a": ""}))) == 0
    tabs = {"type": "rule", "rules": {"type": "url", "urls": []}}
    assert await score(user, task("is_expected_tabs", {"type": "open_tabs_info"}, tabs)) == 0


async def test_a_page_of_the_evaluator_s_own(user: DesktopUser) -> None:
    """A file for the internet that the box has not."""
    page = {"type": "page_info", "url": f"file://{PAGE}"}
    items = {"type": "rule", "rules": {"items": ["On sale", "Apply"]}}
    judged_task = on_page({}, rule({})).model_copy(
        update={"evaluator": {
            "func": ["is_added_to_steam_cart", "literal_match", "compare_pdfs"],
            "result": [page, {"type": "info_from_website", "url": f"file://{PAGE}", "infos": [
                {"action": "inner_text", "selector": "h3"},
                {"action": "attribute", "selector": "a", "attribute": "href"}]},
                {"type": "pdf_from_url", "path": f"file://{PAGE}", "dest": "a.pdf"}],
            "expected": [items, {"type": "rule", "rules": [
                "Apply", "file:///home/user/Documents/next.html"]},
                {"type": "pdf_from_url", "path": f"file://{PAGE}", "dest": "a.pdf"}],
            "options": [{}, {"type": "list"}, {}],
        }}
    )  # fmt: skip
    await user.reset(judged_task)
    verdict = await user.session.evaluate(None)
    assert verdict.score == 1, verdict
    assert len(await user.tool("chromium.tabs")) == 2


async def test_a_page_of_the_internet_is_a_fault_that_says_so(user: DesktopUser) -> None:
    page = {"type": "page_info", "url": "https://store.example/cart/"}
    items = {"type": "rule", "rules": {"items": ["A"]}}
    await user.reset(task("is_added_to_steam_cart", page, items))
    with pytest.raises(EpisodeFault, match=r"store\.example.*needs the internet"):
        await user.session.evaluate(None)


async def test_what_a_website_says_may_be_known_before(user: DesktopUser) -> None:
    site = {"type": "info_from_website", "url": "https://a.example/", "backups": ["A", "2"],
            "infos": [{"action": "inner_text", "selector": "h1"}]}  # fmt: skip
    judged_task = task("literal_match", site, {"type": "rule", "rules": ["A", "2"]})
    evaluator = {**(judged_task.evaluator or {}), "options": {"type": "list"}}
    assert await score(user, judged_task.model_copy(update={"evaluator": evaluator})) == 1


async def test_settings_that_were_just_changed(user: DesktopUser) -> None:
    light = task("match_in_list", {"type": "chrome_appearance_mode_ui"}, rule(["light"]))
    start = task("exact_match", {"type": "new_startup_page"}, rule("true"))
    for judged_task, tool, dark, bright in (
        (light, "chromium.appearance_mode", {"mode": "dark"}, {"mode": "light"}),
        (start, "chromium.set_setting", {"setting": "startup", "value": "continue"},
         {"setting": "startup", "value": "new_tab"}),
    ):  # fmt: skip
        await user.reset(judged_task)
        await user.tool(tool, **dark)
        assert (await user.session.evaluate(None)).score == 0
        await user.tool(tool, **bright)
        assert (await user.session.evaluate(None)).score == 1


async def test_a_profile_after_the_browser_was_ended_and_started_again(user: DesktopUser) -> None:
    again = [
        step("launch", command=["pkill", "chrome"]),
        step("launch", command=["google-chrome", "--remote-debugging-port=1337"]),
        step("activate_window", window_name="Google Chrome"),
    ]
    judged_task = task(
        "exact_match", {"type": "enable_do_not_track"}, rule("true"),
        step("launch", command=["google-chrome"]),
    )  # fmt: skip
    evaluator = {**(judged_task.evaluator or {}), "postconfig": again}
    await user.reset(judged_task.model_copy(update={"evaluator": evaluator}))
    await user.tool("chromium.set_setting", setting="do_not_track", value=True)
    assert (await user.session.evaluate(None)).score == 1


async def test_a_profile_by_its_name_on_osworld_s_machines(user: DesktopUser) -> None:
    path = "/home/user/.config/google-chrome/Default/Preferences"
    command = f'echo \'{{"profile": {{"name": "Thomas"}}}}\' > {path}'
    assert await score(
        user,
        task("exact_match", {"type": "profile_name"}, rule("Thomas"),
             step("execute", command=command, shell=True)),
    ) == 1  # fmt: skip
    printed = {"type": "vm_command_line", "command": f"cat {path}"}
    pristine = {"type": "rule", "rules": {"include": ["exited_cleanly"], "exclude": ["Thomas"]}}
    kept = task("check_include_exclude", printed, pristine)
    assert await score(user, kept) == 1


async def test_visits_while_chromium_runs(user: DesktopUser) -> None:
    visit = {"url": "https://a.example/b", "title": "A", "visit_time_from_now_in_seconds": 600}
    gone = {"type": "rule", "rules": {"type": "keywords", "keywords": ["a.example"]}}
    result = {"type": "history", "dest": "history.sqlite"}
    added = step("update_browse_history", history=[visit])
    chrome = step("launch", command=["google-chrome"])
    assert await score(user, task("check_history_deleted", result, gone, added, chrome)) == 0
    await user.tool("chromium.delete_browsing_data", data=["history"])
    async with asyncio.timeout(SHOWN_S):
        while (await user.session.evaluate(None)).score != 1:
            await asyncio.sleep(0.5)


async def test_the_terminal_and_the_tree(user: DesktopUser) -> None:
    printed = {"type": "rule", "rules": {"include": ["43 132"], "exclude": ["No such"]}}
    terminal = step("launch", command=["gnome-terminal"])
    judged_task = task("check_include_exclude", {"type": "vm_terminal_output"}, printed, terminal)
    await user.reset(judged_task)
    assert (await user.session.evaluate(None)).score == 0
    selectors = ["application terminal"]
    shown = {"type": "rule", "rules": [{"selectors": selectors}]}
    tree = task("check_accessibility_tree", {"type": "accessibility_tree"}, shown, terminal)
    assert await score(user, tree) == 1


async def test_a_window_as_large_as_the_screen(user: DesktopUser) -> None:
    window = {"type": "vm_window_size", "app_class_name": "mousepad"}
    judged_task = task("is_vlc_fullscreen", {"type": "vm_screen_size"}, window)
    assert await score(user, judged_task) == 0
    editor = step("launch", command=["mousepad"])
    # With its frame and above the panel.
    assert await score(user, judged_task.model_copy(update={"config": [editor]})) == 0
    same = {**(judged_task.evaluator or {}), "result": window}
    with_editor = judged_task.model_copy(update={"config": [editor], "evaluator": same})
    assert await score(user, with_editor) == 1


async def test_the_wallpaper_that_is_set(user: DesktopUser) -> None:
    path = "/home/user/Pictures/a.png"
    paint = f"from PIL import Image; Image.new('RGB', (64, 48), 'red').save('{path}')"
    made = step("execute", command=["python", "-c", paint])
    judged_task = task("compare_images", {"type": "vm_wallpaper", "dest": "w.png"},
                 {"type": "vm_file", "path": path, "dest": "a.png"}, made)  # fmt: skip
    assert await score(user, judged_task) == 0
    config = [*judged_task.config, step("change_wallpaper", path=path)]
    assert await score(user, judged_task.model_copy(update={"config": config})) == 1


async def test_what_vlc_tells(user: DesktopUser) -> None:
    stopped = {"type": "rule", "rules": {"type": "file_name", "file_name": "none.mp4"}}
    playing = {"type": "vlc_playing_info", "dest": "status.xml"}
    assert await score(user, task("is_vlc_playing", playing, stopped)) == 0
    vlc = step("launch", command=["vlc"])
    assert await score(user, task("is_vlc_playing", playing, stopped, vlc)) == 0
    volume = {"type": "rule", "rules": {"expected_qt_max_volume": 125}}
    vlcrc = {"type": "vlc_config", "dest": "vlcrc"}
    assert await score(user, task("check_qt_max_volume", vlcrc, volume)) == 1


async def test_the_player_of_videos(user: DesktopUser) -> None:
    player = {"type": "rule", "rules": {"include": [".desktop"]}}
    judged_task = task("check_include_exclude", {"type": "default_video_player"}, player)
    assert await score(user, judged_task) == 1


async def test_only_what_an_editor_s_extension_writes_now_counts(user: DesktopUser) -> None:
    """A window that takes VS Code's keys stands for it: the image has no VS Code."""
    written = {"path": "/home/user/OpenProject.txt", "dest": "OpenProject.txt"}
    before = step("text_file", path=written["path"], text="project")
    editor = step("launch", command=["python", "-c", EDITOR])
    for command, config, expected in (
        ("OpenProject", (before,), 0),
        ("Another", (before, editor), 0),
        ("OpenProject", (editor,), 1),
    ):
        judged_task = {"type": "vscode_config", "vscode_extension_command": command, **written}
        assert (
            await score(user, task("compare_config", judged_task, rule("project"), *config))
            == expected
        )


async def test_a_drive_is_a_fault_that_says_why(user: DesktopUser) -> None:
    drive = {"type": "googledrive_file", "path": ["a"], "dest": "a"}
    await user.reset(task("compare_pdfs", drive, rule("x")))
    with pytest.raises(EpisodeFault, match="needs a Google account"):
        await user.session.evaluate(None)
