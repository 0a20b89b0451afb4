"""GIMP tools for whole images: open, export, size, turn, colours, filters.

Guarantees: they work on the image in the user's window, as one step of its undo history each, and
the window shows the result.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

from envs.apps.gimp.client import Symbol, call, evaluate, quote
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


TOOL_S = 75
"""GIMP may have to be started first."""
MODES = {0: "rgb", 1: "gray", 2: "indexed"}
MAX_SIDE = 20_000
_TITLE_ID = re.compile(r"-(\d+)\.\d+ \(")
_NOW = Symbol("RUN-NONINTERACTIVE")
_FLAT = {".jpg", ".jpeg", ".bmp", ".ppm", ".pgm"}


async def front(desktop: Desktop) -> int:
    """The image that the user's GIMP window shows; else the one opened last. Raises ToolError."""
    reply = await call(desktop, "gimp-image-list")
    images = [int(number) for number in reply[1]]
    if not images:
        raise ToolError(ActionError.NOT_FOUND, "no image is open; open one with gimp.open")
    for window in reversed(await desktop.windows()):
        if window.application.lower().startswith("gimp"):
            shown = _TITLE_ID.search(window.title)
            if shown and int(shown[1]) in images:
                return int(shown[1])
    return max(images)


async def drawable(desktop: Desktop, image: int) -> int:
    """The layer that is worked on."""
    drawable_id = int((await call(desktop, "gimp-image-get-active-drawable", image))[0])
    if drawable_id == -1:
        raise ToolError(ActionError.NOT_FOUND, "no layer is chosen; choose one: gimp.set_layer")
    return drawable_id


async def step(desktop: Desktop, image: int, *calls: tuple[object, ...]) -> None:
    """Procedures with their arguments, as one step to undo."""
    lines = [f"({name} {' '.join(quote(v) for v in values)})" for name, *values in calls]
    await evaluate(
        desktop,
        f"(begin (gimp-image-undo-group-start {image}) {' '.join(lines)}"
        f" (gimp-image-undo-group-end {image}) (gimp-displays-flush) 0)",
    )


def file_at(desktop: Desktop, path: str) -> Path:
    return desktop.home / Path(path).expanduser()


async def describe(desktop: Desktop, image: int) -> dict[str, Any]:
    width = (await call(desktop, "gimp-image-width", image))[0]
    height = (await call(desktop, "gimp-image-height", image))[0]
    mode = (await call(desktop, "gimp-image-base-type", image))[0]
    name = (await call(desktop, "gimp-image-get-name", image))[0]
    layers = (await call(desktop, "gimp-image-get-layers", image))[0]
    changed = (await call(desktop, "gimp-image-is-dirty", image))[0]
    return {
        "image": image,
        "name": name,
        "width": width,
        "height": height,
        "mode": MODES[mode],
        "layers": layers,
        "changed": bool(changed),
    }


async def run_calls(desktop: Desktop, image: int, *calls: tuple[object, ...]) -> dict[str, Any]:
    await step(desktop, image, *calls)
    return await describe(desktop, image)


@TOOLS.tool("gimp.open", timeout_s=TOOL_S)
async def open_image(desktop: Desktop, path: str) -> dict[str, Any]:
    """Opens an image file in GIMP's window."""
    file = file_at(desktop, path)
    if not file.is_file():
        raise ToolError(ActionError.NOT_FOUND, f"there is no file {file}")
    image = int((await call(desktop, "gimp-file-load", _NOW, str(file), file.name))[0])
    await call(desktop, "gimp-display-new", image)
    await call(desktop, "gimp-image-clean-all", image)
    return await describe(desktop, image)


@TOOLS.tool("gimp.info", timeout_s=TOOL_S)
async def info(desktop: Desktop) -> dict[str, Any]:
    """The image in GIMP's window: name, width, height (pixels), mode, layers, changed."""
    return await describe(desktop, await front(desktop))


