"""GIMP tools for layers, selections, text and settings.

Guarantees: layers are named by their names; colours are words or #rrggbb; each tool is one step of
the undo history and shows in the window.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from PIL import ImageColor

from envs.apps.gimp.client import Symbol, call, evaluate, quote
from envs.apps.gimp.image import TOOL_S, describe, drawable, front, run_calls
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


_NORMAL = Symbol("LAYER-MODE-NORMAL")
_NO_TEXT = re.compile(r"yes|no|-?[\d.]+[kMG]?")
"""Values of gimprc that are numbers, sizes or switches."""
Edge = Literal["replace", "add", "subtract", "intersect"]
_OPERATIONS = {
    "add": Symbol("CHANNEL-OP-ADD"),
    "subtract": Symbol("CHANNEL-OP-SUBTRACT"),
    "replace": Symbol("CHANNEL-OP-REPLACE"),
    "intersect": Symbol("CHANNEL-OP-INTERSECT"),
}


def color(text: str) -> Symbol:
    """As Scheme data. Raises ToolError."""
    try:
        red, green, blue = ImageColor.getrgb(text)[:3]
    except ValueError:
        message = f"{text[:40]!r} is not a colour; use a name such as red, or #rrggbb"
        raise ToolError(ActionError.BAD_VALUE, message) from None
    return Symbol(f"'({red} {green} {blue})")


async def _layers(desktop: Desktop, image: int) -> list[dict[str, Any]]:
    rows = []
    for layer in (await call(desktop, "gimp-image-get-layers", image))[1]:
        name = (await call(desktop, "gimp-item-get-name", layer))[0]
        visible = (await call(desktop, "gimp-item-get-visible", layer))[0]
        opacity = (await call(desktop, "gimp-layer-get-opacity", layer))[0]
        alpha = (await call(desktop, "gimp-drawable-has-alpha", layer))[0]
        x, y = (await call(desktop, "gimp-drawable-offsets", layer))[:2]
        width = (await call(desktop, "gimp-drawable-width", layer))[0]
        height = (await call(desktop, "gimp-drawable-height", layer))[0]
        rows.append(
            {
                "id": layer,
                "layer": name,
                "visible": bool(visible),
                "opacity": round(opacity, 1),
                "alpha": bool(alpha),
                "x": x,
                "y": y,
                "width": width,
                "height": height,
            }
        )
    return rows


async def _layer(desktop: Desktop, image: int, name: str) -> dict[str, Any]:
    known = await _layers(desktop, image)
    for candidate in known:
        if candidate["layer"] == name:
            return candidate
    names = ", ".join(candidate["layer"] for candidate in known)
    raise ToolError(ActionError.NOT_FOUND, f"no layer {name[:60]!r}; there are: {names}")


@TOOLS.tool("gimp.layers", timeout_s=TOOL_S)
async def layers(desktop: Desktop) -> list[dict[str, Any]]:
    """The image's layers, the topmost first: layer (name), visible, opacity (percent), alpha, x, y,
    width, height."""
    rows = await _layers(desktop, await front(desktop))
    return [{key: value for key, value in row.items() if key != "id"} for row in rows]


@TOOLS.tool("gimp.add_layer", timeout_s=TOOL_S)
async def add_layer(desktop: Desktop, layer: str, fill: str | None = None) -> dict[str, Any]:
    """Adds a layer of the image's size on top; transparent unless a colour is given."""
    image = await front(desktop)
    now = await describe(desktop, image)
    kind = {"rgb": 1, "gray": 3, "indexed": 5}[now["mode"]]
    made = await call(
        desktop, "gimp-layer-new", image, now["width"], now["height"], kind, layer, 100.0, _NORMAL
    )
    calls: list[tuple[object, ...]] = [("gimp-image-insert-layer", image, made[0], 0, 0)]
    if fill is not None:
        calls += _fill_calls(made[0], fill)
    return await run_calls(desktop, image, *calls)


@TOOLS.tool("gimp.delete_layer", timeout_s=TOOL_S)
async def delete_layer(desktop: Desktop, layer: str) -> dict[str, Any]:
    """Deletes a layer by its name."""
    image = await front(desktop)
    row = await _layer(desktop, image, layer)
    return await run_calls(desktop, image, ("gimp-image-remove-layer", image, row["id"]))


