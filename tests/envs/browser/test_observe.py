"""Observations: what is on the page and in view, paid for per need."""

from __future__ import annotations

import asyncio
import base64
import io

import pytest
from PIL import Image

from envs.browser.chromium import Browsers
from envs.contract.observations import Observe, ScreenshotRequest, parse_tree
from tests.envs.browser.site import Visitor, visiting

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def size_of(visitor: Visitor) -> tuple[str, tuple[int, int]]:
    shot = visitor.observation.screenshot
    assert shot is not None
    with Image.open(io.BytesIO(base64.b64decode(shot.data))) as picture:
        assert picture.size == (shot.width, shot.height)
        return picture.format or "", picture.size


async def test_the_tree_shows_what_can_be_seen_and_used(visitor: Visitor) -> None:
    await visitor.open("/form")
    lines = {line.name: line for line in parse_tree(visitor.tree)}
    assert lines["Name"].role == "box"
    assert lines["Name"].value == "old"
    assert lines["Color"].options == ("Red", "Dark blue")
    assert lines["Plain page"].ref is not None
    assert lines["A form"].ref is None
    assert not {"Ghost", "Far below"} & lines.keys(), "hidden, and outside the viewport"


async def test_controls_that_a_component_library_draws_have_names_values_and_states(
    visitor: Visitor,
) -> None:
    """A drop-down that is named by its label and by itself, a box under a drawing of one; not what
    is there for the form alone, nor what nobody can see."""
    await visitor.open("/drawn")
    lines = [line for line in visitor.tree.splitlines() if "#" in line]
    assert lines == ["select Size = Large #1", "check News #2"]
    assert (await visitor.do(type="click", target=visitor.ref("News"))).ok
    assert "check News (checked) #2" in visitor.tree


async def test_fields_in_and_around_what_a_library_draws(visitor: Visitor) -> None:
    """A box in a shadow root takes nothing else from sight; a drop-down around a field has
    what that holds; a search box has what was typed."""
    await visitor.open("/shadow")
    assert "check News" in visitor.tree
    assert "select Town = Lyon #" in visitor.tree
    assert "select Search = new" in visitor.tree


async def test_a_budget_cuts_the_tree(visitor: Visitor) -> None:
    await visitor.open("/long", Observe(tree_chars=200))
    assert visitor.observation.tree is not None
    assert visitor.observation.tree.truncated
    assert len(visitor.tree) <= 200


async def test_an_unchanged_page_is_said_to_be_and_keeps_its_refs(visitor: Visitor) -> None:
    await visitor.open("/form")
    seen, save = visitor.observation, visitor.ref("Save")
    assert seen.tree is not None
    await visitor.do(Observe(unless_hash=seen.hash), type="wait", ms=0)
    assert visitor.observation.unchanged
    assert visitor.observation.tree is None
    assert (await visitor.do(type="click", target=save | {"tree": seen.tree.id})).ok
    assert visitor.observation.hash != seen.hash


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
@pytest.mark.parametrize("scale", [1.0, 0.5])
async def test_screenshots_have_the_format_and_size_asked_for(
    visitor: Visitor, kind: str, scale: float
) -> None:
    request = ScreenshotRequest(format=kind, scale=scale)  # type: ignore[arg-type]
    await visitor.open("/form", Observe(screenshot=request))
    assert size_of(visitor) == (kind.upper(), (round(1024 * scale), round(768 * scale)))


async def test_many_sessions_take_screenshots_at_once(site: str, browsers: Browsers) -> None:
    async def look() -> None:
        async with visiting(site, browsers) as visitor:
            for path in ("/form", "/plain"):
                await visitor.open(path, Observe(screenshot=ScreenshotRequest(scale=0.25)))
                assert size_of(visitor)[0] == "JPEG"

    async with asyncio.timeout(60):
        await asyncio.gather(*(look() for _ in range(8)))


async def test_text_and_console_come_when_asked_for(visitor: Visitor) -> None:
    await visitor.open("/form", Observe(text=True))
    assert "Far below" in (visitor.observation.text or "")
    await visitor.open("/plain")
    await visitor.do(Observe(console=True), type="navigate", url="/console")
    assert any("hello" in line for line in visitor.observation.console)
