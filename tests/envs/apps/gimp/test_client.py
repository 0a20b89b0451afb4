"""The Script-Fu connection: text is quoted, replies are read, GIMP runs or is said not to."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from envs.apps.gimp.client import quote, read
from envs.contract.tools import ToolError
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop

TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")) | st.sampled_from('\n\t"\\()`;#'))


@given(TEXT)
def test_quoted_text_reads_back_as_one_string(text: str) -> None:
    assert read(quote(text)) == text
    assert read(f"({quote(text)} 1 #(2.5 x))") == [text, 1, [2.5, "x"]]


@given(st.text())
def test_reading_ends_with_a_value_or_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert isinstance(read(text), str | int | float | list | None)


def test_control_characters_are_refused() -> None:
    with pytest.raises(ToolError, match="control characters"):
        quote("a\x00b")


@pytest.fixture
async def picture(user: DesktopUser) -> Path:
    """A 60 x 40 picture, left half red, right half white, open in GIMP."""
    image = Image.new("RGB", (60, 40), "white")
    image.paste((200, 0, 0), (0, 0, 30, 40))
    image.save(user.home / "Pictures" / "flag.png")
    made = await user.tool("gimp.open", path="Pictures/flag.png")
    assert (made["width"], made["height"], made["changed"]) == (60, 40, False)
    return user.home / "Pictures" / "out.png"


async def test_text_of_any_kind_reaches_gimp_as_text(user: DesktopUser, picture: Path) -> None:
    for text in ('a "b" \\', "(gimp-quit 0)", '") (gimp-quit 0) ("', "ö 日本 `x` ; #t 'q"):
        await user.tool("gimp.add_layer", layer=text)
        names = [row["layer"] for row in await user.tool("gimp.layers")]
        assert names[0] == text
        await user.tool("gimp.add_text", text=text, x=1, y=1, size=8)
    assert len(await user.tool("gimp.layers")) == 9


async def test_a_tool_waits_for_a_gimp_that_starts_and_starts_no_second_server(
    user: DesktopUser,
) -> None:
    for name in ("one", "two"):
        Image.new("RGB", (60, 40), "white").save(user.home / "Pictures" / f"{name}.png")
    await user.tool("processes.start", command=["gimp", "Pictures/one.png"])
    assert (await user.tool("gimp.info"))["name"] == "[one] (imported)"
    await user.tool("processes.start", command=["gimp", "Pictures/two.png"])
    await user.tool("wait.window", title="two", timeout_s=30)
    assert (await user.tool("gimp.info"))["name"] == "[two] (imported)"
    titles = [window["title"] for window in await user.tool("windows.list")]
    assert not [title for title in titles if "Message" in title], titles


async def test_a_gimp_that_was_started_without_its_server_gets_one(user: DesktopUser) -> None:
    Image.new("RGB", (60, 40), "white").save(user.home / "Pictures" / "one.png")
    await user.tool("processes.start", command=["gimp-2.10", "Pictures/one.png"])
    await user.tool("wait.window", title="one", timeout_s=30)
    assert (await user.tool("gimp.info"))["name"] == "[one] (imported)"