@TOOLS.tool("gimp.set_layer", timeout_s=TOOL_S)
async def set_layer(
    desktop: Desktop,
    layer: str,
    visible: bool | None = None,
    opacity: float | None = None,
    new_name: str | None = None,
    x: int | None = None,
    y: int | None = None,
    choose: bool = True,
) -> list[dict[str, Any]]:
    """Changes a layer: shown or not, opacity (0 to 100 percent), name, place of its left upper
    corner. Other tools work on it afterwards, unless `choose` is false."""
    image = await front(desktop)
    row = await _layer(desktop, image, layer)
    calls: list[tuple[object, ...]] = []
    if visible is not None:
        calls.append(("gimp-item-set-visible", row["id"], visible))
    if opacity is not None:
        if not 0 <= opacity <= 100:
            raise ToolError(ActionError.BAD_VALUE, "the opacity is 0 to 100 percent")
        calls.append(("gimp-layer-set-opacity", row["id"], float(opacity)))
    if new_name is not None:
        calls.append(("gimp-item-set-name", row["id"], new_name))
    if x is not None or y is not None:
        place = row["x"] if x is None else x, row["y"] if y is None else y
        calls.append(("gimp-layer-set-offsets", row["id"], *place))
    if choose:
        calls.append(("gimp-image-set-active-layer", image, row["id"]))
    await run_calls(desktop, image, *calls)
    rows: list[dict[str, Any]] = await layers(desktop)
    return rows


@TOOLS.tool("gimp.add_text", timeout_s=TOOL_S)
async def add_text(
    desktop: Desktop,
    text: str,
    x: int,
    y: int,
    size: float = 24,
    fill: str = "black",
    font: str = "DejaVu Sans",
) -> list[dict[str, Any]]:
    """Adds a text layer; x, y of its left upper corner and size in pixels, `fill` its colour."""
    image = await front(desktop)
    if not 1 <= size <= 8000 or not text:
        raise ToolError(ActionError.BAD_VALUE, "text must not be empty; size is 1 to 8000 pixels")
    values = " ".join(quote(value) for value in (text, font, float(size)))
    await evaluate(
        desktop,
        f"(let* ((layer (car (gimp-text-layer-new {image} {values} PIXELS))))"
        f" (gimp-image-undo-group-start {image}) (gimp-image-insert-layer {image} layer 0 0)"
        f" (gimp-text-layer-set-color layer {color(fill)})"
        f" (gimp-layer-set-offsets layer {quote(x)} {quote(y)})"
        f" (gimp-image-undo-group-end {image}) (gimp-displays-flush) layer)",
    )
    rows: list[dict[str, Any]] = await layers(desktop)
    return rows


def _fill_calls(layer: object, fill: str) -> list[tuple[object, ...]]:
    return [
        ("gimp-context-push",),
        ("gimp-context-set-foreground", color(fill)),
        ("gimp-drawable-edit-fill", layer, Symbol("FILL-FOREGROUND")),
        ("gimp-context-pop",),
    ]


@TOOLS.tool("gimp.fill", timeout_s=TOOL_S)
async def fill(desktop: Desktop, fill: str) -> dict[str, Any]:
    """Fills the selection, or the whole layer without one, with a colour."""
    image = await front(desktop)
    return await run_calls(desktop, image, *_fill_calls(await drawable(desktop, image), fill))


@TOOLS.tool("gimp.fill_background", timeout_s=TOOL_S)
async def fill_background(desktop: Desktop, fill: str) -> dict[str, Any]:
    """Puts a layer of one colour below all others, seen where they are transparent."""
    image = await front(desktop)
    now = await describe(desktop, image)
    kind = {"rgb": 0, "gray": 2, "indexed": 4}[now["mode"]]
    size = now["width"], now["height"]
    made = await call(
        desktop, "gimp-layer-new", image, *size, kind, "Background colour", 100.0, _NORMAL
    )
    active = await drawable(desktop, image)
    return await run_calls(
        desktop,
        image,
        ("gimp-selection-none", image),
        ("gimp-image-insert-layer", image, made[0], 0, now["layers"]),
        *_fill_calls(made[0], fill),
        ("gimp-image-set-active-layer", image, active),
    )


