"""What holds for text and backgrounds of a presentation where the slide itself does not say it.

Guarantees: a colour, bullet or alignment is looked up where programs that show the file do: in the
text, its shape, the layout's and the master's placeholder, the master's styles, the presentation's
defaults; colours of the theme are followed to their RGB values.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from typing import Any

from PIL import ImageColor
from pptx.enum.dml import MSO_FILL_TYPE

from envs.osworld.outside.published.safe_xml import parse_xml

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
RGB = tuple[int, int, int]
BLACK: RGB = (0, 0, 0)
FULL = 100_000
"""Of the percentages in colours."""
_TITLES = {"title", "ctrTitle"}
_MARGIN = {"dt", "ftr", "sldNum"}


class SlideStyles:
    """Of one slide, by its shapes; of a master, given a shape of its own."""

    def __init__(self, slide: Any) -> None:
        self._slide = slide
        layout = getattr(slide, "slide_layout", None)
        self._master: Any = layout.slide_master if layout is not None else slide
        self._above = [slide, layout, self._master] if layout is not None else [slide]
        self._theme = _theme(self._master)
        mapped = self._master._element.find(f"{P}clrMap")
        self._map = dict(mapped.attrib) if mapped is not None else {}

    def background(self) -> RGB | None:
        """None for anything but a plain colour."""
        for layer in self._above:
            element = layer._element.find(f"{P}cSld/{P}bg")
            paint = element[0] if element is not None and len(element) else None
            if paint is None or paint.find(f"{A}noFill") is not None:
                continue
            holder = paint if paint.tag == f"{P}bgRef" else paint.find(f"{A}solidFill")
            return self._rgb(holder)
        return None

    def color(self, shape: Any, paragraph: Any, run: Any) -> RGB:
        """Of text; `run` is the element of a run or field."""
        own = run.find(f"{A}rPr")
        holders = [own.find(f"{A}solidFill") if own is not None else None]
        if shape is not None and not shape.is_placeholder:
            holders.append(shape._element.find(f"{P}style/{A}fontRef"))
        levels = self.levels(shape, paragraph)
        holders += [level.find(f"{A}defRPr/{A}solidFill") for level in levels]
        return next(filter(None, map(self._rgb, holders)), self._theme_color("tx1") or BLACK)

    def marker(self, shape: Any, paragraph: Any) -> str | None:
        """The bullet's character, or how numbers count; None without one."""
        for level in self.levels(shape, paragraph):
            for mark in level:
                if mark.tag == f"{A}buNone":
                    return None
                if mark.tag in (f"{A}buChar", f"{A}buAutoNum"):
                    return str(mark.get("char") or mark.get("type"))
        return None

    def alignment(self, shape: Any, paragraph: Any) -> str:
        """As files name it: "l", "ctr", "r", "just"."""
        named = (level.get("algn") for level in self.levels(shape, paragraph))
        return next(filter(None, named), "l")

    def levels(self, shape: Any, paragraph: Any) -> Iterator[Any]:
        """Properties of paragraphs that hold for this one, the nearest first."""
        own = paragraph.find(f"{A}pPr")
        if own is not None:
            yield own
        number = int(own.get("lvl", "0")) if own is not None else 0
        tag = f"{A}lvl{number + 1}pPr"
        for styles in self._lists(shape):
            properties = styles.find(tag) if styles is not None else None
            if properties is not None:
                yield properties

    def _lists(self, shape: Any) -> Iterator[Any]:
        """Of a table's cell, which is no shape, only what holds for all text."""
        kind = None
        if shape is not None and shape.is_placeholder:
            kind = shape._element.xpath(".//p:nvPr/p:ph")[0].get("type", "obj")
        holder = shape
        while holder is not None:
            body = holder._element.find(f"{P}txBody")
            yield body.find(f"{A}lstStyle") if body is not None else None
            holder = getattr(holder, "_base_placeholder", None)
        styles = self._master._element.find(f"{P}txStyles")
        name = "titleStyle" if kind in _TITLES else "bodyStyle"
        if kind is None or kind in _MARGIN:
            yield self._slide.part.package.presentation_part._element.find(f"{P}defaultTextStyle")
            name = "otherStyle"
        yield styles.find(f"{P}{name}") if styles is not None else None

    def _rgb(self, holder: Any) -> RGB | None:
        """Of the colour inside; None where there is none, or none that can be told."""
        if holder is None or not len(holder):
            return None
        color = holder[0]
        kind, named = color.tag.rpartition("}")[2], color.get("val", "")
        if kind == "srgbClr":
            plain: RGB | None = _hex(named)
        elif kind == "sysClr":
            plain = _hex(color.get("lastClr", "000000"))
        elif kind == "prstClr":
            plain = ImageColor.getrgb(named)[:3]
        else:
            plain = self._theme_color(named)
        return _apply_changes(plain, color) if plain is not None else None

    def _theme_color(self, name: str) -> RGB | None:
        color = self._theme.find(f".//{A}clrScheme/{A}{self._map.get(name, name)}")
        return self._rgb(color)


def _theme(master: Any) -> Any:
    parts = (rel.target_part for rel in master.part.rels.values() if rel.reltype.endswith("/theme"))
    return parse_xml(next(parts).blob)


def _hex(value: str) -> RGB:
    red, green, blue = bytes.fromhex(value)
    return red, green, blue


def _apply_changes(color: RGB, changes: Any) -> RGB:
    """Made lighter or darker as the colour's children say."""
    hue, light, full = colorsys.rgb_to_hls(*(part / 255 for part in color))
    for change in changes:
        part = int(change.get("val", "0").rstrip("%")) / FULL
        match change.tag.rpartition("}")[2]:
            case "lumMod" | "shade":
                light *= part
            case "lumOff":
                light += part
            case "tint":
                light = 1 - (1 - light) * part
    red, green, blue = colorsys.hls_to_rgb(hue, min(1.0, light), full)
    return round(red * 255), round(green * 255), round(blue * 255)


def plain_background(slide: Any) -> Any:
    """The slide's own plain colour, else its master's; None for anything else. Raises
    AttributeError for a colour of the theme."""
    fill = slide.background.fill
    if fill.type == MSO_FILL_TYPE.BACKGROUND:
        fill = slide.slide_layout.slide_master.background.fill
    return fill.fore_color.rgb if fill.type == MSO_FILL_TYPE.SOLID else None