@TOOLS.tool("gimp.export", timeout_s=TOOL_S)
async def export(desktop: Desktop, path: str, quality: int = 90) -> str:
    """Writes the image to a file, in the format that its name ends with (png, jpg, gif, bmp, tif,
    webp, xcf with all layers). `quality`: 1 to 100, of jpg."""
    image = await front(desktop)
    file = file_at(desktop, path)
    if not file.parent.is_dir():
        raise ToolError(ActionError.NOT_FOUND, f"there is no folder {file.parent}")
    ending = file.suffix.lower()
    if ending == ".xcf":
        active = await drawable(desktop, image)
        await call(desktop, "gimp-xcf-save", _NOW, image, active, str(file), file.name)
        await call(desktop, "gimp-image-set-filename", image, str(file))
        await call(desktop, "gimp-image-clean-all", image)
        return f"wrote {file}"
    copy = int((await call(desktop, "gimp-image-duplicate", image))[0])
    try:
        merge = "gimp-image-flatten" if ending in _FLAT else "gimp-image-merge-visible-layers"
        layer = (await call(desktop, merge, copy, *([] if ending in _FLAT else [1])))[0]
        if ending in (".jpg", ".jpeg"):
            share = max(1, min(quality, 100)) / 100
            await call(
                desktop,
                "file-jpeg-save",
                _NOW,
                copy,
                layer,
                str(file),
                file.name,
                share,
                0.0,
                1,
                0,
                "",
                2,
                1,
                0,
                0,
            )
        else:
            await call(desktop, "gimp-file-save", _NOW, copy, layer, str(file), file.name)
    finally:
        await call(desktop, "gimp-image-delete", copy)
    return f"wrote {file}"


@TOOLS.tool("gimp.scale", timeout_s=TOOL_S)
async def scale(
    desktop: Desktop, width: int | None = None, height: int | None = None
) -> dict[str, Any]:
    """Scales the image to a width and height in pixels; with one of them, in proportion."""
    image = await front(desktop)
    now = await describe(desktop, image)
    if width is None and height is None:
        raise ToolError(ActionError.BAD_VALUE, "give width, height or both")
    wide = width or max(1, round(now["width"] * (height or 0) / now["height"]))
    high = height or max(1, round(now["height"] * (width or 0) / now["width"]))
    if not (1 <= wide <= MAX_SIDE and 1 <= high <= MAX_SIDE):
        raise ToolError(ActionError.BAD_VALUE, f"a side is 1 to {MAX_SIDE} pixels")
    return await run_calls(desktop, image, ("gimp-image-scale", image, wide, high))


@TOOLS.tool("gimp.crop", timeout_s=TOOL_S)
async def crop(desktop: Desktop, x: int, y: int, width: int, height: int) -> dict[str, Any]:
    """Keeps a rectangle of the image; x and y are its left upper corner in pixels."""
    image = await front(desktop)
    now = await describe(desktop, image)
    inside = x + width <= now["width"] and y + height <= now["height"]
    if not inside or min(x, y) < 0 or min(width, height) < 1:
        message = f"the image is {now['width']} x {now['height']} pixels"
        raise ToolError(ActionError.BAD_VALUE, message)
    return await run_calls(desktop, image, ("gimp-image-crop", image, width, height, x, y))