@TOOLS.tool("gimp.select", timeout_s=TOOL_S)
async def select(
    desktop: Desktop,
    shape: Literal["all", "none", "invert", "rectangle", "ellipse"],
    x: int = 0,
    y: int = 0,
    width: int = 0,
    height: int = 0,
    operation: Edge = "replace",
) -> dict[str, int | bool]:
    """Selects all, nothing, what was not selected, or a rectangle or ellipse given by its left
    upper corner and size in pixels. Answers with the selection's bounds."""
    image = await front(desktop)
    if shape in ("rectangle", "ellipse"):
        if width < 1 or height < 1:
            raise ToolError(ActionError.BAD_VALUE, f"a {shape} needs a width and a height")
        name = f"gimp-image-select-{shape}"
        await run_calls(desktop, image, (name, image, _OPERATIONS[operation], x, y, width, height))
    else:
        await run_calls(desktop, image, (f"gimp-selection-{shape}", image))
    return await _selection(desktop, image)


@TOOLS.tool("gimp.select_color", timeout_s=TOOL_S)
async def select_color(
    desktop: Desktop, color_of: str, threshold: int = 15, operation: Edge = "replace"
) -> dict[str, int | bool]:
    """Selects all of the layer that has a colour, to within a threshold of 0 to 255."""
    image = await front(desktop)
    layer = await drawable(desktop, image)
    limit = max(0, min(threshold, 255)) / 255
    await run_calls(
        desktop,
        image,
        ("gimp-context-push",),
        ("gimp-context-set-sample-threshold", limit),
        ("gimp-image-select-color", image, _OPERATIONS[operation], layer, color(color_of)),
        ("gimp-context-pop",),
    )
    return await _selection(desktop, image)


async def _selection(desktop: Desktop, image: int) -> dict[str, int | bool]:
    some, x1, y1, x2, y2 = await call(desktop, "gimp-selection-bounds", image)
    return {"selected": bool(some), "x": x1, "y": y1, "width": x2 - x1, "height": y2 - y1}


@TOOLS.tool("gimp.transparent_background", timeout_s=TOOL_S)
async def transparent_background(
    desktop: Desktop, background: str = "white", threshold: int = 15
) -> dict[str, Any]:
    """Makes all of the layer that has a colour transparent, to within a threshold of 0 to 255."""
    image = await front(desktop)
    if (await describe(desktop, image))["mode"] == "indexed":
        raise ToolError(ActionError.BAD_VALUE, "convert the image to rgb first: gimp.convert")
    layer = await drawable(desktop, image)
    selection = await select_color(desktop, background, threshold)
    if not selection["selected"]:
        raise ToolError(ActionError.NOT_FOUND, f"nothing in the layer is {background}")
    return await run_calls(
        desktop,
        image,
        ("gimp-layer-add-alpha", layer),
        ("gimp-drawable-edit-clear", layer),
        ("gimp-selection-none", image),
    )


@TOOLS.tool("gimp.get_setting", timeout_s=TOOL_S)
async def get_setting(desktop: Desktop, setting: str) -> str:
    """A setting of gimprc, such as theme, undo-levels or default-image's values, as it is there."""
    return str((await call(desktop, "gimp-gimprc-query", setting))[0])


@TOOLS.tool("gimp.set_setting", timeout_s=TOOL_S)
async def set_setting(desktop: Desktop, setting: str, value: str) -> str:
    """Sets a setting of gimprc that is a text, e.g. theme to Light; GIMP reads it when it starts.
    Numbers and switches are set in Edit, Preferences."""
    now = str((await call(desktop, "gimp-gimprc-query", setting))[0])
    if _NO_TEXT.fullmatch(now):
        # GIMP would write any value as a quoted text, and not start with it again.
        message = f"{setting[:60]} is {now}, no text: change it in Edit, Preferences"
        raise ToolError(ActionError.BAD_VALUE, message)
    await call(desktop, "gimp-gimprc-set", setting, value)
    return value
