"""A task finds nothing of the one before, in the same tab or in another session."""

from __future__ import annotations

import pytest

from envs.browser.chromium import Browsers
from envs.contract.observations import Observe
from tests.envs.browser.shown import noted, show
from tests.envs.browser.site import Visitor, visiting

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

STORES = """<script>
  const seen = [document.cookie, localStorage.getItem('k'), sessionStorage.getItem('k'), name]
    .map((found) => found ?? '');
  note(seen.join('|'));
  document.cookie = 'c=1; max-age=999'; localStorage.setItem('k', 'v');
  sessionStorage.setItem('k', 'v'); name = 'n';
  indexedDB.databases().then((found) => note('bases ' + found.length)).then(() => {
    indexedDB.open('base').onsuccess = () => note('opened'); });
</script>"""


async def test_every_store_of_the_site_is_empty_again(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels, notes = [], []
    for _ in range(3):
        levels.append(await show(visitor, monkeypatch, STORES))
        await visitor.do(type="wait", ms=50)
        notes.append(await noted(visitor))
    assert levels == ["context", "warm", "warm"]
    assert [sorted(lines) for lines in notes] == [["bases 0", "opened", "|||"]] * 3


async def test_other_origins_that_the_task_visited_are_emptied_too(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, STORES)
    elsewhere = visitor.base.replace("127.0.0.1", "localhost") + "/shown"
    notes = []
    for _ in range(2):
        assert (await visitor.do(type="navigate", url=elsewhere)).ok
        notes.append(next(line for line in await noted(visitor) if "|" in line))
        await show(visitor, monkeypatch, STORES)
    assert [line.rsplit("|", 1)[0] for line in notes] == ["||", "||"]


async def test_windows_that_pages_opened_are_closed(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = (
        "<a href=/plain target=_blank>Out</a><button onclick=\"window.open('/table')\">Pop</button>"
    )
    await show(visitor, monkeypatch, html)
    for name in ("Out", "Pop"):
        await visitor.do(type="click", target=visitor.ref(name))
    reset_level = await show(visitor, monkeypatch, html, Observe(windows=True))
    assert reset_level == "warm"
    assert len(visitor.observation.windows) == 1, visitor.observation.windows


async def test_a_page_that_asks_before_it_is_left_cannot_stay(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = '<button onclick="onbeforeunload = (e) => e.preventDefault()">Edit</button>'
    await show(visitor, monkeypatch, html)
    await visitor.do(type="click", target=visitor.ref("Edit"))
    await visitor.open("/plain")
    assert visitor.observation.dialog is None
    assert visitor.observation.title == "Plain"


async def test_a_held_mouse_button_is_let_go(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = "<script>addEventListener('mousemove', (e) => note(e.buttons));</script>"
    await show(visitor, monkeypatch, html)
    await visitor.do(type="mouse_down", target={"x": 100, "y": 100})
    await show(visitor, monkeypatch, html)
    await visitor.do(type="move", target={"x": 200, "y": 200})
    assert set(await noted(visitor)) == {"0"}


async def test_the_console_of_the_task_before_is_gone(visitor: Visitor) -> None:
    await visitor.open("/console")
    await visitor.do(Observe(console=True), type="history", op="reload")
    assert any("hello" in line for line in visitor.observation.console)
    await visitor.open("/plain", Observe(console=True))
    assert visitor.observation.console == ()


async def test_sessions_share_neither_stores_nor_tabs(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, site: str, browsers: Browsers
) -> None:
    await show(visitor, monkeypatch, STORES)
    await visitor.do(type="tab", op="new")
    async with visiting(site, browsers) as other:
        await show(other, monkeypatch, STORES, Observe(windows=True))
        assert "|||" in await noted(other)
        assert len(other.observation.windows) == 1


async def test_an_equal_task_begins_with_an_equal_observation(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = "<input aria-label=A autofocus><div style='height:5000px'>Long</div><button>B</button>"
    first = await show(visitor, monkeypatch, html)
    begun = visitor.observation
    await visitor.do(type="type", target=visitor.ref("A"), text="x")
    await visitor.do(type="scroll", dy=3000)
    assert (first, await show(visitor, monkeypatch, html)) == ("context", "warm")
    assert visitor.observation.hash == begun.hash
    assert visitor.tree == (begun.tree.text if begun.tree else None)
    assert await visitor.run("scrollY") == 0


async def test_the_middle_button_pastes_nothing_that_another_session_selected(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, site: str, browsers: Browsers
) -> None:
    await show(visitor, monkeypatch, "<input id=f value='mine alone'>")
    await visitor.do(type="click", target={"selector": "#f"})
    await visitor.do(type="key", keys=["ctrl", "a"])
    async with visiting(site, browsers) as other:
        await show(other, monkeypatch, "<textarea id=g></textarea>")
        await other.do(type="click", target={"selector": "#g"}, button="middle")
        assert "mine" not in other.observation.tree.text