@TOOLS.tool("gimp.rotate", timeout_s=TOOL_S)
async def rotate(desktop: Desktop, degrees: Literal[90, 180, 270]) -> dict[str, Any]:
    """Turns the image clockwise."""
    image = await front(desktop)
    return await run_calls(desktop, image, ("gimp-image-rotate", image, degrees // 90 - 1))


@TOOLS.tool("gimp.flip", timeout_s=TOOL_S)
async def flip(desktop: Desktop, direction: Literal["horizontal", "vertical"]) -> dict[str, Any]:
    """Mirrors the image, left to right or top to bottom."""
    image = await front(desktop)
    return await run_calls(
        desktop, image, ("gimp-image-flip", image, 0 if direction == "horizontal" else 1)
    )


def _in_range(name: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:
        raise ToolError(ActionError.BAD_VALUE, f"{name} is {low:g} to {high:g}")
    return float(value)


@TOOLS.tool("gimp.brightness_contrast", timeout_s=TOOL_S)
async def brightness_contrast(
    desktop: Desktop, brightness: int = 0, contrast: int = 0
) -> dict[str, Any]:
    """Changes brightness and contrast of the layer, each -100 to 100."""
    image = await front(desktop)
    values = (
        _in_range("brightness", brightness, -100, 100) / 200,
        _in_range("contrast", contrast, -100, 100) / 200,
    )
    layer = await drawable(desktop, image)
    return await run_calls(desktop, image, ("gimp-drawable-brightness-contrast", layer, *values))


@TOOLS.tool("gimp.hue_saturation", timeout_s=TOOL_S)
async def hue_saturation(
    desktop: Desktop, hue: int = 0, saturation: int = 0, lightness: int = 0
) -> dict[str, Any]:
    """Changes the layer's hue (-180 to 180), saturation and lightness (-100 to 100)."""
    image = await front(desktop)
    values = (
        _in_range("hue", hue, -180, 180),
        _in_range("lightness", lightness, -100, 100),
        _in_range("saturation", saturation, -100, 100),
    )
    layer = await drawable(desktop, image)
    return await run_calls(
        desktop, image, ("gimp-drawable-hue-saturation", layer, Symbol("HUE-RANGE-ALL"), *values, 0)
    )


@TOOLS.tool("gimp.desaturate", timeout_s=TOOL_S)
async def desaturate(desktop: Desktop) -> dict[str, Any]:
    """Takes the colours out of the layer, keeping its luminance."""
    image = await front(desktop)
    now = await describe(desktop, image)
    if now["mode"] != "rgb":
        raise ToolError(ActionError.BAD_VALUE, f"the image is {now['mode']}, not rgb")
    layer = await drawable(desktop, image)
    return await run_calls(
        desktop, image, ("gimp-drawable-desaturate", layer, Symbol("DESATURATE-LUMINANCE"))
    )


@TOOLS.tool("gimp.invert", timeout_s=TOOL_S)
async def invert(desktop: Desktop) -> dict[str, Any]:
    """Inverts the colours of the layer."""
    image = await front(desktop)
    return await run_calls(
        desktop, image, ("gimp-drawable-invert", await drawable(desktop, image), False)
    )


@TOOLS.tool("gimp.blur", timeout_s=TOOL_S)
async def blur(desktop: Desktop, radius: float = 5) -> dict[str, Any]:
    """Blurs the layer; radius in pixels."""
    image = await front(desktop)
    size = _in_range("radius", radius, 0.5, 500)
    layer = await drawable(desktop, image)
    return await run_calls(desktop, image, ("plug-in-gauss", _NOW, image, layer, size, size, 0))


@TOOLS.tool("gimp.sharpen", timeout_s=TOOL_S)
async def sharpen(desktop: Desktop, amount: float = 0.5, radius: float = 3) -> dict[str, Any]:
    """Sharpens the layer; amount 0 to 10, radius in pixels."""
    image = await front(desktop)
    values = _in_range("radius", radius, 0, 300), _in_range("amount", amount, 0, 10)
    layer = await drawable(desktop, image)
    return await run_calls(desktop, image, ("plug-in-unsharp-mask", _NOW, image, layer, *values, 0))


@TOOLS.tool("gimp.convert", timeout_s=TOOL_S)
async def convert(
    desktop: Desktop, mode: Literal["rgb", "gray", "indexed"], colors: int = 256
) -> dict[str, Any]:
    """Converts the image to RGB, gray, or a palette of up to 256 colours made for it."""
    image = await front(desktop)
    now = await describe(desktop, image)
    if now["mode"] == mode:
        return now
    if mode != "indexed":
        name = "gimp-image-convert-rgb" if mode == "rgb" else "gimp-image-convert-grayscale"
        return await run_calls(desktop, image, (name, image))
    _in_range("colors", colors, 2, 256)
    arguments = (image, 0, 0, colors, False, True, "")
    return await run_calls(desktop, image, ("gimp-image-convert-indexed", *arguments))
