"""GIMP's image tools on a real GIMP with a window; results are read from the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from envs.contract.actions import ActionError
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop


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
