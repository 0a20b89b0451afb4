"""GIMP's layers, selections and fills on a real GIMP; results are read from the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

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
    selection = await user.tool("gimp.select", shape="rectangle", x=2, y=3, width=10, height=20)
    assert selection == {"selected": True, "x": 2, "y": 3, "width": 10, "height": 20}
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
    with pytest.raises(ToolFailed, match="is not a colour"):
        await user.tool("gimp.fill", fill="blurple")
