"""GIMP's tools on a real GIMP with a window; what they made is read from exported files."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from envs.actions import ActionError
from envs.tools.gimp_line import quote, read
from envs.tools.registry import ToolError
from tests.envs.desktop_box import DesktopUser, ToolFailed

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


async def exported(user: DesktopUser, file: Path) -> Image.Image:
    await user.tool("gimp.export", path=f"Pictures/{file.name}")
    return Image.open(file)


async def test_text_of_any_kind_reaches_gimp_as_text(user: DesktopUser, picture: Path) -> None:
    for text in ('a "b" \\', "(gimp-quit 0)", '") (gimp-quit 0) ("', "ö 日本 `x` ; #t 'q"):
        await user.tool("gimp.add_layer", layer=text)
        names = [row["layer"] for row in await user.tool("gimp.layers")]
        assert names[0] == text
        await user.tool("gimp.add_text", text=text, x=1, y=1, size=8)
    assert len(await user.tool("gimp.layers")) == 9


async def test_size_crop_turn_and_flip(user: DesktopUser, picture: Path) -> None:
    await user.tool("gimp.scale", width=120)
    assert (await exported(user, picture)).size == (120, 80)
    await user.tool("gimp.crop", x=40, y=0, width=60, height=80)
    await user.tool("gimp.flip", direction="horizontal")
    image = await exported(user, picture)
    assert image.getpixel((5, 5))[:3] == (255, 255, 255)
    assert image.getpixel((55, 5))[:3] == (200, 0, 0)
    turned = await user.tool("gimp.rotate", degrees=90)
    assert (turned["width"], turned["height"], turned["changed"]) == (80, 60, True)
    with pytest.raises(ToolFailed, match="80 x 60") as beyond:
        await user.tool("gimp.crop", x=0, y=0, width=81, height=1)
    assert beyond.value.error == ActionError.BAD_VALUE


async def test_colours_change(user: DesktopUser, picture: Path) -> None:
    await user.tool("gimp.brightness_contrast", brightness=-60)
    assert (await exported(user, picture)).getpixel((5, 5))[0] < 200
    await user.tool("gimp.hue_saturation", hue=120)
    red, green, _ = (await exported(user, picture)).getpixel((5, 5))[:3]
    assert green > red
    await user.tool("gimp.desaturate")
    assert len(set((await exported(user, picture)).getpixel((5, 5))[:3])) == 1
    await user.tool("gimp.invert")
    await user.tool("gimp.blur", radius=6)
    left = (await exported(user, picture)).getpixel((29, 20))[0]
    right = (await exported(user, picture)).getpixel((31, 20))[0]
    assert 0 < abs(left - right) < 60
    await user.tool("gimp.sharpen", amount=3)
    sharp = await exported(user, picture)
    assert abs(sharp.getpixel((29, 20))[0] - sharp.getpixel((31, 20))[0]) > abs(left - right)


async def test_layers_are_added_changed_and_deleted(user: DesktopUser, picture: Path) -> None:
    await user.tool("gimp.add_layer", layer="Green", fill="#00ff00")
    assert (await exported(user, picture)).getpixel((5, 5))[:3] == (0, 255, 0)
    (top, _) = await user.tool("gimp.set_layer", layer="Green", opacity=50, new_name="Half")
    assert (top["layer"], top["opacity"]) == ("Half", 50)
    assert 90 < (await exported(user, picture)).getpixel((5, 5))[0] < 190
    await user.tool("gimp.set_layer", layer="Half", visible=False)
    assert (await exported(user, picture)).getpixel((5, 5))[:3] == (200, 0, 0)
    await user.tool("gimp.delete_layer", layer="Half")
    assert len(await user.tool("gimp.layers")) == 1
    with pytest.raises(ToolFailed, match="no layer 'Half'"):
        await user.tool("gimp.delete_layer", layer="Half")


async def test_selections_fills_and_transparency(user: DesktopUser, picture: Path) -> None:
    found = await user.tool("gimp.select", shape="rectangle", x=2, y=3, width=10, height=20)
    assert found == {"selected": True, "x": 2, "y": 3, "width": 10, "height": 20}
    await user.tool("gimp.fill", fill="blue")
    image = await exported(user, picture)
    assert image.getpixel((5, 5))[:3] == (0, 0, 255)
    assert image.getpixel((20, 5))[:3] == (200, 0, 0)
    await user.tool("gimp.select", shape="none")
    await user.tool("gimp.transparent_background", background="white")
    image = await exported(user, picture)
    assert image.getpixel((50, 5))[3] == 0
    assert image.getpixel((20, 5))[3] == 255
    await user.tool("gimp.fill_background", fill="yellow")
    assert (await exported(user, picture)).getpixel((50, 5))[:3] == (255, 255, 0)
    with pytest.raises(ToolFailed, match="is no colour"):
        await user.tool("gimp.fill", fill="blurple")


async def test_formats_and_modes(user: DesktopUser, picture: Path) -> None:
    folder = picture.parent
    for name, kind in (("a.jpg", "JPEG"), ("a.bmp", "BMP"), ("a.tif", "TIFF"), ("a.webp", "WEBP")):
        assert (await exported(user, folder / name)).format == kind
    await user.tool("gimp.export", path="Pictures/a.xcf")
    assert (folder / "a.xcf").read_bytes().startswith(b"gimp xcf")
    assert (await user.tool("gimp.info"))["changed"] is False
    assert (await user.tool("gimp.convert", mode="indexed", colors=4))["mode"] == "indexed"
    assert (await exported(user, folder / "a.gif")).mode == "P"
    assert (await exported(user, folder / "palette.png")).mode == "P"
    with pytest.raises(ToolFailed, match="no folder"):
        await user.tool("gimp.export", path="Nowhere/a.png")


async def test_settings_reach_gimprc(user: DesktopUser, picture: Path) -> None:
    assert await user.tool("gimp.set_setting", setting="theme", value="Light") == "Light"
    await user.tool("shell.run", command="for i in $(seq 50); do grep -q Light "
                    "~/.config/GIMP/2.10/gimprc && break; sleep 0.1; done")  # fmt: skip
    assert '(theme "Light")' in (user.home / ".config/GIMP/2.10/gimprc").read_text()
    with pytest.raises(ToolFailed, match="undo-levels is 5, no text"):
        await user.tool("gimp.set_setting", setting="undo-levels", value="100")


async def test_without_an_image_tools_say_so(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match=r"gimp\.open"):
        await user.tool("gimp.info")
